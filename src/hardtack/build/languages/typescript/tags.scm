(function_signature name: (identifier) @name) @definition.function
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_body name: [(property_identifier) @name @definition.enum_member (string (string_fragment) @name) @definition.enum_member])
(enum_assignment name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.enum_member
(type_alias_declaration name: (type_identifier) @name) @definition.type
(internal_module name: [(identifier) (nested_identifier)] @name body: (_)? @body) @definition.namespace
(module name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)] body: (_)? @body) @definition.namespace
[
  (method_signature name: [(property_identifier) @name (string (string_fragment) @name)])
  (abstract_method_signature name: (property_identifier) @name)
] @definition.method
(property_signature name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.property
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.property
(export_statement "type" (export_clause (export_specifier alias: (identifier) @name @definition.type)))
(export_specifier "type" alias: (identifier) @name @definition.type)
(ambient_declaration) @outer

; $TYPE = (type_identifier)
; $FIELD = public_field_definition name:
; include javascript/shared/tags.scm

; Of the other members of object literals, which are many, those of a file's constants.
; $OBJECT = (object (pair key: $KEY) @definition.property)
; $CONSTANT = (lexical_declaration kind: "const" (variable_declarator value: [$OBJECT (as_expression . $OBJECT) (satisfies_expression . $OBJECT) (satisfies_expression . (as_expression . $OBJECT))]))
(program $CONSTANT)
(program (export_statement $CONSTANT))
(export_statement "default" value: [$OBJECT (as_expression . $OBJECT) (satisfies_expression . $OBJECT)])
(export_statement "default" @name value: [(as_expression . (object) @body) (satisfies_expression . (object) @body)]) @definition.constant
