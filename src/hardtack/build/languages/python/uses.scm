(identifier) @applied
(decorator [(identifier) @call (attribute attribute: (identifier) @call)])
; Quoted annotations.
(type (string (string_content) @names))
(type (binary_operator (string (string_content) @names)))
(type (subscript subscript: (string (string_content) @names)))
(type (subscript subscript: (subscript subscript: (string (string_content) @names))))
(type (subscript subscript: (binary_operator (string (string_content) @names))))
; Elsewhere it depends on what takes it.
(subscript subscript: (string (string_content) @quoted))
(argument_list (string (string_content) @quoted))
(argument_list (keyword_argument value: (string (string_content) @quoted)))

(keyword_argument name: (identifier) @skip)
(keyword_pattern . (identifier) @skip)
(global_statement (identifier) @skip @outer)
(nonlocal_statement (identifier) @skip @outer)
(import_statement name: [(dotted_name (identifier) @skip) (aliased_import name: (dotted_name (identifier) @skip))])
(import_from_statement module_name: [(dotted_name (identifier) @skip) (relative_import (dotted_name (identifier) @skip))])
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @skip)))
(aliased_import alias: (identifier) @skip)
(future_import_statement name: (_ (identifier) @skip))

(parameters [(identifier) @local (default_parameter name: (identifier) @local) (typed_parameter . (identifier) @local)])
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(lambda_parameters [(identifier) @local (default_parameter name: (identifier) @local)])
(function_definition type_parameters: (type_parameter (type (identifier) @local)))
(class_definition type_parameters: (type_parameter (type (identifier) @local)))
(assignment left: (identifier) @local)
(augmented_assignment left: (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(list_pattern (identifier) @local)
(named_expression name: (identifier) @local)
(as_pattern_target [(identifier) @local (tuple (identifier) @local) (list (identifier) @local)])
(case_pattern (dotted_name . (identifier) @local .))
(keyword_pattern (identifier) (dotted_name . (identifier) @local .))
(as_pattern (case_pattern) (identifier) @local)
(splat_pattern (identifier) @local)

(lambda) @scope
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope
(class_definition type_parameters: (_)) @scope
