[(identifier) (type_identifier)] @applied
(type_identifier) @type
(marker_annotation name: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(object_creation_expression type: (scoped_type_identifier (type_identifier) @call .))
; Constants of an enumeration stand bare where a value of it is told apart.
(switch_label (identifier) @member)

(package_declaration [(identifier) @skip (scoped_identifier (identifier) @skip)])
(import_declaration (scoped_identifier name: (identifier) @skip) (asterisk))
(import_declaration (scoped_identifier scope: (identifier) @skip))
(scoped_identifier scope: (scoped_identifier scope: (identifier) @skip))
(scoped_identifier scope: (scoped_identifier name: (identifier) @skip))
; The type whose member is imported.
(import_declaration "static" (scoped_identifier scope: (scoped_identifier name: (identifier) @member)))
(element_value_pair key: (identifier) @skip)
(labeled_statement . (identifier) @skip)
(break_statement (identifier) @skip)
(continue_statement (identifier) @skip)
(method_declaration name: (identifier) @skip)

(formal_parameter name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(variable_declarator name: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(instanceof_expression name: (identifier) @local)
(type_pattern (identifier) @local)
(record_pattern_component (identifier) @local)
(type_parameter . (type_identifier) @local)

(lambda_expression) @scope
(static_initializer) @scope
(method_declaration) @scope
(class_declaration type_parameters: (_)) @scope
(interface_declaration type_parameters: (_)) @scope
(record_declaration type_parameters: (_)) @scope

[
  (block)
  (constructor_body)
  (for_statement)
  (enhanced_for_statement)
  (try_with_resources_statement)
  (catch_clause)
  (switch_block_statement_group)
  (switch_rule)
] @block
