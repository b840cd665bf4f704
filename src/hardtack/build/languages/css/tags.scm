(rule_set (selectors (_) @name) (block) @body) @definition.element
(keyframes_statement (keyframes_name) @name (_) @body) @definition.block
((declaration (property_name) @name) @definition.variable
  (#set! match.name "--.*"))
(import_statement) @import
(comment) @comment
