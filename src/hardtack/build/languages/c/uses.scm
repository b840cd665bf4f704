[(identifier) (type_identifier) (field_identifier)] @name
(call_expression function: [
  (identifier) @applied
  (field_expression field: (field_identifier) @call)
  (parenthesized_expression (pointer_expression argument: [(identifier) @call (field_expression field: (field_identifier) @call)]))
])
(macro_type_specifier name: (identifier) @call)
; TEST_IMPL(name) { ... } calls the macro.
(function_definition type: (type_identifier) @call declarator: (parenthesized_declarator))

(attribute_specifier (argument_list [(identifier) @skip (call_expression function: (identifier) @skip arguments: (argument_list (identifier)? @skip))]))
(attribute (identifier) @skip)
(preproc_params (identifier) @local @skip)

; What a declaration binds, behind all that may stand before it; at a file's top it is a symbol.
(parameter_declaration declarator: (identifier) @local @skip)
(declaration declarator: (identifier) @local @skip)
(init_declarator declarator: (identifier) @local @skip)
(pointer_declarator declarator: (identifier) @local @skip)
(array_declarator declarator: (identifier) @local @skip)
(attributed_declarator (identifier) @local @skip)

; What a macro stands for is text to the grammar.
(preproc_def value: (preproc_arg) @names)
(preproc_function_def value: (preproc_arg) @names)

[(compound_statement) (for_statement)] @block
