((assignment_statement
  (variable_list . (identifier) @alias)
  (expression_list . (function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import))
  (#set! match._function "require"))
((function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import
  (#set! match._function "require"))
((function_call name: (identifier) @_function arguments: (arguments . (string) @module .)) @import @all
  (#set! match._function "dofile|loadfile"))
