((translation_unit) (#set! docs "doxygen"))

; Parameters hang on the declarator that holds the name, whatever that is part of. An array's type and a function's are written
; around the name, so there the whole declaration is the type.
(function_declarator
  declarator: [
    (identifier) @of
    (parenthesized_declarator (pointer_declarator declarator: [(identifier) (field_identifier) (type_identifier)] @of))
  ]
  parameters: (parameter_list [
    (parameter_declaration (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type . type: (_) @type . declarator: [
      (identifier) @name
      (pointer_declarator "*" @type declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator "*" @type declarator: (identifier) @name))
    ]) @parameter
    (parameter_declaration declarator: [
      (array_declarator declarator: (_) @name)
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    ]) @parameter @type
    (parameter_declaration declarator: [
      (abstract_pointer_declarator) (abstract_array_declarator) (abstract_function_declarator)
    ]) @parameter @type
    (variadic_parameter) @parameter
    (identifier) @parameter
  ]))
; Without a name; f(void) has none at all.
((function_declarator
    declarator: [
      (identifier) @of
      (parenthesized_declarator (pointer_declarator declarator: [(identifier) (field_identifier) (type_identifier)] @of))
    ]
    parameters: (parameter_list (parameter_declaration type: (_) @_type !declarator) @parameter @type))
  (#set! match._type "(?!void$)(?s:.*)"))
(function_declarator declarator: (identifier) @of (attribute_specifier) @decorator)

; What a function returns, with the qualifiers that belong to it. What looks like a macro is no type.
([
  (function_definition (type_qualifier ["const" "volatile" "_Atomic"])? @return . (type_qualifier ["const" "volatile" "_Atomic"])? @return . (type_qualifier ["const" "volatile" "_Atomic"])? @return . type: (_) @return declarator: [
    (function_declarator declarator: (identifier) @of)
    (pointer_declarator "*" @return declarator: (function_declarator declarator: (identifier) @of))
    (pointer_declarator declarator: (pointer_declarator "*" @return declarator: (function_declarator declarator: (identifier) @of)))
  ])
  (declaration (type_qualifier ["const" "volatile" "_Atomic"])? @return . (type_qualifier ["const" "volatile" "_Atomic"])? @return . (type_qualifier ["const" "volatile" "_Atomic"])? @return . type: (_) @return declarator: [
    (function_declarator declarator: (identifier) @of)
    (pointer_declarator "*" @return declarator: (function_declarator declarator: (identifier) @of))
    (pointer_declarator declarator: (pointer_declarator "*" @return declarator: (function_declarator declarator: (identifier) @of)))
  ])
]
  (#set! match.return "(?![A-Z0-9]*_[A-Z0-9_]*$)(?s:.*)"))

; Keywords and attributes before a function or a variable.
[
  (function_definition [(storage_class_specifier) (type_qualifier ["_Noreturn" "noreturn" "constexpr"])] @modifier declarator: [
    (function_declarator declarator: (identifier) @of)
    (_ declarator: (function_declarator declarator: (identifier) @of))
    (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @of)))
  ])
  (declaration [(storage_class_specifier) (type_qualifier ["_Noreturn" "noreturn" "constexpr"])] @modifier declarator: [
    (identifier) @of
    (_ declarator: (identifier) @of)
    (_ declarator: (_ declarator: (identifier) @of))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @of)))
  ])
]
[
  (function_definition [(attribute_specifier) (attribute_declaration)] @decorator declarator: [
    (function_declarator declarator: (identifier) @of)
    (_ declarator: (function_declarator declarator: (identifier) @of))
  ])
  (declaration [(attribute_specifier) (attribute_declaration)] @decorator declarator: [
    (identifier) @of
    (_ declarator: (identifier) @of)
    (_ declarator: (_ declarator: (identifier) @of))
  ])
]

; Types of fields and variables. Of int a, *b the second has none: its star stands apart from what it points to.
(field_declaration (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type . type: (_) @type . declarator: [
  (field_identifier) @of
  (pointer_declarator "*" @type declarator: (field_identifier) @of)
  (pointer_declarator declarator: (pointer_declarator "*" @type declarator: (field_identifier) @of))
  (array_declarator declarator: (field_identifier) @of "]" @type)
  (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @of "]" @type))
  (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @of)) parameters: (_) @type)
])
(field_declaration type: (_) @type declarator: (field_identifier) @of)
(field_declaration declarator: (field_identifier) @of (bitfield_clause (_) @value))
(declaration (type_qualifier ["const" "volatile" "_Atomic"])? @type . (type_qualifier ["const" "volatile" "_Atomic"])? @type . (type_qualifier ["const" "volatile" "_Atomic"])? @type . type: (_) @type . declarator: [
  (identifier) @of
  (pointer_declarator "*" @type declarator: (identifier) @of)
  (pointer_declarator declarator: (pointer_declarator "*" @type declarator: (identifier) @of))
  (array_declarator declarator: (identifier) @of "]" @type)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @of "]" @type))
  (init_declarator declarator: [
    (identifier) @of
    (pointer_declarator "*" @type declarator: (identifier) @of)
    (array_declarator declarator: (identifier) @of "]" @type)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @of "]" @type))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @of)) parameters: (_) @type)
  ])
  (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @of)) parameters: (_) @type)
])
(declaration type: (_) @type declarator: [(identifier) @of (init_declarator declarator: (identifier) @of)])
(init_declarator
  declarator: [
    (identifier) @of
    (_ declarator: (identifier) @of)
    (_ declarator: (_ declarator: (identifier) @of))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @of)))
  ]
  value: (_) @value)
(enumerator name: (_) @of value: (_) @value)

(type_definition
  (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type
  . type: [
    (primitive_type)
    (sized_type_specifier)
    (type_identifier)
    (struct_specifier !body)
    (union_specifier !body)
    (enum_specifier !body)
  ] @type
  . declarator: [
    (type_identifier) @of
    (pointer_declarator "*" @type declarator: (type_identifier) @of)
    (array_declarator declarator: (type_identifier) @of "]" @type)
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @of)) parameters: (_) @type)
    (pointer_declarator declarator: (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @of)) parameters: (_) @type))
  ])

; include c/shared/details.scm

(preproc_def name: (_) @of value: (_) @value)
(preproc_function_def name: (_) @of parameters: (preproc_params [(identifier) "..."] @parameter))
(preproc_function_def name: (_) @of value: (_) @value)
