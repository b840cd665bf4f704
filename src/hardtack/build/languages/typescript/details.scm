; A parameter's name ends in ? where it is optional.
; $PARAMETER = (required_parameter pattern: (_) @name type: (type_annotation (_) @type)? value: (_)? @default) (optional_parameter pattern: (_) @name "?" @name type: (type_annotation (_) @type)? value: (_)? @default)
; $FIELD = public_field_definition name:
; $UNTYPED = !type
; include javascript/shared/details.scm

(function_signature name: (_) @of parameters: $PARAMETERS)
(method_signature name: (_) @of parameters: $PARAMETERS)
(abstract_method_signature name: (_) @of parameters: $PARAMETERS)
(function_declaration name: (_) @of return_type: (_ (_) @return))
(generator_function_declaration name: (_) @of return_type: (_ (_) @return))
(function_expression name: (_) @of return_type: (_ (_) @return))
(function_signature name: (_) @of return_type: (_ (_) @return))
(method_definition name: (_) @of return_type: (_ (_) @return))
(method_signature name: (_) @of return_type: (_ (_) @return))
(abstract_method_signature name: (_) @of return_type: (_ (_) @return))
(function_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(generator_function_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(function_expression name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(function_signature name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(method_definition name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(method_signature name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(abstract_method_signature name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(class_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(abstract_class_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(class name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(interface_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
(type_alias_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))

; $TYPES = [(arrow_function return_type: [(type_annotation (_) @return) (asserts_annotation (asserts) @return) (type_predicate_annotation (type_predicate) @return)]) (function_expression return_type: (type_annotation (_) @return)) (arrow_function type_parameters: (type_parameters (type_parameter) @type_parameter)) (function_expression type_parameters: (type_parameters (type_parameter) @type_parameter))]
(variable_declarator name: (_) @of value: $TYPES)
(public_field_definition name: (_) @of value: $TYPES)
(pair key: (_) @of value: $TYPES)
(assignment_expression left: (member_expression property: (_) @of) right: $TYPES)
(export_statement "default" @of value: $TYPES)

; Supertypes, with their type arguments.
[
  (class_declaration name: (_) @of (class_heritage (extends_clause value: (_) @base.inherits type_arguments: (_)? @base.inherits)))
  (abstract_class_declaration name: (_) @of (class_heritage (extends_clause value: (_) @base.inherits type_arguments: (_)? @base.inherits)))
  (class name: (_) @of (class_heritage (extends_clause value: (_) @base.inherits type_arguments: (_)? @base.inherits)))
  (class_declaration name: (_) @of (class_heritage (implements_clause (_) @base.implements)))
  (abstract_class_declaration name: (_) @of (class_heritage (implements_clause (_) @base.implements)))
  (class name: (_) @of (class_heritage (implements_clause (_) @base.implements)))
  (interface_declaration name: (_) @of (extends_type_clause type: (_) @base.inherits))
]

; Modifiers.
[
  (abstract_class_declaration "abstract" @modifier name: (_) @of)
  (function_signature "async" @modifier name: (_) @of)
  (method_definition [(accessibility_modifier) (override_modifier) "static" "readonly" "async" "get" "set"] @modifier name: (_) @of)
  (method_signature [(accessibility_modifier) (override_modifier) "static" "readonly" "async" "get" "set"] @modifier name: (_) @of)
  (abstract_method_signature [(accessibility_modifier) (override_modifier) "abstract" "get" "set"] @modifier name: (_) @of)
  (public_field_definition
    [(accessibility_modifier) (override_modifier) "static" "readonly" "abstract" "declare" "accessor"] @modifier
    name: (_) @of)
  (property_signature [(accessibility_modifier) "static" "readonly"] @modifier name: (_) @of)
  (required_parameter [(accessibility_modifier) (override_modifier) "readonly"] @modifier pattern: (identifier) @of)
  (enum_declaration "const" @modifier name: (_) @of)
  (ambient_declaration "declare" @modifier (_ name: (_) @of))
]
((method_definition name: (_) @of "?") (#set! modifier "optional"))
((method_signature name: (_) @of "?") (#set! modifier "optional"))
((property_signature name: (_) @of "?") (#set! modifier "optional"))
((public_field_definition name: (_) @of "?") (#set! modifier "optional"))


(export_statement "export" @modifier declaration: [
  (ambient_declaration (_ name: (_) @of))
  (ambient_declaration (_ (variable_declarator name: (_) @of)))
])
[
  (class_declaration (decorator) @decorator name: (_) @of)
  (abstract_class_declaration (decorator) @decorator name: (_) @of)
  (export_statement (decorator) @decorator declaration: (_ name: (_) @of))
  (public_field_definition (decorator) @decorator name: (_) @of)
]
; The decorators of a method are no part of it: one pattern for both would try all of them from each of them on.
(class_body (decorator) @decorator)

; Types and values.
(property_signature name: (_) @of type: (type_annotation (_) @type))
(public_field_definition name: (_) @of type: (type_annotation (_) @type))
(variable_declarator name: (identifier) @of type: (type_annotation (_) @type))
(required_parameter (accessibility_modifier) pattern: (identifier) @of type: (type_annotation (_) @type))
(required_parameter (accessibility_modifier) pattern: (identifier) @of value: (_) @value)
(enum_assignment name: (_) @of value: (_) @value)
(type_alias_declaration name: (_) @of value: (_) @value)

; What is declared without a body is abstract where it does not say so too.
((interface_body (method_signature name: (_) @of)) (#set! modifier "abstract"))
((object_type (method_signature name: (_) @of)) (#set! modifier "abstract"))
(public_field_definition name: (_) @of !type
  value: (new_expression constructor: [(identifier) (member_expression)] @inferred type_arguments: (_)? @inferred))
