((source_file) (#set! docs "jsdoc"))

; Annotations and keywords stand together in front of a name.
(_ (modifiers (annotation) @decorator) [(type_identifier) (simple_identifier)] @of)
(_ (modifiers [
    (visibility_modifier)
    (class_modifier)
    (member_modifier)
    (function_modifier)
    (property_modifier)
    (parameter_modifier)
    (platform_modifier)
    (inheritance_modifier)
  ] @modifier)
  [(type_identifier) (simple_identifier)] @of)
(class_declaration "fun" @modifier (type_identifier) @of)
(property_declaration (modifiers (annotation) @decorator) (variable_declaration (simple_identifier) @of))
(property_declaration (modifiers [
    (visibility_modifier)
    (member_modifier)
    (function_modifier)
    (property_modifier)
    (platform_modifier)
    (inheritance_modifier)
  ] @modifier)
  (variable_declaration (simple_identifier) @of))
(property_declaration (binding_pattern_kind) @modifier (variable_declaration (simple_identifier) @of))
(class_parameter (binding_pattern_kind) @modifier (simple_identifier) @of)
(secondary_constructor (modifiers (annotation) @decorator) "constructor" @of)
(secondary_constructor (modifiers (visibility_modifier) @modifier) "constructor" @of)

(class_declaration (type_identifier) @of (type_parameters (type_parameter) @type_parameter))
(function_declaration (type_parameters (type_parameter) @type_parameter) (simple_identifier) @of)
(property_declaration (type_parameters (type_parameter) @type_parameter) (variable_declaration (simple_identifier) @of))
(type_alias (type_identifier) @of (type_parameters (type_parameter) @type_parameter))

; What is called is a class; the rest, and what is delegated to, are interfaces. An interface without a body extends as one does.
[
  (class_declaration (type_identifier) @of (delegation_specifier (constructor_invocation . (_) @base.inherits)))
  (class_declaration ["class" "enum"] (type_identifier) @of (delegation_specifier [
    (user_type) @base.implements
    (explicit_delegation (user_type) @base.implements)
    (function_type) @base.implements
  ]))
  (class_declaration "interface" (type_identifier) @of (delegation_specifier (user_type) @base.inherits))
  (object_declaration (type_identifier) @of (delegation_specifier (constructor_invocation . (_) @base.inherits)))
  (object_declaration (type_identifier) @of (delegation_specifier [
    (user_type) @base.implements
    (explicit_delegation (user_type) @base.implements)
  ]))
  (companion_object (type_identifier) @of (delegation_specifier (constructor_invocation . (_) @base.inherits)))
  (companion_object (type_identifier) @of (delegation_specifier (user_type) @base.implements))
]

; The parameters of a primary constructor are the class's.
(class_declaration (type_identifier) @of (primary_constructor
  (class_parameter (modifiers)? (simple_identifier) @name ":" . (_) @type ("=" . (_) @default)?) @parameter))
(function_declaration (simple_identifier) @of (function_value_parameters [
  ((parameter_modifiers) @name
    . (parameter . (simple_identifier) @name ":" . (_) @type) @parameter . ("=" . (_) @default)?)
  ((parameter . (simple_identifier) @name ":" . (_) @type) @parameter . ("=" . (_) @default)?)
]))
(secondary_constructor "constructor" @of (function_value_parameters [
  ((parameter_modifiers) @name
    . (parameter . (simple_identifier) @name ":" . (_) @type) @parameter . ("=" . (_) @default)?)
  ((parameter . (simple_identifier) @name ":" . (_) @type) @parameter . ("=" . (_) @default)?)
]))
(function_declaration (simple_identifier) @of (function_value_parameters) . ":" . (_) @return)
; What an extension extends.
(function_declaration receiver: (_) @receiver (simple_identifier) @of)
(property_declaration receiver: (_) @receiver (variable_declaration (simple_identifier) @of))

(property_declaration (variable_declaration . (simple_identifier) @of ":" . (_) @type))
(property_declaration (variable_declaration . (simple_identifier) @of) . "=" . (_) @value)
(property_declaration (variable_declaration . (simple_identifier) @of) . (property_delegate) @value)
(class_parameter (simple_identifier) @of ":" . (_) @type)
(class_parameter (simple_identifier) @of ":" "=" . (_) @value)
(enum_entry (simple_identifier) @of (value_arguments) @value)
(type_alias (type_identifier) @of "=" . (_) @type)

; What has no body is abstract in an interface, and what neither class nor method is open to is final.
((class_declaration "interface" (class_body (function_declaration (simple_identifier) @of (function_value_parameters) [
    (user_type) (nullable_type) (function_type) (parenthesized_type)
  ]? .)))
  (#set! modifier "abstract"))
((class_declaration "class" (class_body (function_declaration (simple_identifier) @of)))
  (#set! modifier "final")
  (#set! unless "open|abstract|override|final"))
((class_declaration "class" (type_identifier) @of) (#set! modifier "final") (#set! unless "open|abstract|sealed|final"))
; What a companion has is called on the class.
((companion_object (class_body (function_declaration (simple_identifier) @of))) (#set! modifier "static"))
