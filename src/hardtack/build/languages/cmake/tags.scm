; Commands are written in any case.
(function_def (function_command (argument_list . (argument) @name)) (body) @body) @definition.function
(macro_def (macro_command (argument_list . (argument) @name)) (body) @body) @definition.macro

((normal_command (identifier) @_word (argument_list . (argument) @name)) @definition.target
  (#set! match._word "(?i:add_executable|add_library|add_custom_target)"))
((normal_command (identifier) @_word (argument_list . (argument) @name)) @definition.module
  (#set! match._word "(?i:project)"))
((normal_command (identifier) @_word (argument_list . (argument) @name)) @definition.variable
  (#set! match._word "(?i:option|cmake_dependent_option)"))
((normal_command (identifier) @_word (argument_list . (argument) @name)) @definition.variable
  (#set! match._word "(?i:set)")
  (#set! outside "function"))
((normal_command (identifier) @_word (argument_list . (argument) @_key . (argument) @name)) @definition.function
  (#set! match._word "(?i:add_test)")
  (#set! match._key "NAME"))

((normal_command (identifier) @_word) @import
  (#set! match._word "(?i:include|find_package)"))
[(line_comment) (bracket_comment)] @comment
