[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
  (function_expression name: (identifier) @name body: (_) @body)
  (function_signature name: (identifier) @name)
] @definition.function

[
  (class_declaration name: (type_identifier) @name body: (_) @body)
  (abstract_class_declaration name: (type_identifier) @name body: (_) @body)
  (class name: (type_identifier) @name body: (_) @body)
] @definition.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_body name: [(property_identifier) @name @definition.enum_member (string (string_fragment) @name) @definition.enum_member])
(enum_assignment name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.enum_member
(type_alias_declaration name: (type_identifier) @name) @definition.type
(internal_module name: [(identifier) (nested_identifier)] @name body: (_)? @body) @definition.namespace
(module name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)] body: (_)? @body) @definition.namespace

[
  (method_definition name: [(property_identifier) (private_property_identifier)] @name body: (_) @body)
  (method_definition name: (string (string_fragment) @name) body: (_) @body)
  (method_signature name: [(property_identifier) @name (string (string_fragment) @name)])
  (abstract_method_signature name: (property_identifier) @name)
] @definition.method

[
  (public_field_definition name: [(property_identifier) (private_property_identifier)] @name)
  (property_signature name: [(property_identifier) @name (string (string_fragment) @name)])
] @definition.property
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.property

; A name bound to a function is a function; what it does is the body.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (statement_block) @body)
    (arrow_function)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant)
(variable_declarator name: (identifier) @name) @definition.variable

; Destructuring binds names as well.
(variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name @definition.constant
  (pair_pattern value: (identifier) @name @definition.constant)
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @definition.constant)
  (rest_pattern (identifier) @name @definition.constant)
]))
(variable_declarator name: (array_pattern [
  (identifier) @name @definition.constant
  (assignment_pattern left: (identifier) @name @definition.constant)
]))
(for_in_statement kind: "const" left: [
  (identifier) @name @definition.constant
  (array_pattern (identifier) @name @definition.constant)
  (object_pattern (shorthand_property_identifier_pattern) @name @definition.constant)
])

; export { A as B }: B is defined here. So is that of export * as B.
(export_statement "type" (export_clause (export_specifier alias: (identifier) @name @definition.type)))
(export_specifier "type" alias: (identifier) @name @definition.type)
(export_specifier alias: (identifier) @name @definition.constant)
(namespace_export (identifier) @name @definition.namespace)

[(export_statement) (lexical_declaration) (variable_declaration) (ambient_declaration)] @outer
(program (import_statement) @import)
(comment) @comment
(decorator) @attribute
