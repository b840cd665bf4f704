(variable_name) @name
(command_name (word) @call)

(declaration_command ["local" "declare" "typeset"] (variable_assignment name: (variable_name) @local @skip))
(declaration_command ["local" "declare" "typeset"] (variable_name) @local @skip)
(for_statement variable: (variable_name) @local @skip)
