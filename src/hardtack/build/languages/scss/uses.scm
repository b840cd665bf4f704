; --names are used in var(); keyframes by a property's value.
(variable) @name
(call_expression (arguments (plain_value) @name))
(declaration (plain_value) @name)
(call_expression (function_name) @call)
(include_statement (identifier) @call)
(parameter (variable) @local @skip)
(each_statement key: (variable) @local @skip)
(each_statement value: (variable) @local @skip)
