((program) (#set! docs "jsdoc"))

; Functions and methods, one by one: a pattern that begins with a wildcard costs the square of the nesting.
(function_declaration name: (_) @of parameters: (formal_parameters [
  (identifier) @name
  (assignment_pattern left: (_) @name right: (_) @default)
  (rest_pattern)
  (object_pattern)
  (array_pattern)
] @parameter))
(generator_function_declaration name: (_) @of parameters: (formal_parameters [
  (identifier) @name
  (assignment_pattern left: (_) @name right: (_) @default)
  (rest_pattern)
  (object_pattern)
  (array_pattern)
] @parameter))
(function_expression name: (_) @of parameters: (formal_parameters [
  (identifier) @name
  (assignment_pattern left: (_) @name right: (_) @default)
  (rest_pattern)
  (object_pattern)
  (array_pattern)
] @parameter))
(method_definition name: (_) @of parameters: (formal_parameters [
  (identifier) @name
  (assignment_pattern left: (_) @name right: (_) @default)
  (rest_pattern)
  (object_pattern)
  (array_pattern)
] @parameter))

; A function that a name, a field or a key is bound to: its parameters are the name's.
(variable_declarator name: (_) @of value: [
  (arrow_function parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (function_expression parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (generator_function parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
])
(field_definition property: (_) @of value: [
  (arrow_function parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (function_expression parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (generator_function parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
])
(pair key: (_) @of value: [
  (arrow_function parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (function_expression parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (generator_function parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
])
(variable_declarator name: (_) @of value: [
  (arrow_function parameter: (identifier) @parameter)
  (arrow_function "async" @modifier)
  (function_expression "async" @modifier)
])
(field_definition property: (_) @of value: [
  (arrow_function parameter: (identifier) @parameter)
  (arrow_function "async" @modifier)
  (function_expression "async" @modifier)
])
(pair key: (_) @of value: [
  (arrow_function parameter: (identifier) @parameter)
  (arrow_function "async" @modifier)
  (function_expression "async" @modifier)
])
(assignment_expression left: (member_expression property: (_) @of) right: [
  (arrow_function parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (function_expression parameters: (formal_parameters [
    (identifier) @name
    (assignment_pattern left: (_) @name right: (_) @default)
    (rest_pattern)
    (object_pattern)
    (array_pattern)
  ] @parameter))
  (arrow_function parameter: (identifier) @parameter)
  (arrow_function "async" @modifier)
  (function_expression "async" @modifier)
])

(class_declaration name: (_) @of (class_heritage (_) @base.inherits))
(class name: (_) @of (class_heritage (_) @base.inherits))
(variable_declarator name: (_) @of value: (class (class_heritage (_) @base.inherits)))

[
  (function_declaration "async" @modifier name: (_) @of)
  (generator_function_declaration "async" @modifier name: (_) @of)
  (function_expression "async" @modifier name: (_) @of)
  (method_definition ["static" "async" "get" "set"] @modifier name: (_) @of)
  (field_definition "static" @modifier property: (_) @of)
]
((method_definition "*" name: (_) @of) (#set! modifier "generator"))
((generator_function_declaration name: (_) @of) (#set! modifier "generator"))

; What a file exports, where it is declared or in a list of its own.
(export_statement ["export" "default"] @modifier declaration: (_ name: (_) @of))
(export_statement "export" @modifier declaration: [
  (lexical_declaration (variable_declarator name: (identifier) @of))
  (variable_declaration (variable_declarator name: (identifier) @of))
  (lexical_declaration (variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @of
    (pair_pattern value: (identifier) @of)
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @of)
    (rest_pattern (identifier) @of)
  ])))
])
(export_statement !source (export_clause (export_specifier name: (identifier) @export)))
(export_statement "export" @modifier (export_clause (export_specifier alias: (identifier) @of)))
(export_statement "export" @modifier (namespace_export (identifier) @of))
(export_statement value: (identifier) @export)

[
  (class_declaration decorator: (decorator) @decorator name: (_) @of)
  (export_statement decorator: (decorator) @decorator declaration: (_ name: (_) @of))
  (method_definition decorator: (decorator) @decorator name: (_) @of)
  (field_definition decorator: (decorator) @decorator property: (_) @of)
]

(variable_declarator name: (identifier) @of value: (_) @value)
(field_definition property: (_) @of value: (_) @value)
(pair key: (_) @of value: (_) @value)
(assignment_expression left: (member_expression property: (_) @of) right: (_) @value)

; What instances have because a method sets it, and the type that its value shows. A list of alternatives directly in another does
; not work: of the inner one only the first matches.
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @attribute))
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @attribute)
  right: (identifier) @from)
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @attribute)
  right: [
    (string) @inferred.string (template_string) @inferred.string
    (number) @inferred.number
    (true) @inferred.boolean (false) @inferred.boolean
    (array) @inferred.array
    (object) @inferred.object
    (regex) @inferred.RegExp
  ])
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @attribute)
  right: (new_expression constructor: [(identifier) (member_expression)] @inferred) @value)
(field_definition property: (_) @of value: [
  (string) @inferred.string (template_string) @inferred.string
  (number) @inferred.number
  (true) @inferred.boolean (false) @inferred.boolean
  (array) @inferred.array
  (object) @inferred.object
  (regex) @inferred.RegExp
  (new_expression constructor: [(identifier) (member_expression)] @inferred)
])
