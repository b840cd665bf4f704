((translation_unit) (#set! docs "doxygen"))

; What a class extends, and the protocols that it, one of its categories or a protocol promises to follow.
(class_interface . (identifier) @of superclass: (identifier) @base.inherits)
(class_interface . (identifier) @of (parameterized_arguments (type_name (type_identifier) @base.implements)))
(protocol_declaration . (identifier) @of (protocol_reference_list (identifier) @base.inherits))

; What a method gives and takes.
(method_declaration . (method_type (type_name) @return) . (identifier) @of)
(method_definition . (method_type (type_name) @return) . (identifier) @of)
(method_declaration . (method_type)? . (identifier) @of (method_parameter (method_type (type_name) @type)? (identifier) @name) @parameter)
(method_definition . (method_type)? . (identifier) @of (method_parameter (method_type (type_name) @type)? (identifier) @name) @parameter)
((method_declaration "+" . (method_type)? . (identifier) @of) (#set! modifier "static"))
((method_definition "+" . (method_type)? . (identifier) @of) (#set! modifier "static"))

; Types of properties, of variables of an instance and of fields.
(property_declaration (struct_declaration . (_) @type . (struct_declarator [
  (identifier) @of
  (pointer_declarator "*" @type declarator: (identifier) @of)
])))
(property_declaration (property_attributes_declaration (property_attribute) @modifier) (struct_declaration (struct_declarator [
  (identifier) @of
  (pointer_declarator declarator: (identifier) @of)
])))
(instance_variable (struct_declaration . (_) @type . (struct_declarator [
  (identifier) @of
  (pointer_declarator "*" @type declarator: (identifier) @of)
])))
(field_declaration type: (_) @type . declarator: [
  (field_identifier) @of
  (pointer_declarator "*" @type declarator: (field_identifier) @of)
])

; What it shares with C: results, keywords, and types of variables.
(function_definition type: (_) @return . declarator: [
  (function_declarator declarator: (identifier) @of)
  (pointer_declarator "*" @return declarator: (function_declarator declarator: (identifier) @of))
])
(declaration type: (_) @return . declarator: [
  (function_declarator declarator: (identifier) @of)
  (pointer_declarator "*" @return declarator: (function_declarator declarator: (identifier) @of))
])
(function_declarator declarator: (identifier) @of parameters: (parameter_list [
  (parameter_declaration type: (_) @type . declarator: [
    (identifier) @name
    (pointer_declarator "*" @type declarator: (identifier) @name)
  ]) @parameter
  (parameter_declaration declarator: [
    (array_declarator declarator: (_) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    (function_declarator declarator: (parenthesized_declarator (block_pointer_declarator declarator: (identifier) @name)))
  ]) @parameter @type
  (parameter_declaration declarator: [(abstract_pointer_declarator) (abstract_array_declarator)]) @parameter @type
  (variadic_parameter) @parameter
]))
[
  (function_definition (storage_class_specifier) @modifier declarator: [
    (function_declarator declarator: (identifier) @of)
    (_ declarator: (function_declarator declarator: (identifier) @of))
  ])
  (declaration (storage_class_specifier) @modifier declarator: [
    (identifier) @of
    (_ declarator: (identifier) @of)
    (_ declarator: (_ declarator: (identifier) @of))
  ])
]
(declaration type: (_) @type . declarator: [
  (identifier) @of
  (pointer_declarator "*" @type declarator: (identifier) @of)
  (init_declarator declarator: [(identifier) @of (pointer_declarator "*" @type declarator: (identifier) @of)])
])
(init_declarator declarator: [(identifier) @of (pointer_declarator declarator: (identifier) @of)] value: (_) @value)

; include c/shared/details.scm
(type_definition type: [(type_identifier) (struct_specifier !body)] @type . declarator: [
  (type_identifier) @of
  (pointer_declarator "*" @type declarator: (type_identifier) @of)
])
