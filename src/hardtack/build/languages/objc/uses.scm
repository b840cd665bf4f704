[(identifier) (type_identifier) (field_identifier)] @name
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
(attribute_specifier (argument_list [(identifier) @skip (call_expression function: (identifier) @skip arguments: (argument_list (identifier)? @skip))]))
(preproc_params (identifier) @local @skip)

; What a declaration binds, behind all that may stand before it; at a file's top it is a symbol.
(parameter_declaration declarator: (identifier) @local @skip)
(declaration declarator: (identifier) @local @skip)
(init_declarator declarator: (identifier) @local @skip)
(pointer_declarator declarator: (identifier) @local @skip)
(block_pointer_declarator declarator: (identifier) @local @skip)
(array_declarator declarator: (identifier) @local @skip)
(for_statement type: (_) . (identifier) @local @skip)
(block_literal) @scope

; What a macro stands for is text to the grammar.
(preproc_def value: (preproc_arg) @names)
(preproc_function_def value: (preproc_arg) @names)

[(compound_statement) (for_statement)] @block
