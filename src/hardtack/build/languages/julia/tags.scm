; Names stand in a call, which may be typed and may have a where.
((string_literal) @doc . (module_definition name: (identifier) @name (block)? @body) @definition.module)
(module_definition name: (identifier) @name (block)? @body) @definition.module

((string_literal) @doc . (struct_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ]) (block)? @body) @definition.struct)
(struct_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ]) (block)? @body) @definition.struct
((string_literal) @doc . (abstract_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ])) @definition.interface)
(abstract_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ])) @definition.interface
((string_literal) @doc . (primitive_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ])) @definition.type)
(primitive_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ])) @definition.type
((string_literal) @doc . (function_definition (signature (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])) (block)? @body) @definition.function)
(function_definition (signature (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])) (block)? @body) @definition.function
((string_literal) @doc . (function_definition (signature (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]))) (block)? @body) @definition.function)
(function_definition (signature (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]))) (block)? @body) @definition.function
((string_literal) @doc . (function_definition (signature (where_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]))) (block)? @body) @definition.function)
(function_definition (signature (where_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]))) (block)? @body) @definition.function
((string_literal) @doc . (function_definition (signature (where_expression . (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])))) (block)? @body) @definition.function)
(function_definition (signature (where_expression . (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])))) (block)? @body) @definition.function
((string_literal) @doc . (function_definition (signature (identifier) @name)) @definition.function)
(function_definition (signature (identifier) @name)) @definition.function
((string_literal) @doc . (assignment . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]) (operator) . (_) @body) @definition.function)
(assignment . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]) (operator) . (_) @body) @definition.function
((string_literal) @doc . (assignment . (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])) (operator) . (_) @body) @definition.function)
(assignment . (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])) (operator) . (_) @body) @definition.function
((string_literal) @doc . (assignment . (where_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])) (operator) . (_) @body) @definition.function)
(assignment . (where_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ])) (operator) . (_) @body) @definition.function
((string_literal) @doc . (assignment . (where_expression . (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]))) (operator) . (_) @body) @definition.function)
(assignment . (where_expression . (typed_expression . (call_expression . [
    (identifier) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
    (parametrized_type_expression . (field_expression value: (_) @scope (identifier) @name))
    (field_expression value: (_) @scope [(identifier) @name (quote_expression [(operator) (identifier)] @name)])
  ]))) (operator) . (_) @body) @definition.function
((string_literal) @doc . (macro_definition (signature (call_expression . (identifier) @name)) (block)? @body) @definition.macro)
(macro_definition (signature (call_expression . (identifier) @name)) (block)? @body) @definition.macro
((string_literal) @doc . (macro_definition (signature (typed_expression . (call_expression . (identifier) @name))) (block)? @body) @definition.macro)
(macro_definition (signature (typed_expression . (call_expression . (identifier) @name))) (block)? @body) @definition.macro
(assignment . (identifier) @name (operator) . [(arrow_function_expression) (function_definition)] @body) @definition.function

; The macro @enum names a type and its values.
((macrocall_expression (macro_identifier (identifier) @_word) (macro_argument_list . [
  (identifier) @name
  (typed_expression . (identifier) @name)
])) @definition.enum
  (#set! match._word "enum"))
((macrocall_expression (macro_identifier (identifier) @_word) (macro_argument_list (_) [
  (identifier) @name @definition.enum_member
  (assignment . (identifier) @name) @definition.enum_member
  (compound_statement (block [(identifier) @name @definition.enum_member (assignment . (identifier) @name) @definition.enum_member]))
]))
  (#set! match._word "enum"))

(struct_definition (block [
  (identifier) @name @definition.field
  (typed_expression . (identifier) @name) @definition.field
  (const_statement [(identifier) @name (typed_expression . (identifier) @name)]) @definition.field
  (assignment . [(identifier) @name (typed_expression . (identifier) @name)]) @definition.field
  (binary_expression . (typed_expression . (identifier) @name)) @definition.field
  (macrocall_expression (macro_argument_list . [(identifier) @name (typed_expression . (identifier) @name)])) @definition.field
]))

((string_literal) @doc . (const_statement (assignment . (identifier) @name) @definition.constant))
(const_statement (assignment . (parametrized_type_expression . (identifier) @name)) @definition.type)
(const_statement (assignment . [(identifier) @name (operator) @name (typed_expression . (identifier) @name) (open_tuple (identifier) @name)]) @definition.constant)
(source_file (assignment . [(identifier) @name (typed_expression . (identifier) @name) (open_tuple (identifier) @name)]) @definition.variable)
(module_definition (block (assignment . [(identifier) @name (typed_expression . (identifier) @name) (open_tuple (identifier) @name)]) @definition.variable))
(global_statement (assignment . [(identifier) @name (typed_expression . (identifier) @name) (open_tuple (identifier) @name)]) @definition.variable)

[(const_statement) (global_statement) (macrocall_expression)] @outer
[(using_statement) (import_statement)] @import
[(line_comment) (block_comment)] @comment
; A text before a definition documents it.
((string_literal) @attribute . [
  (abstract_definition) (assignment) (const_statement) (function_definition) (macro_definition) (macrocall_expression)
  (module_definition) (primitive_definition) (struct_definition)
])
