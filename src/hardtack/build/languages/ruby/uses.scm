(identifier) @sent
(constant) @applied
(call . method: (identifier) @call)
[(instance_variable) (class_variable)] @variable
[(simple_symbol) (bare_symbol)] @spelt

(method_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(block_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(rest_assignment (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(as_pattern name: (identifier) @local)
(array_pattern (identifier) @local)
(in_clause pattern: (identifier) @local)

(block) @scope
(do_block) @scope
(lambda) @scope
