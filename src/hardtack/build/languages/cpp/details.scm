; A name, bare or qualified once, twice and three times. A list of alternatives directly in another does not work: of the inner one
; only the first matches.
; $OF = [(_) @of (qualified_identifier name: (_) @of) (qualified_identifier name: (qualified_identifier name: (_) @of)) (qualified_identifier name: (qualified_identifier name: (qualified_identifier name: (_) @of)))]
; $NAMED = [(identifier) @of (field_identifier) @of (destructor_name) @of (operator_name) @of (template_function name: (identifier) @of) (qualified_identifier name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @of) (qualified_identifier name: (qualified_identifier name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @of)) (qualified_identifier name: (qualified_identifier name: (qualified_identifier name: [(identifier) (field_identifier) (destructor_name) (operator_name)] @of)))]
; $BEFORE = ["virtual" @modifier (storage_class_specifier) @modifier (explicit_function_specifier) @modifier (type_qualifier ["constexpr" "constinit" "consteval" "mutable"]) @modifier (attribute_declaration) @decorator (attribute_specifier) @decorator]
((translation_unit) (#set! docs "doxygen"))

; A name stands bare or qualified in its declarator, and parameters hang on that, whatever it is part of. An array's type and a
; function's are written around the name, so there the whole declaration is the type.
(function_declarator
  declarator: $NAMED
  parameters: (parameter_list [
    (parameter_declaration (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type . type: (_) @type . declarator: [
      (identifier) @name
      (pointer_declarator "*" @type declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator "*" @type declarator: (identifier) @name))
      (reference_declarator ["&" "&&"] @type (identifier) @name)
      (pointer_declarator declarator: (reference_declarator ["&" "&&"] @type (identifier) @name))
    ]) @parameter
    (optional_parameter_declaration (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type . type: (_) @type . declarator: [
      (identifier) @name
      (pointer_declarator "*" @type declarator: (identifier) @name)
      (reference_declarator ["&" "&&"] @type (identifier) @name)
    ] default_value: (_) @default) @parameter
    (optional_parameter_declaration (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type . type: (_) @name @type !declarator default_value: (_) @default) @parameter
    (variadic_parameter_declaration (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type . type: (_) @type . declarator: [
      (variadic_declarator "..." @type (identifier) @name)
      (reference_declarator (variadic_declarator "..." @type (identifier) @name))
    ]) @parameter
    (parameter_declaration declarator: [
      (array_declarator declarator: (_) @name)
      (reference_declarator (array_declarator declarator: (identifier) @name))
      (function_declarator declarator: (parenthesized_declarator (_ [(identifier) (array_declarator)] @name)))
    ]) @parameter @type
    (parameter_declaration declarator: [
      (abstract_pointer_declarator) (abstract_array_declarator) (abstract_function_declarator) (abstract_reference_declarator)
    ]) @parameter @type
    "..." @parameter
  ]))
; Without a name; f(void) has none at all.
((function_declarator
    declarator: $NAMED
    parameters: (parameter_list (parameter_declaration type: (_) @_type !declarator) @parameter @type))
  (#set! match._type "(?!void$)(?s:.*)"))

; After the parameters: const, override, final, noexcept, attributes, and the type that auto left open.
(function_declarator
  declarator: $NAMED
  [(type_qualifier) (virtual_specifier) (noexcept) (ref_qualifier)] @modifier)
(function_declarator
  declarator: $NAMED
  (trailing_return_type (type_descriptor) @return))

; What a function returns, with the qualifiers that belong to it. What looks like a macro is no type.
([
  (function_definition (type_qualifier ["const" "volatile"])? @return . (type_qualifier ["const" "volatile"])? @return . (type_qualifier ["const" "volatile"])? @return . type: (_) @return @_type declarator: [
    (function_declarator declarator: $OF)
    (pointer_declarator "*" @return declarator: (function_declarator declarator: $OF))
    (pointer_declarator declarator: (pointer_declarator "*" @return declarator: (function_declarator declarator: $OF)))
    (reference_declarator ["&" "&&"] @return (function_declarator declarator: $OF))
  ])
  (declaration (type_qualifier ["const" "volatile"])? @return . (type_qualifier ["const" "volatile"])? @return . (type_qualifier ["const" "volatile"])? @return . type: (_) @return @_type declarator: [
    (function_declarator declarator: (_) @of)
    (pointer_declarator "*" @return declarator: (function_declarator declarator: (_) @of))
    (pointer_declarator declarator: (pointer_declarator "*" @return declarator: (function_declarator declarator: (_) @of)))
    (reference_declarator ["&" "&&"] @return (function_declarator declarator: (_) @of))
  ])
  (field_declaration (type_qualifier ["const" "volatile"])? @return . (type_qualifier ["const" "volatile"])? @return . (type_qualifier ["const" "volatile"])? @return . type: (_) @return @_type declarator: [
    (function_declarator declarator: (_) @of)
    (pointer_declarator "*" @return declarator: (function_declarator declarator: (_) @of))
    (pointer_declarator declarator: (pointer_declarator "*" @return declarator: (function_declarator declarator: (_) @of)))
    (reference_declarator ["&" "&&"] @return (function_declarator declarator: (_) @of))
  ])
]
  (#set! match._type "(?!(?s:.*\\s)?auto$|decltype\\s*\\(\\s*auto\\s*\\)$)(?s:.*)")
  (#set! match.return "(?![A-Z0-9]*_[A-Z0-9_]*$)(?s:.*)"))

; Keywords and attributes before a function, a field or a variable.
[
  (function_definition $BEFORE declarator: [
    (function_declarator declarator: $OF)
    (_ (function_declarator declarator: $OF))
    (_ (_ (function_declarator declarator: $OF)))
  ])
  (declaration $BEFORE declarator: [
    (_) @of
    (_ declarator: (_) @of)
    (_ (_ declarator: (_) @of))
  ])
  (field_declaration $BEFORE declarator: [
    (_) @of
    (_ declarator: (_) @of)
    (_ (_ declarator: (_) @of))
  ])
]
; = 0
((field_declaration
    declarator: [(function_declarator declarator: (_) @of) (_ (function_declarator declarator: (_) @of))]
    default_value: (number_literal))
  (#set! modifier "abstract"))
(function_definition (operator_cast "operator" @of type: (_) @return))
(function_definition
  declarator: (function_declarator declarator: (_) @of)
  [(default_method_clause "default" @modifier) (delete_method_clause "delete" @modifier)])
(class_specifier name: (_) @of (virtual_specifier) @modifier)
(struct_specifier name: (_) @of (virtual_specifier) @modifier)

; Types of fields and variables. Of int a, *b the second has none: its star stands apart from what it points to.
(field_declaration (type_qualifier ["const" "volatile"])? @type . (type_qualifier ["const" "volatile"])? @type . (type_qualifier ["const" "volatile"])? @type . type: (_) @type . declarator: [
  (field_identifier) @of
  (pointer_declarator "*" @type declarator: (field_identifier) @of)
  (pointer_declarator declarator: (pointer_declarator "*" @type declarator: (field_identifier) @of))
  (reference_declarator ["&" "&&"] @type (field_identifier) @of)
  (array_declarator declarator: (field_identifier) @of "]" @type)
  (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @of "]" @type))
  (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @of)) parameters: (_) @type)
])
(field_declaration type: (_) @type declarator: (field_identifier) @of)
(field_declaration declarator: (_) @of default_value: (_) @value)
(field_declaration declarator: (field_identifier) @of (bitfield_clause (_) @value))
(declaration (type_qualifier ["const" "volatile"])? @type . (type_qualifier ["const" "volatile"])? @type . (type_qualifier ["const" "volatile"])? @type . type: (_) @type . declarator: [
  (identifier) @of
  (pointer_declarator "*" @type declarator: (identifier) @of)
  (pointer_declarator declarator: (pointer_declarator "*" @type declarator: (identifier) @of))
  (reference_declarator ["&" "&&"] @type (identifier) @of)
  (array_declarator declarator: (identifier) @of "]" @type)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @of "]" @type))
  (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @of)) parameters: (_) @type)
  (init_declarator declarator: [
    (identifier) @of
    (qualified_identifier name: (identifier) @of)
    (pointer_declarator "*" @type declarator: (identifier) @of)
    (reference_declarator ["&" "&&"] @type (identifier) @of)
    (array_declarator declarator: (identifier) @of "]" @type)
  ])
])
(declaration type: (_) @type declarator: [(identifier) @of (init_declarator declarator: (identifier) @of)])
(init_declarator
  declarator: [
    (identifier) @of
    (qualified_identifier name: (identifier) @of)
    (_ declarator: (identifier) @of)
    (reference_declarator (identifier) @of)
  ]
  value: (_) @value)
(enumerator name: (_) @of value: (_) @value)
(alias_declaration name: (_) @of type: (_) @type)
(type_definition
  (type_qualifier)? @type . (type_qualifier)? @type . (type_qualifier)? @type
  . type: [
    (primitive_type)
    (sized_type_specifier)
    (type_identifier)
    (qualified_identifier)
    (template_type)
    (struct_specifier !body)
    (union_specifier !body)
    (enum_specifier !body)
    (class_specifier !body)
  ] @type
  . declarator: [
    (type_identifier) @of
    (pointer_declarator "*" @type declarator: (type_identifier) @of)
    (reference_declarator ["&" "&&"] @type (type_identifier) @of)
    (array_declarator declarator: (type_identifier) @of "]" @type)
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @of)) parameters: (_) @type)
    (pointer_declarator declarator: (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @of)) parameters: (_) @type))
  ])
