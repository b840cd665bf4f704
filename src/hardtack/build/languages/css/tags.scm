; Of a list, the first eight are named by the whole rule and the others by themselves: one pattern for all would make the cost of
; long lists grow with the cube of their length.
(rule_set (selectors . (_) @name) (block) @body) @definition.element
(rule_set (selectors . (_) . (_) @name) (block) @body) @definition.element
(rule_set (selectors . (_) . (_) . (_) @name) (block) @body) @definition.element
(rule_set (selectors . (_) . (_) . (_) . (_) @name) (block) @body) @definition.element
(rule_set (selectors . (_) . (_) . (_) . (_) . (_) @name) (block) @body) @definition.element
(rule_set (selectors . (_) . (_) . (_) . (_) . (_) . (_) @name) (block) @body) @definition.element
(rule_set (selectors . (_) . (_) . (_) . (_) . (_) . (_) . (_) @name) (block) @body) @definition.element
(rule_set (selectors . (_) . (_) . (_) . (_) . (_) . (_) . (_) . (_) @name) (block) @body) @definition.element
(selectors (_) @name @definition.element)
; Each class of a compound selector by itself as well: .a .b:hover -> .a, .b, .b:hover
(class_selector "." @name @definition.element (class_name) @name)
(pseudo_class_selector (class_selector "." @name @definition.element) ":" (class_name) @name)
(pseudo_class_selector [(descendant_selector (class_selector "." @name @definition.element) .) (child_selector (class_selector "." @name @definition.element) .)] . ":" . (class_name) @name)
(pseudo_element_selector (class_selector "." @name @definition.element) "::" (tag_name) @name)
(pseudo_element_selector [(descendant_selector (class_selector "." @name @definition.element) .) (child_selector (class_selector "." @name @definition.element) .)] . "::" . (tag_name) @name)
(keyframes_statement (keyframes_name) @name (_) @body) @definition.block
((declaration (property_name) @name) @definition.variable
  (#set! match.name "--.*"))
(import_statement) @import
(comment) @comment
