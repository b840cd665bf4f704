((program) (#set! docs "phpdoc"))

; Parameters, with & and ... as part of their names; a promoted one is a property besides.
(function_definition
  name: (name) @of
  parameters: (formal_parameters [
    (simple_parameter type: (_)? @type reference_modifier: (_)? @name name: (_) @name default_value: (_)? @default)
    (variadic_parameter type: (_)? @type reference_modifier: (_)? @name "..." @name name: (_) @name)
  ] @parameter))
(method_declaration
  name: (name) @of
  parameters: (formal_parameters [
    (simple_parameter type: (_)? @type reference_modifier: (_)? @name name: (_) @name default_value: (_)? @default)
    (variadic_parameter type: (_)? @type reference_modifier: (_)? @name "..." @name name: (_) @name)
    (property_promotion_parameter type: (_)? @type name: (_) @name default_value: (_)? @default)
  ] @parameter))
(function_definition name: (name) @of return_type: (_) @return)
(method_declaration name: (name) @of return_type: (_) @return)

[
  (method_declaration [
    (visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier) (var_modifier)
  ] @modifier name: (name) @of)
  (class_declaration [(abstract_modifier) (final_modifier) (readonly_modifier)] @modifier name: (name) @of)
  (property_declaration [
    (visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier) (readonly_modifier) (var_modifier)
  ] @modifier (property_element name: (variable_name (name) @of)))
  (property_promotion_parameter [(visibility_modifier) (readonly_modifier)] @modifier name: (variable_name (name) @of))
  (const_declaration [(visibility_modifier) (final_modifier)] @modifier (const_element . (name) @of))
]

(class_declaration name: (name) @of (base_clause [(name) (qualified_name)] @base.inherits))
(interface_declaration name: (name) @of (base_clause [(name) (qualified_name)] @base.inherits))
(class_declaration name: (name) @of (class_interface_clause [(name) (qualified_name)] @base.implements))
(enum_declaration name: (name) @of (class_interface_clause [(name) (qualified_name)] @base.implements))
(class_declaration name: (name) @of body: (declaration_list (use_declaration [(name) (qualified_name)] @base.uses)))
(trait_declaration name: (name) @of body: (declaration_list (use_declaration [(name) (qualified_name)] @base.uses)))
(enum_declaration name: (name) @of body: (enum_declaration_list (use_declaration [(name) (qualified_name)] @base.uses)))
(enum_declaration name: (name) @of ":" . (_) @type)

[
  (class_declaration attributes: (attribute_list (attribute_group) @decorator) name: (name) @of)
  (interface_declaration attributes: (attribute_list (attribute_group) @decorator) name: (name) @of)
  (trait_declaration attributes: (attribute_list (attribute_group) @decorator) name: (name) @of)
  (enum_declaration attributes: (attribute_list (attribute_group) @decorator) name: (name) @of)
  (enum_case attributes: (attribute_list (attribute_group) @decorator) name: (name) @of)
  (function_definition attributes: (attribute_list (attribute_group) @decorator) name: (name) @of)
  (method_declaration attributes: (attribute_list (attribute_group) @decorator) name: (name) @of)
  (const_declaration attributes: (attribute_list (attribute_group) @decorator) (const_element . (name) @of))
  (property_declaration attributes: (attribute_list (attribute_group) @decorator) (property_element name: (variable_name (name) @of)))
  (property_promotion_parameter attributes: (attribute_list (attribute_group) @decorator) name: (variable_name (name) @of))
]

(property_declaration type: (_) @type (property_element name: (variable_name (name) @of)))
(property_element name: (variable_name (name) @of) default_value: (_) @value)
(property_promotion_parameter type: (_) @type name: (variable_name (name) @of))
(property_promotion_parameter name: (variable_name (name) @of) default_value: (_) @value)
(const_declaration type: (_) @type (const_element . (name) @of))
(const_element . (name) @of (_) @value .)
(function_call_expression arguments: (arguments . (argument (string (string_content) @of)) . (argument) @value))
(enum_case name: (name) @of value: (_) @value)
(assignment_expression left: (variable_name (name) @of) right: (_) @value)

; What an interface asks for has no body.
((interface_declaration body: (declaration_list (method_declaration name: (name) @of))) (#set! modifier "abstract"))
