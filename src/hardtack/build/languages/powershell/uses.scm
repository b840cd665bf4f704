[(variable) (type_identifier)] @name
(command_name) @call
(path_command_name_token) @call
(member_name (simple_name) @name)
(invokation_expression (member_name (simple_name) @call))
(class_statement (simple_name) (simple_name) @name)
(attribute_name (type_spec (type_name (type_identifier) @skip)))

(script_parameter (variable) @local @skip)
(class_method_parameter (variable) @local @skip)
(foreach_statement . (variable) @local @skip)
(left_assignment_expression (logical_expression (bitwise_expression (comparison_expression (additive_expression
  (multiplicative_expression (format_expression (range_expression (array_literal_expression (unary_expression
    (variable) @local))))))))))
(script_block_expression) @scope
