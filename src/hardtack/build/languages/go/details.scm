((source_file) (#set! docs "godoc"))

; One parameter a name; a parameter without names is one by its type.
(function_declaration name: (_) @of parameters: (parameter_list (parameter_declaration name: (_) @name type: (_) @type) @parameter))
(function_declaration name: (_) @of parameters: (parameter_list (parameter_declaration !name type: (_) @type) @parameter))
(function_declaration name: (_) @of parameters: (parameter_list (variadic_parameter_declaration name: (_)? @name "..." @type type: (_) @type) @parameter))
(method_declaration name: (_) @of parameters: (parameter_list (parameter_declaration name: (_) @name type: (_) @type) @parameter))
(method_declaration name: (_) @of parameters: (parameter_list (parameter_declaration !name type: (_) @type) @parameter))
(method_declaration name: (_) @of parameters: (parameter_list (variadic_parameter_declaration name: (_)? @name "..." @type type: (_) @type) @parameter))
(method_elem name: (_) @of parameters: (parameter_list (parameter_declaration name: (_) @name type: (_) @type) @parameter))
(method_elem name: (_) @of parameters: (parameter_list (parameter_declaration !name type: (_) @type) @parameter))
(method_elem name: (_) @of parameters: (parameter_list (variadic_parameter_declaration name: (_)? @name "..." @type type: (_) @type) @parameter))

; Results: a type, or a list of them with or without names.
(function_declaration name: (_) @of result: [
  (_simple_type) @return
  (parameter_list [(parameter_declaration name: (_) @name type: (_) @return) (parameter_declaration !name type: (_) @return)])
])
(method_declaration name: (_) @of result: [
  (_simple_type) @return
  (parameter_list [(parameter_declaration name: (_) @name type: (_) @return) (parameter_declaration !name type: (_) @return)])
])
(method_elem name: (_) @of result: [
  (_simple_type) @return
  (parameter_list [(parameter_declaration name: (_) @name type: (_) @return) (parameter_declaration !name type: (_) @return)])
])
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @receiver)) name: (_) @of)
(function_declaration name: (_) @of type_parameters: (type_parameter_list (type_parameter_declaration) @type_parameter))

; What a type stands for, unless it is a struct or an interface.
(type_spec name: (_) @of type_parameters: (type_parameter_list (type_parameter_declaration) @type_parameter))
(type_alias name: (_) @of type_parameters: (type_parameter_list (type_parameter_declaration) @type_parameter))
(type_alias name: (_) @of type: (_) @value)
(type_spec name: (_) @of type: [
  (type_identifier) (qualified_type) (generic_type) (pointer_type) (array_type) (slice_type) (map_type) (channel_type)
  (function_type) (parenthesized_type) (negated_type)
] @value)
(type_spec name: (_) @of type: (interface_type (type_elem) @base.embeds))
(type_spec name: (_) @of type: (struct_type (field_declaration_list (field_declaration !name "*"? @base.embeds type: (_) @base.embeds))))

(field_declaration name: (_) @of type: (_) @type)
(field_declaration name: (_) @of tag: (_) @tag)
(field_declaration !name "*"? @type type: [
  (type_identifier) @of
  (qualified_type name: (type_identifier) @of)
  (generic_type type: [(type_identifier) @of (qualified_type name: (type_identifier) @of)])
] @type)
(field_declaration !name type: [
  (type_identifier) @of
  (qualified_type name: (type_identifier) @of)
  (generic_type type: [(type_identifier) @of (qualified_type name: (type_identifier) @of)])
] tag: (_) @tag)

; The field of a constant's names is on the first alone.
(const_spec (identifier) @of type: (_) @type)
(const_spec (identifier) @of value: (expression_list) @values)
(const_spec (identifier) @of !value) @as_before
(var_spec name: (identifier) @of type: (_) @type)
(var_spec name: (identifier) @of value: (expression_list) @values)

; What an interface asks for has no body.
((interface_type (method_elem name: (_) @of)) (#set! modifier "abstract"))
