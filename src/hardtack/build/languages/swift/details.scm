((source_file) (#set! docs "markup"))

; Attributes and keywords stand together in front of a name; a property's begins its pattern.
(_ (modifiers (attribute) @decorator) name: _ @of)
(_ (modifiers [
    (visibility_modifier)
    (inheritance_modifier)
    (member_modifier)
    (mutation_modifier)
    (property_modifier)
    (property_behavior_modifier)
    (ownership_modifier)
    (function_modifier)
  ] @modifier)
  name: _ @of)
; An open class is a public one that may be extended elsewhere.
((_ (modifiers (visibility_modifier "open")) name: _ @of) (#set! modifier "public"))
(property_declaration (value_binding_pattern ["let" "var"] @modifier) name: (pattern) @of)
(protocol_property_declaration (modifiers (property_modifier) @modifier) name: (pattern (simple_identifier) @of))
(protocol_property_declaration name: (pattern (simple_identifier) @of) (protocol_property_requirements (_) @modifier))
; "async" or (throws) in one alternation takes five times as long to compile.
(function_declaration name: _ @of "async" @modifier)
(function_declaration name: _ @of (throws) @modifier)
(protocol_function_declaration name: _ @of "async" @modifier)
(protocol_function_declaration name: _ @of (throws) @modifier)
(init_declaration name: _ @of "async" @modifier)
(init_declaration name: _ @of (throws) @modifier)
(class_declaration "actor" @modifier name: _ @of)

[
  (class_declaration name: _ @of (type_parameters (type_parameter) @type_parameter))
  (function_declaration name: _ @of (type_parameters (type_parameter) @type_parameter))
  (protocol_function_declaration name: _ @of (type_parameters (type_parameter) @type_parameter))
  (init_declaration name: _ @of (type_parameters (type_parameter) @type_parameter))
  (subscript_declaration "subscript" @of (type_parameters (type_parameter) @type_parameter))
  (typealias_declaration name: _ @of (type_parameters (type_parameter) @type_parameter))
]

; The syntax does not tell a superclass from a protocol. Only a class can have one, so there every base extends.
(class_declaration ["class" "actor"] name: _ @of (inheritance_specifier inherits_from: (_) @base.inherits))
(class_declaration ["struct" "enum" "extension"] name: _ @of (inheritance_specifier inherits_from: (_) @base.implements))
(protocol_declaration name: _ @of (inheritance_specifier inherits_from: (_) @base.inherits))
(associatedtype_declaration name: _ @of ":" . (_) @base.inherits)

; A parameter's name has its label before it: at code.
[
  (function_declaration name: _ @of (parameter
      external_name: (_)? @name name: (simple_identifier) @name ":" . (_)+ @type . "..."? @type) @parameter
    . ("=" . default_value: (_) @default)?)
  (protocol_function_declaration name: _ @of (parameter
      external_name: (_)? @name name: (simple_identifier) @name ":" . (_)+ @type . "..."? @type) @parameter
    . ("=" . default_value: (_) @default)?)
  (init_declaration name: _ @of (parameter
      external_name: (_)? @name name: (simple_identifier) @name ":" . (_)+ @type . "..."? @type) @parameter
    . ("=" . default_value: (_) @default)?)
  (subscript_declaration "subscript" @of (parameter
      external_name: (_)? @name name: (simple_identifier) @name ":" . (_)+ @type . "..."? @type) @parameter
    . ("=" . default_value: (_) @default)?)
]
(function_declaration name: _ @of "->" . (_) @return)
(protocol_function_declaration name: _ @of "->" . (_) @return)
(subscript_declaration "subscript" @of "->" . (_) @return)

(property_declaration name: (pattern) @of . (type_annotation ":" . (_) @type))
(property_declaration name: (pattern) @of . (type_annotation)? . "=" . value: (_) @value)
(protocol_property_declaration name: (pattern (simple_identifier) @of) . (type_annotation ":" . (_) @type))
(enum_entry name: (_) @of . data_contents: (_) @type)
(enum_entry name: (_) @of . "=" . raw_value: (_) @value)
(typealias_declaration name: _ @of "=" . (_) @type)

; A function of the class itself, which the class may leave to be overridden; what a protocol asks for has no body.
((function_declaration "class" "func" name: _ @of) (#set! modifier "static"))
((property_declaration (modifiers (property_modifier "class")) name: (pattern) @of) (#set! modifier "static"))
((protocol_function_declaration name: _ @of) (#set! modifier "abstract"))