(concept_definition name: (_) @of "=" . (_) @value)

; The syntax does not tell how a base is used: they all extend. What an enum stands on is its type.
[
  (class_specifier name: [(_) @of (template_type name: (_) @of) (qualified_identifier name: (_) @of)] (base_class_clause [
    (type_identifier) @base.inherits
    (qualified_identifier) @base.inherits
    (template_type) @base.inherits
  ]))
  (struct_specifier name: [(_) @of (template_type name: (_) @of) (qualified_identifier name: (_) @of)] (base_class_clause [
    (type_identifier) @base.inherits
    (qualified_identifier) @base.inherits
    (template_type) @base.inherits
  ]))
]
(enum_specifier name: (_) @of base: (_) @type)

; What a template is open in.
(template_declaration
  parameters: (template_parameter_list [
    (type_parameter_declaration)
    (optional_type_parameter_declaration)
    (variadic_type_parameter_declaration)
    (parameter_declaration)
    (optional_parameter_declaration)
    (variadic_parameter_declaration)
    (template_template_parameter_declaration)
  ] @type_parameter)
  [
    (class_specifier name: (_) @of)
    (struct_specifier name: (_) @of)
    (union_specifier name: (_) @of)
    (alias_declaration name: (_) @of)
    (concept_definition name: (_) @of)
    (function_definition declarator: [
      (function_declarator declarator: [
        (_) @of
        (qualified_identifier name: (_) @of)
        (qualified_identifier name: (qualified_identifier name: (_) @of))
      ])
      (_ (function_declarator declarator: [
        (_) @of
        (qualified_identifier name: (_) @of)
        (qualified_identifier name: (qualified_identifier name: (_) @of))
      ]))
    ])
    (declaration declarator: [
      (function_declarator declarator: (_) @of)
      (_ (function_declarator declarator: (_) @of))
      (init_declarator declarator: (_) @of)
    ])
  ])

; The typedef of a type that it defines itself: typedef struct jar { ... } Jar;
(type_definition
  type: [
    (struct_specifier name: (type_identifier) @type body: (_))
    (union_specifier name: (type_identifier) @type body: (_))
    (enum_specifier name: (type_identifier) @type body: (_))
    (class_specifier name: (type_identifier) @type body: (_))
  ]
  declarator: [(type_identifier) @of (pointer_declarator declarator: (type_identifier) @of)])

(preproc_def name: (_) @of value: (_) @value)
(preproc_function_def name: (_) @of parameters: (preproc_params [(identifier) "..."] @parameter))
(preproc_function_def name: (_) @of value: (_) @value)

; An access label holds up to the next. Before the first, a class is private and a struct public.
(field_declaration_list (access_specifier) @section) @within
((class_specifier body: (field_declaration_list . "{" @section) @within) (#set! modifier "private"))
((struct_specifier body: (field_declaration_list . "{" @section) @within) (#set! modifier "public"))
((union_specifier body: (field_declaration_list . "{" @section) @within) (#set! modifier "public"))
