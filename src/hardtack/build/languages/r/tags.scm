; A class made by a call, bound to a name or not.
((binary_operator
  lhs: (identifier) @name
  operator: ["<-" "=" "<<-"]
  rhs: (call function: [(identifier) @_word (namespace_operator rhs: (identifier) @_word)] arguments: (_) @body)) @definition.class
  (#set! match._word "R6Class|setRefClass|setClass|ggproto|new_class|R6_class"))
((call function: [(identifier) @_word (namespace_operator rhs: (identifier) @_word)]
  arguments: (arguments . (argument value: (string content: (_) @name)) (comma) @body)) @definition.class
  (#set! match._word "setClass|setClassUnion"))
((call function: [(identifier) @_word (namespace_operator rhs: (identifier) @_word)]
  arguments: (arguments . (argument value: (string content: (_) @name)) (comma) @body)) @definition.function
  (#set! match._word "setGeneric|test_that|describe|it"))
((call function: (identifier) @_word
  arguments: (arguments
    . (argument value: (string content: (_) @name))
    . (comma)
    . (argument value: (string content: (_) @scope)))) @definition.method
  (#set! match._word "setMethod|setReplaceMethod|setValidity"))

(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-" ":="] rhs: (function_definition body: (_) @body)) @definition.function
(binary_operator lhs: (function_definition) operator: ["->" "->>"] rhs: (identifier) @name) @definition.function
; The methods of a class and the functions of a table stand in list(...).
((call function: (identifier) @_word arguments: (arguments (argument name: (identifier) @name value: (function_definition body: (_) @body)) @definition.function))
  (#set! match._word "list"))

((program (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @definition.constant)
  (#set! match.name "[A-Z][A-Z0-9_.]+"))
(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @definition.variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @definition.variable)

((if_statement (braced_expression (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @definition.variable))
  (#set! outside "function"))
; What a table holds that no function makes.
((call
  function: [(identifier) @_word (namespace_operator rhs: (identifier) @_word)]
  arguments: (arguments (argument name: [(identifier) (string)] @name value: (_)) @definition.field))
  (#set! match._word "list|c|data.frame")
  (#set! outside "function"))

((program (call function: (identifier) @_word) @import)
  (#set! match._word "library|require|source"))
(comment) @comment
