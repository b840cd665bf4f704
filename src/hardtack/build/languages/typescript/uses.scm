; The grammars of TypeScript and TSX share this; what only one of them has cannot be named here.
; $TYPE = (type_identifier)
; $FIELD = public_field_definition name:
; include javascript/shared/uses.scm

(type_identifier) @applied @type
(method_signature name: (property_identifier) @skip)
(abstract_method_signature name: (property_identifier) @skip)
(property_signature name: (property_identifier) @skip)
(enum_body name: (property_identifier) @skip)
; An attribute of JSX that has a value, which the grammar of TypeScript does not know, and the like.
(_ . (property_identifier) @skip . "=")
(import_require_clause (identifier) @skip)
(import_alias . (identifier) @skip)
(index_signature name: (identifier) @skip)
(tuple_type [(required_parameter name: (identifier) @skip) (optional_parameter name: (identifier) @skip)])
; await using x = ... is read as an assignment.
(expression_statement (await_expression (assignment_expression left: (identifier) @local @skip)))
(internal_module name: [(identifier) @skip (nested_identifier (_) @skip)])
(module name: [(identifier) @skip (nested_identifier (_) @skip)])

(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)

[
  (method_signature)
  (call_signature)
  (construct_signature)
  (function_type)
  (constructor_type)
  (function_signature)
  (type_alias_declaration)
  (conditional_type)
  (tuple_type)
  (object_type)
] @scope
(class_declaration type_parameters: (_)) @scope
(abstract_class_declaration type_parameters: (_)) @scope
(interface_declaration type_parameters: (_)) @scope
