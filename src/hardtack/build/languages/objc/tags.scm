(class_interface . (identifier) @name [(instance_variables) (method_declaration) (property_declaration)]? @body) @definition.class
(class_implementation . (identifier) @name [(instance_variables) (implementation_definition)]? @body) @definition.block
(protocol_declaration . (identifier) @name [(method_declaration) (property_declaration) (qualified_protocol_interface_declaration)]? @body) @definition.interface
; A category of a class lies in it.
(class_interface category: (identifier) @name @definition.block)
(class_implementation category: (identifier) @name @definition.block)

; A method is named by its selector: the words and the colons of all its parts.
(method_declaration . (method_type)? . (identifier) @name . ((identifier)? . (method_parameter) @name)*) @definition.method
(method_definition . (method_type)? . (identifier) @name . ((identifier)? . (method_parameter) @name)* (compound_statement) @body) @definition.method
; One outside of an implementation that a macro begins (a test's) reads as an expression before a block.
(translation_unit
  (expression_statement (unary_expression operator: ["-" "+"] argument: (cast_expression value: (identifier) @name))) @definition.method
  . (compound_statement) @body @definition.method)
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))
  (_ (_ declarator: (identifier) @name))
  (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
  (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
]))) @definition.property
(instance_variable (struct_declaration (struct_declarator [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))
])) @definition.field)

; What it shares with C.
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum

; A type and its typedef in one: the typedef of an unnamed type is the type's name.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
; That of a named type stands beside it.
(type_definition type: (_ name: (_) body: (_)) declarator: [
  (type_identifier) @name @definition.type
  (_ declarator: (type_identifier) @name) @definition.type
])
(type_definition declarator: [
  (type_identifier) @name
  (primitive_type) @name
  (_ declarator: (type_identifier) @name)
  (_ declarator: (_ declarator: (type_identifier) @name))
  (array_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (type_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
]) @definition.type

(enumerator name: (identifier) @name) @definition.enum_member
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))
  ] body: (_) @body) @definition.function
; A prototype, which inside a function is an object mistaken for one.
((declaration
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))
  ]) @definition.function
  (#set! outside "function"))

(field_declaration declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))
  (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (field_identifier) @name))))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))
]) @definition.field

((declaration declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))
  (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))
  (_ declarator: (_ declarator: (_ declarator: (_ declarator: (identifier) @name))))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
  (init_declarator declarator: (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))))
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
]) @definition.variable
  (#set! outside "function"))

[(preproc_include) (module_import)] @import
(comment) @comment
(attribute_specifier) @attribute

