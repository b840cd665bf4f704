((source_file) (#set! docs "jsdoc"))

[
  (contract_declaration name: (_) @of (inheritance_specifier ancestor: (_) @base.inherits))
  (interface_declaration name: (_) @of (inheritance_specifier ancestor: (_) @base.inherits))
]
(contract_declaration "abstract" @modifier name: (_) @of)

; Parameters of what is called, and of what is emitted or thrown; where one lies (memory, calldata) is part of its type.
[
  (function_definition name: (_) @of (parameter type: (_) @type location: _? @type name: (_)? @name) @parameter)
  (modifier_definition name: (_) @of (parameter type: (_) @type location: _? @type name: (_)? @name) @parameter)
  (constructor_definition "constructor" @of (parameter type: (_) @type location: _? @type name: (_)? @name) @parameter)
  (event_definition name: (_) @of (event_parameter type: (_) @type "indexed"? @type name: (_)? @name) @parameter)
  (error_declaration name: (_) @of (error_parameter type: (_) @type name: (_)? @name) @parameter)
]
(function_definition name: (_) @of return_type: (return_type_definition
  (parameter type: (_) @return location: _? @return name: (_)? @name)))
[
  (function_definition name: (_) @of [
    (visibility) @visibility
    (state_mutability) @modifier
    (virtual) @modifier
    (override_specifier "override" @modifier)
  ])
  (fallback_receive_definition ["receive" "fallback"] @of [
    (visibility) @visibility
    (state_mutability) @modifier
    (virtual) @modifier
    (override_specifier "override" @modifier)
  ])
  (constructor_definition "constructor" @of "payable" @modifier)
  (modifier_definition name: (_) @of [(virtual) @modifier (override_specifier "override" @modifier)])
]
; The modifiers of the contract that a function is wrapped in.
(function_definition name: (_) @of (modifier_invocation) @decorator)
(constructor_definition "constructor" @of (modifier_invocation) @decorator)
(fallback_receive_definition ["receive" "fallback"] @of (modifier_invocation) @decorator)

(state_variable_declaration [
    (visibility) @visibility
    "constant" @modifier
    (immutable) @modifier
    (override_specifier "override" @modifier)
  ]
  name: (_) @of)
(state_variable_declaration type: (_) @type name: (_) @of)
(state_variable_declaration name: (_) @of value: (_) @value)
(constant_variable_declaration "constant" @modifier name: (_) @of)
(constant_variable_declaration type: (_) @type name: (_) @of)
(constant_variable_declaration name: (_) @of value: (_) @value)
(struct_member type: (_) @type name: (_) @of)
(user_defined_type_definition name: (_) @of (primitive_type) @type)
(constructor_definition "constructor" @of ["public" "internal"] @visibility)

; What has no body is abstract.
((function_definition name: (_) @of !body) (#set! modifier "abstract"))
