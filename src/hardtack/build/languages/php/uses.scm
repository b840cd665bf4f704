(name) @applied
(attribute [(name) @call (qualified_name (name) @call)])
(object_creation_expression [(name) @call (qualified_name (name) @call .)])
(arguments (argument [(string (string_content) @ability) (encapsed_string . (string_content) @ability .)]))
; Of variables only those that are members of a type are used by name.
(variable_name (name) @skip)
(scoped_property_access_expression name: (variable_name (name) @member))

(namespace_name (name) @skip)
(namespace_use_clause alias: (name) @skip)
(namespace_use_group (namespace_use_clause . (name) @skip alias: (_)))
(use_as_clause (_) (name) @skip)
(argument name: (name) @skip)
(named_label_statement (name) @skip)
(goto_statement (name) @skip)

(simple_parameter name: (variable_name) @local)
(variadic_parameter name: (variable_name) @local)
(property_promotion_parameter name: (variable_name) @local)
(assignment_expression left: [(variable_name) @local (list_literal (variable_name) @local)])
(foreach_statement . (_) . [(variable_name) @local (pair (variable_name) @local)])
(catch_clause name: (variable_name) @local)
(static_variable_declaration name: (variable_name) @local)
