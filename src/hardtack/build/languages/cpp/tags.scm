(class_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name) (qualified_identifier scope: (_) @scope name: [(type_identifier) @name (template_type name: (type_identifier) @name)])] body: (_) @body) @definition.class
(struct_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name) (qualified_identifier scope: (_) @scope name: [(type_identifier) @name (template_type name: (type_identifier) @name)])] body: (_) @body) @definition.struct
(union_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)] body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(namespace_definition name: [(namespace_identifier) (nested_namespace_specifier)] @name body: (_) @body) @definition.namespace
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type

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
  (reference_declarator (type_identifier) @name)
  (_ declarator: (_ declarator: (type_identifier) @name))
  (array_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (type_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (_ declarator: (type_identifier) @name)))))
  (reference_declarator (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))
]) @definition.type

(enumerator name: (identifier) @name) @definition.enum_member
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

; TEST(Suite, name) { ... } and the like: what the macro makes of it is known to the macro.
(function_definition declarator: (function_declarator declarator: (template_function name: (identifier) @name)) body: (_)? @body) @definition.function
(function_definition declarator: (_ (function_declarator declarator: (template_function name: (identifier) @name))) body: (_)? @body) @definition.function
(function_definition
  declarator: (function_declarator declarator: (qualified_identifier scope: (_) @scope name: (template_function name: (identifier) @name)))
  body: (_)? @body) @definition.function

; Functions: bare, qualified once, twice and three times; each returning a value, a pointer or a pointer to one.
(function_definition
  declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (function_declarator declarator: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (function_declarator declarator: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (_ (function_declarator declarator: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (function_declarator declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (function_declarator declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (_ (function_declarator declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (function_declarator declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (function_declarator declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))))
  body: (_)? @body) @definition.function
(function_definition
  declarator: (_ (_ (function_declarator declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))))))
  body: (_)? @body) @definition.function
; Conversions, bare and qualified once or twice, defined here or declared. The name goes to the type's end or its last star.
(_ declarator: (operator_cast "operator" @name declarator: (_ declarator: (_ ["&" "&&" "*"] @name))) body: (_)? @body) @definition.method
(_ declarator: (operator_cast "operator" @name declarator: (_ ["&" "&&" "*"] @name)) body: (_)? @body) @definition.method
(_ declarator: (operator_cast "operator" @name type: (_) @name declarator: (abstract_function_declarator)) body: (_)? @body) @definition.method
(function_definition
  declarator: (qualified_identifier scope: (_) @scope name: [
    (operator_cast "operator" @name declarator: (_ ["&" "&&" "*"] @name))
    (operator_cast "operator" @name type: (_) @name declarator: (abstract_function_declarator))
  ])
  body: (_)? @body) @definition.method
(function_definition
  declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: [
    (operator_cast "operator" @name declarator: (_ ["&" "&&" "*"] @name))
    (operator_cast "operator" @name type: (_) @name declarator: (abstract_function_declarator))
  ]))
  body: (_)? @body) @definition.method
; A deduction guide that is no template's is an error to the grammar.
(ERROR (function_declarator declarator: (identifier) @name (trailing_return_type)) @definition.function)
; Members that are declared here and defined elsewhere.
(field_declaration
  declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)
    (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name))
    (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)))
  ]) @definition.method
; What has no type in front of it constructs the type around it, or is a macro that is used: wxDECLARE_EVENT_TABLE();
((declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.function
  (#set! match.name "_{0,3}(?:[a-z]{1,3}(?=[A-Z]{2}))?[A-Z](?:[A-Z0-9]+(?:_\\w*)?|_[A-Z]\\w+)")
  (#set! named "type")
  (#set! outside "function"))
((declaration declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @definition.function
  (#set! outside "function"))
((declaration
  declarator: [
    (function_declarator declarator: [(identifier) @name (operator_name) @name])
    (_ (function_declarator declarator: [(identifier) @name (operator_name) @name]))
    (_ (_ (function_declarator declarator: [(identifier) @name (operator_name) @name])))
  ]) @definition.function
  (#set! outside "function"))

(field_declaration declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
  (reference_declarator (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (_ declarator: (_ declarator: (_ declarator: (field_identifier) @name)))
  (_ declarator: (reference_declarator (field_identifier) @name))
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
  (reference_declarator (identifier) @name)
  (_ declarator: (reference_declarator (identifier) @name))
  (_ declarator: (_ declarator: (reference_declarator (identifier) @name)))
  (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
  (init_declarator declarator: (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))))
  (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
]) @definition.variable
  (#set! outside "function"))

; A static member outside of its type.
((declaration declarator: [
  (qualified_identifier scope: (_) @scope name: (identifier) @name)
  (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: (identifier) @name))
  (init_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name))
  (init_declarator declarator: (qualified_identifier scope: (_) @scope name: (qualified_identifier scope: (_) @scope name: (identifier) @name)))
  (pointer_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name))
  (array_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name))
  (init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name))))
  (init_declarator declarator: (pointer_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name)))
  (pointer_declarator declarator: (array_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name)))
  (reference_declarator (qualified_identifier scope: (_) @scope name: (identifier) @name))
  (init_declarator declarator: (reference_declarator (qualified_identifier scope: (_) @scope name: (identifier) @name)))
  (init_declarator declarator: (array_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name)))
  (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (qualified_identifier scope: (_) @scope name: (identifier) @name))))
]) @definition.field
  (#set! outside "function"))

(template_declaration) @outer
[(preproc_include) (using_declaration)] @import
(comment) @comment
[(attribute_specifier) (attribute_declaration)] @attribute
