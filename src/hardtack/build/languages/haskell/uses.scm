[(variable) (name) (constructor)] @name
(apply function: [(variable) (constructor)] @call)
(apply function: (qualified id: [(variable) (constructor)] @call))
(infix_id [(variable) @call (constructor) @call (qualified id: (_) @call)])
(record expression: (constructor) @call)

; An equation names what its signature defines.
(function name: (variable) @skip)
(bind name: (variable) @skip)
(signature name: (variable) @skip)

; Variables of types are written like any other.
(function parameter: (variable) @skip)
(function result: (variable) @skip)
(type_params (variable) @skip)
(type_params (_ (variable) @skip))

(patterns [
  (variable) @local
  (tuple (variable) @local)
  (list (variable) @local)
  (parens [(variable) @local (apply argument: (variable) @local) (infix (variable) @local)])
])
(alternative pattern: [
  (variable) @local
  (tuple (variable) @local)
  (list (variable) @local)
  (apply argument: [(variable) @local (tuple (variable) @local)])
  (apply function: (apply argument: (variable) @local))
  (infix (variable) @local)
])
(bind pattern: [
  (variable) @local
  (tuple (variable) @local)
  (apply argument: (variable) @local)
])
(generator pattern: [
  (variable) @local
  (tuple (variable) @local)
])
(parens pattern: (apply argument: (variable) @local))
(parens pattern: (apply function: (apply argument: (variable) @local)))
(parens pattern: (apply function: (apply function: (apply argument: (variable) @local))))
(function (infix left_operand: (variable) @local right_operand: (variable) @local))
(as bind: (variable) @local)
(field_pattern pattern: (variable) @local)
(strict (variable) @local)
(local_binds [(bind name: (variable) @local) (function name: (variable) @local)])
(lambda) @scope
; The dot between functions is none of a chain.
(infix left_operand: [(variable) @bare (constructor) @bare (apply function: (_) @bare)])
(infix right_operand: [(variable) @bare (constructor) @bare (apply function: (_) @bare)])
