((program) (#set! docs "jsdoc"))

; Keywords and annotations stand together before what they belong to; fields name theirs in the declarator. A component of a
; record and a constant of an enum have them too, and a parameter, which is no symbol.
(_ (modifiers [(annotation) (marker_annotation)] @decorator) name: (identifier) @of)
(_ (modifiers [
    "public" "protected" "private" "static" "abstract" "final" "sealed" "non-sealed" "default" "synchronized" "native" "strictfp"
  ] @modifier)
  name: (identifier) @of)
(field_declaration (modifiers [(annotation) (marker_annotation)] @decorator)
  declarator: (variable_declarator name: (identifier) @of))
(field_declaration (modifiers ["public" "protected" "private" "static" "final" "transient" "volatile"] @modifier)
  declarator: (variable_declarator name: (identifier) @of))
(constant_declaration (modifiers [(annotation) (marker_annotation)] @decorator)
  declarator: (variable_declarator name: (identifier) @of))
(constant_declaration (modifiers ["public" "static" "final"] @modifier) declarator: (variable_declarator name: (identifier) @of))

[
  (class_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
  (record_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
  (interface_declaration name: (_) @of type_parameters: (type_parameters (type_parameter) @type_parameter))
  (method_declaration type_parameters: (type_parameters (type_parameter) @type_parameter) name: (_) @of)
  (constructor_declaration type_parameters: (type_parameters (type_parameter) @type_parameter) name: (_) @of)
]

(class_declaration name: (_) @of superclass: (superclass
  [(type_identifier) (generic_type) (scoped_type_identifier) (annotated_type)] @base.inherits))
(interface_declaration name: (_) @of (extends_interfaces (type_list
  [(type_identifier) (generic_type) (scoped_type_identifier) (annotated_type)] @base.inherits)))
[
  (class_declaration name: (_) @of interfaces: (super_interfaces (type_list
    [(type_identifier) (generic_type) (scoped_type_identifier) (annotated_type)] @base.implements)))
  (record_declaration name: (_) @of interfaces: (super_interfaces (type_list
    [(type_identifier) (generic_type) (scoped_type_identifier) (annotated_type)] @base.implements)))
  (enum_declaration name: (_) @of interfaces: (super_interfaces (type_list
    [(type_identifier) (generic_type) (scoped_type_identifier) (annotated_type)] @base.implements)))
]

; A record's components are its constructor's parameters.
[
  (method_declaration name: (_) @of parameters: (formal_parameters [
    (formal_parameter type: (_) @type name: (_) @name)
    (spread_parameter (_) @type . "..." @type (variable_declarator name: (_) @name))
  ] @parameter))
  (constructor_declaration name: (_) @of parameters: (formal_parameters [
    (formal_parameter type: (_) @type name: (_) @name)
    (spread_parameter (_) @type . "..." @type (variable_declarator name: (_) @name))
  ] @parameter))
  (record_declaration name: (_) @of parameters: (formal_parameters [
    (formal_parameter type: (_) @type name: (_) @name)
    (spread_parameter (_) @type . "..." @type (variable_declarator name: (_) @name))
  ] @parameter))
]
(method_declaration type: (_) @return name: (_) @of)
(annotation_type_element_declaration type: (_) @return name: (_) @of)

(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (_) @of)))
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @of))
(field_declaration declarator: (variable_declarator name: (_) @of value: (_) @value))
(constant_declaration type: (_) @type declarator: (variable_declarator name: (_) @of))
(constant_declaration declarator: (variable_declarator name: (_) @of value: (_) @value))
(enum_constant name: (_) @of arguments: (_) @value)

; What an interface holds is public.
((interface_declaration body: (interface_body [
    (method_declaration name: (_) @of)
    (constant_declaration declarator: (variable_declarator name: (_) @of))
  ]))
  (#set! modifier "public")
  (#set! unless "private"))
((annotation_type_declaration body: (annotation_type_body [
    (annotation_type_element_declaration name: (_) @of)
    (constant_declaration declarator: (variable_declarator name: (_) @of))
  ]))
  (#set! modifier "public"))

; What is declared without a body is abstract where it does not say so too.
((interface_declaration body: (interface_body (method_declaration name: (_) @of !body))) (#set! modifier "abstract"))
((annotation_type_element_declaration name: (_) @of) (#set! modifier "abstract"))
((interface_body (constant_declaration declarator: (variable_declarator name: (_) @of))) (#set! modifier "static"))
; The components of a record are fields of its own, and nobody else makes an enum's values.
((record_declaration parameters: (formal_parameters (formal_parameter name: (_) @of))) (#set! modifier "private"))
((enum_body_declarations (constructor_declaration name: (_) @of)) (#set! modifier "private"))
