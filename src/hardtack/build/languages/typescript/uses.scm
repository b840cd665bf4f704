; The grammars of TypeScript and TSX share this; what only one of them has cannot be named here.
[(identifier) (type_identifier) (shorthand_property_identifier) (property_identifier) (private_property_identifier)] @applied
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
(decorator [(identifier) @call (member_expression property: (property_identifier) @call)])
(pair_pattern key: (property_identifier) @member)

; What is defined here, be it a symbol or not.
(pair key: (property_identifier) @skip)
(method_definition name: [(property_identifier) (private_property_identifier)] @skip)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @skip)
(method_signature name: (property_identifier) @skip)
(abstract_method_signature name: (property_identifier) @skip)
(property_signature name: (property_identifier) @skip)
(enum_body name: (property_identifier) @skip)
; An attribute of JSX that has a value, which the grammar of TypeScript does not know, and the like.
(_ . (property_identifier) @skip . "=")

(import_clause (identifier) @skip)
(import_specifier name: (_) @skip alias: (_) @skip)
(namespace_import (identifier) @skip)
(import_require_clause (identifier) @skip)
(import_alias . (identifier) @skip)
(export_specifier alias: (_) @skip)
(export_statement (export_clause (export_specifier name: (_) @skip alias: (_))) source: (_))
(namespace_export (_) @skip)
(index_signature name: (identifier) @skip)
(tuple_type [(required_parameter name: (identifier) @skip) (optional_parameter name: (identifier) @skip)])
; await using x = ... is read as an assignment.
(expression_statement (await_expression (assignment_expression left: (identifier) @local @skip)))
(internal_module name: [(identifier) @skip (nested_identifier (_) @skip)])
(module name: [(identifier) @skip (nested_identifier (_) @skip)])

(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(lexical_declaration (variable_declarator name: (identifier) @local))
(variable_declaration (variable_declarator name: (identifier) @hoisted))
(shorthand_property_identifier_pattern) @local
(pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
(array_pattern [(identifier) @local (assignment_pattern left: (identifier) @local)])
(rest_pattern (identifier) @local)
(for_in_statement left: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(function_expression name: (identifier) @local)
(class name: (type_identifier) @local)
; Those that are symbols are found as such.
(function_declaration name: (identifier) @local)
(class_declaration name: (type_identifier) @local)

[
  (arrow_function)
  (function_expression)
  (generator_function)
  (method_definition)
  (method_signature)
  (call_signature)
  (construct_signature)
  (function_type)
  (constructor_type)
  (function_signature)
  (function_declaration)
  (generator_function_declaration)
  (class)
  (type_alias_declaration)
  (conditional_type)
  (tuple_type)
  (object_type)
] @scope
(class_declaration type_parameters: (_)) @scope
(abstract_class_declaration type_parameters: (_)) @scope
(interface_declaration type_parameters: (_)) @scope

[
  (statement_block)
  (for_statement)
  (for_in_statement)
  (catch_clause)
  (switch_body)
] @block
