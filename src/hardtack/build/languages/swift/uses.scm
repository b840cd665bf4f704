[(simple_identifier) (type_identifier)] @name
; A subscript has the shape of a call.
(call_expression . [
  (simple_identifier) @call
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))
  (prefix_expression target: (simple_identifier) @call)
] (call_suffix [(value_arguments "(") (lambda_literal)]))
(constructor_expression constructed_type: (user_type (type_identifier) @call . (type_arguments)? .))
(macro_invocation (simple_identifier) @call)

(value_argument_label (simple_identifier) @skip)
(import_declaration (identifier (simple_identifier) @skip))
(attribute (simple_identifier) @skip)
(tuple_type_item name: (simple_identifier) @skip)
(tuple_expression name: (simple_identifier) @skip)
(enum_type_parameters (simple_identifier) @skip)
(parameter external_name: (simple_identifier) @skip)

(parameter name: (simple_identifier) @local @skip)
(lambda_parameter name: (simple_identifier) @local @skip)
(pattern bound_identifier: (simple_identifier) @local @skip)
(if_statement bound_identifier: (simple_identifier) @local @skip)
(guard_statement bound_identifier: (simple_identifier) @local @skip)
(while_statement bound_identifier: (simple_identifier) @local @skip)
; In a pattern of patterns: (a, b), let .case(a); the case itself has its dot.
(pattern (pattern . (simple_identifier) @local .))
(capture_list_item name: (simple_identifier) @local value: (_))
(computed_setter (simple_identifier) @local @skip)
(type_parameter (type_identifier) @local @skip)
(lambda_literal) @scope
(class_declaration) @scope

[(statements) (if_statement) (while_statement) (for_statement) (catch_block) (switch_entry)] @block
(property_declaration) @declaration
(for_statement (statements) @body) @declaration
