; Functions are qualified by the table they are put into: Crate.open, Crate:open.
(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(function_declaration name: (dot_index_expression table: (_) @scope field: (identifier) @name) body: (_)? @body) @definition.function
(function_declaration name: (method_index_expression table: (_) @scope method: (identifier) @name) body: (_)? @body) @definition.method
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @scope field: (identifier) @name) .)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (bracket_index_expression table: (_) @scope field: [(string content: (_) @name) (number) @name]) .)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
; One that is given unless there is one: unpack = unpack or function ... end.
(assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @scope field: (identifier) @name)] .)
  (expression_list . value: (binary_expression right: (function_definition body: (_)? @body)))) @definition.function
(field
  name: [(identifier) @name (string content: (_) @name) (number) @name]
  value: [
    (function_definition body: (_)? @body)
    (binary_expression right: (function_definition body: (_)? @body))
  ]) @definition.function

; Names bound at the top of a file; spelt in capitals they are meant as constants.
((chunk [
  (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @definition.constant)
  (assignment_statement (variable_list name: (identifier) @name)) @definition.constant
])
  (#set! match.name "[A-Z][A-Z0-9_]+"))
(chunk [
  (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
  (variable_declaration (variable_list name: (identifier) @name)) @definition.variable
  (assignment_statement (variable_list name: (identifier) @name)) @definition.variable
])
(chunk (assignment_statement
  (variable_list name: (dot_index_expression table: (_) @scope field: (identifier) @name))) @definition.field)

(variable_declaration) @outer
(comment) @comment
