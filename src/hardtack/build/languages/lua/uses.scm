(identifier) @name
(function_call name: [
  (identifier) @call
  (dot_index_expression field: (identifier) @call)
  (method_index_expression method: (identifier) @call)
])
(field name: (identifier) @member)
(attribute (identifier) @skip)
(goto_statement (identifier) @skip)
(label_statement (identifier) @skip)

(parameters (identifier) @local @skip)
(variable_declaration (variable_list (identifier) @local @skip))
(variable_declaration (assignment_statement (variable_list (identifier) @local @skip)))
(for_numeric_clause name: (identifier) @local @skip)
(for_generic_clause (variable_list (identifier) @local @skip))
(function_definition) @scope

[(block) (for_statement)] @block
(variable_declaration) @declaration
(for_statement body: (block) @body) @declaration
