((program) (#set! docs "yard"))

(class name: [(constant) @of (scope_resolution name: (constant) @of)] superclass: (superclass (_) @base.inherits))
; What is mixed in.
((class name: [(constant) @of (scope_resolution name: (constant) @of)] body: (body_statement
    (call method: (identifier) @_call arguments: (argument_list [(constant) (scope_resolution)] @base.uses))))
  (#set! match._call "include|extend|prepend"))
((module name: [(constant) @of (scope_resolution name: (constant) @of)] body: (body_statement
    (call method: (identifier) @_call arguments: (argument_list [(constant) (scope_resolution)] @base.uses))))
  (#set! match._call "include|extend|prepend"))

; private and the like hold for one method that is written as their argument,
(call method: (identifier) @modifier arguments: (argument_list [(method name: (_) @of) (singleton_method name: (_) @of)]))
; and on a line of their own for every method and attribute up to the next such line.
([
    (class body: (body_statement
      (identifier) @modifier
      . [(method) (singleton_method) (call) (assignment) (comment) (alias) (class) (module) (singleton_class)]*
      . [(method name: (_) @of) (call arguments: (argument_list (simple_symbol) @of))]))
    (module body: (body_statement
      (identifier) @modifier
      . [(method) (singleton_method) (call) (assignment) (comment) (alias) (class) (module) (singleton_class)]*
      . [(method name: (_) @of) (call arguments: (argument_list (simple_symbol) @of))]))
    (singleton_class body: (body_statement
      (identifier) @modifier
      . [(method) (singleton_method) (call) (assignment) (comment) (alias) (class) (module) (singleton_class)]*
      . [(method name: (_) @of) (call arguments: (argument_list (simple_symbol) @of))]))
  ]
  (#set! match.modifier "private|protected|public|module_function"))

; Parameters, in every form they have; that of a keyword is named with its colon.
[
  (method name: (_) @of parameters: (method_parameters [
    (identifier)
    (optional_parameter name: (_) @name value: (_) @default)
    (keyword_parameter name: (_) @name . ":" @name value: (_)? @default)
    (splat_parameter)
    (hash_splat_parameter)
    (hash_splat_nil)
    (block_parameter)
    (forward_parameter)
    (destructured_parameter)
  ] @parameter))
  (singleton_method name: (_) @of parameters: (method_parameters [
    (identifier)
    (optional_parameter name: (_) @name value: (_) @default)
    (keyword_parameter name: (_) @name . ":" @name value: (_)? @default)
    (splat_parameter)
    (hash_splat_parameter)
    (hash_splat_nil)
    (block_parameter)
    (forward_parameter)
    (destructured_parameter)
  ] @parameter))
]
(singleton_method object: (_) @receiver name: (_) @of)

(assignment left: (constant) @of right: (_) @value)

; What is called on the class or module itself.
((singleton_method name: (_) @of) (#set! modifier "static"))
((singleton_class body: (body_statement (method name: (_) @of))) (#set! modifier "static"))

; What instances have because a method sets it, and the type that its value shows.
((assignment left: (instance_variable) @attribute) (#set! modifier "private"))
((operator_assignment left: (instance_variable) @attribute "||=") (#set! modifier "private"))
((assignment left: (instance_variable) @attribute right: [
    (string) @inferred.String
    (integer) @inferred.Integer
    (float) @inferred.Float
    (simple_symbol) @inferred.Symbol
    (array) @inferred.Array
    (hash) @inferred.Hash
  ])
  (#set! modifier "private"))
((assignment
    left: (instance_variable) @attribute
    right: (call receiver: [(constant) (scope_resolution)] @inferred method: (identifier) @_method) @value)
  (#set! match._method "new")
  (#set! modifier "private"))
