[(identifier) (type_identifier) (field_identifier)] @applied
(qualified_type package: (package_identifier) @name)
(composite_literal type: [
  (type_identifier) @call
  (qualified_type name: (type_identifier) @call)
  (generic_type type: [(type_identifier) @call (qualified_type name: (type_identifier) @call)])
])
; The keys of a structure's literal; those of a map's are read alike, for both look the same.
(keyed_element key: (literal_element (identifier) @member))

; Members of types without a name, of functions' own types for one, are defined here.
(field_declaration name: (field_identifier) @skip)
(method_elem name: (field_identifier) @skip)

(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @local)))
  (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @local))))
])))
(short_var_declaration left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec name: (identifier) @local)
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))

(func_literal) @scope
(function_type) @scope
(method_elem) @scope
(type_spec type_parameters: (_)) @scope

[
  (block)
  (if_statement)
  (for_statement)
  (expression_switch_statement)
  (type_switch_statement)
  (expression_case)
  (type_case)
  (communication_case)
  (default_case)
] @block
[(short_var_declaration) (var_spec) (const_spec) (range_clause) (receive_statement)] @declaration
