(normal_command (identifier) @call)
(variable) @name
(argument (unquoted_argument) @name)
(unquoted_argument (_)) @skip

(function_command (argument_list . (argument) (argument (unquoted_argument) @local @skip)))
(macro_command (argument_list . (argument) (argument (unquoted_argument) @local @skip)))
(foreach_command (argument_list . (argument (unquoted_argument) @local @skip)))
