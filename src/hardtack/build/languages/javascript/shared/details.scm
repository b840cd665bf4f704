; What the grammars of JavaScript and TypeScript both have. $PARAMETER is each kind of parameter, $FIELD a field and the key of its name,
; $UNTYPED what a field without a declared type lacks.
((program) (#set! docs "jsdoc"))

; Functions and methods, one by one: a pattern that begins with a wildcard costs the square of the nesting.
; $PARAMETERS = (formal_parameters [$PARAMETER] @parameter)
(function_declaration name: (_) @of parameters: $PARAMETERS)
(generator_function_declaration name: (_) @of parameters: $PARAMETERS)
(function_expression name: (_) @of parameters: $PARAMETERS)
(method_definition name: (_) @of parameters: $PARAMETERS)

; A function that a name, a field or a key is bound to: its parameters are the name's.
; $WITH_PARAMETERS = [(arrow_function parameters: $PARAMETERS) (function_expression parameters: $PARAMETERS) (generator_function parameters: $PARAMETERS)]
(variable_declarator name: (_) @of value: $WITH_PARAMETERS)
($FIELD (_) @of value: $WITH_PARAMETERS)
(pair key: (_) @of value: $WITH_PARAMETERS)
(assignment_expression left: (member_expression property: (_) @of) right: $WITH_PARAMETERS)
(export_statement "default" @of value: $WITH_PARAMETERS)
; $OTHERWISE = [(arrow_function parameter: (identifier) @parameter) (arrow_function "async" @modifier) (function_expression "async" @modifier)]
(variable_declarator name: (_) @of value: $OTHERWISE)
($FIELD (_) @of value: $OTHERWISE)
(pair key: (_) @of value: $OTHERWISE)
(assignment_expression left: (member_expression property: (_) @of) right: $OTHERWISE)
(export_statement "default" @of value: $OTHERWISE)

[
  (function_declaration "async" @modifier name: (_) @of)
  (generator_function_declaration "async" @modifier name: (_) @of)
  (function_expression "async" @modifier name: (_) @of)
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
(export_statement "export" @modifier "default" @of value: (_) @value)
(export_statement value: (identifier) @export)

(variable_declarator name: (identifier) @of value: (_) @value)
($FIELD (_) @of value: (_) @value)
(pair key: (_) @of value: (_) @value)
(assignment_expression left: (member_expression property: (_) @of) right: (_) @value)
; The type that the value of a field shows.
($FIELD (_) @of $UNTYPED value: [
  (string) @inferred.string (template_string) @inferred.string
  (number) @inferred.number
  (true) @inferred.boolean (false) @inferred.boolean
  (regex) @inferred.RegExp
])
