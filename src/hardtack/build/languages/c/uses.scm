; include c/shared/uses.scm

[(identifier) (field_identifier)] @name
(type_identifier) @type
(call_expression function: [
  (identifier) @applied
  (field_expression field: (field_identifier) @call)
  (parenthesized_expression (pointer_expression argument: [(identifier) @call (field_expression field: (field_identifier) @call)]))
])
(macro_type_specifier name: (identifier) @call)
; TEST_IMPL(name) { ... } calls the macro.
(function_definition type: (type_identifier) @call declarator: (parenthesized_declarator))

(attribute (identifier) @skip)

(attributed_declarator (identifier) @local @skip)

[(compound_statement) (for_statement)] @block
