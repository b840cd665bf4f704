; include c/shared/uses.scm

[(identifier) (field_identifier)] @name
(type_identifier) @type
(call_expression function: [
  (identifier) @applied
  (field_expression field: (field_identifier) @call)
  (parenthesized_expression (pointer_expression argument: [(identifier) @call (field_expression field: (field_identifier) @call)]))
])
; A message is named by its selector, whose words between the arguments belong to it.
(message_expression receiver: (_) . method: (identifier) @call) @message
(selector_expression) @message
(message_expression method: (identifier) . (_) . method: (identifier) @skip)

(method_declaration (identifier) @skip)
(method_definition (identifier) @skip)
(method_parameter (identifier) @local @skip)
(property_attribute (identifier) @skip)
(class_interface category: (identifier) @skip)
(class_implementation category: (identifier) @skip)
(module_import (identifier) @skip)
(available_expression (identifier) @skip)

(block_pointer_declarator declarator: (identifier) @local @skip)
(for_statement type: (_) . (identifier) @local @skip)
(block_literal) @scope

[(compound_statement) (for_statement)] @block
