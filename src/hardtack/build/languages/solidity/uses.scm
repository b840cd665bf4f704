(identifier) @name
(call_expression function: (expression [
  (identifier) @call
  (member_expression property: (identifier) @call)
  (struct_expression type: (expression [(identifier) @call (member_expression property: (identifier) @call)]))
  (new_expression name: (type_name (user_defined_type (identifier) @call .)))
]))
(emit_statement name: (expression [(identifier) @call (member_expression property: (identifier) @call)]))
(revert_statement error: (expression [(identifier) @call (member_expression property: (identifier) @call)]))
(modifier_invocation (identifier) @call)
(call_struct_argument name: (identifier) @member)
(struct_field_assignment name: (identifier) @skip)
(import_directive alias: (identifier) @skip)

(parameter name: (identifier) @local @skip)
(error_parameter name: (identifier) @skip)
(event_parameter name: (identifier) @skip)
(variable_declaration name: (identifier) @local @skip)
(catch_clause . (identifier) @skip)

[(block_statement) (for_statement)] @block
