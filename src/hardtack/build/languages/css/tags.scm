(rule_set (selectors (_) @name) (block) @body) @definition.element
; Each class of a compound selector by itself as well: .a .b:hover -> .a, .b, .b:hover
(class_selector "." @name @definition.element (class_name) @name)
(pseudo_class_selector (class_selector "." @name @definition.element) ":" (class_name) @name)
(keyframes_statement (keyframes_name) @name (_) @body) @definition.block
((declaration (property_name) @name) @definition.variable
  (#set! match.name "--.*"))
(import_statement) @import
(comment) @comment
