; Types: what they implement (the list nests to the left, four deep here), what a union holds, and directives on anything.
(_ (name) @of (implements_interfaces (named_type) @base.implements))
(_ (name) @of (implements_interfaces (implements_interfaces (named_type) @base.implements)))
(_ (name) @of (implements_interfaces (implements_interfaces (implements_interfaces (named_type) @base.implements))))
(_ (name) @of (implements_interfaces (implements_interfaces (implements_interfaces (implements_interfaces
  (named_type) @base.implements)))))
(_ (name) @of (directives (directive) @decorator))
(enum_value_definition (enum_value) @of (directives (directive) @decorator))
(fragment_definition (fragment_name) @of (directives (directive) @decorator))
(union_type_definition (name) @of (union_member_types) @value)
(union_type_extension (name) @of (union_member_types) @value)

(field_definition (name) @of (type) @type)
(field_definition (name) @of (arguments_definition
  (input_value_definition (name) @name (type) @type (default_value (value) @default)?) @parameter))
(input_value_definition (name) @of (type) @type)
(input_value_definition (name) @of (default_value (value) @value))

(directive_definition (name) @of (arguments_definition
  (input_value_definition (name) @name (type) @type (default_value (value) @default)?) @parameter))
(directive_definition (name) @of "repeatable" @modifier)
(directive_definition (name) @of (directive_locations) @value)
(operation_definition (operation_type) @modifier (name) @of)
(operation_definition (name) @of (variable_definitions
  (variable_definition (variable) @name (type) @type (default_value (value) @default)?) @parameter))
(fragment_definition (fragment_name) @of (type_condition (named_type) @type))
