[(varname) (bareword)] @name
(use_statement module: (package) @name)
(refgen_expression (function (varname) @name))
(sort_expression callback: (function) @name)
(function_call_expression function: (function) @applied)
(ambiguous_function_call_expression function: (function) @call)
(method_call_expression method: (method) @sent)
; &name(...) is called with its sigil, $$name and @{...} are no names.
(function_call_expression function: (function (varname) @call))
(function_call_expression function: (function (varname)) @skip)
(method (scalar)) @skip
(varname (_)) @skip

(variable_declaration (scalar (varname) @local @skip))
(variable_declaration (array (varname) @local @skip))
(variable_declaration (hash (varname) @local @skip))
(mandatory_parameter (_ (varname) @local @skip))
(optional_parameter (_ (varname) @local @skip))
(slurpy_parameter (_ (varname) @local @skip))
(for_statement variable: (_ (varname) @local @skip))
(anonymous_subroutine_expression) @scope

[(block) (for_statement)] @block
