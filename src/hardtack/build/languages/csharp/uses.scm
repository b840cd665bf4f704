(identifier) @applied
(attribute name: [(identifier) @call (qualified_name name: (identifier) @call)])
(object_creation_expression type: [
  (identifier) @call
  (generic_name (identifier) @call)
  (qualified_name name: [(identifier) @call (generic_name (identifier) @call)])
])
; What an initialiser sets and what a pattern looks at are members of the type around.
(initializer_expression (assignment_expression left: (identifier) @member))
(subpattern . (identifier) @member)

(using_directive name: (identifier) @skip)
(using_directive . (identifier) @skip .)
(using_directive . (qualified_name name: (identifier) @skip) .)
(using_directive (qualified_name qualifier: (identifier) @skip))
(namespace_declaration name: [(identifier) @skip (qualified_name (identifier) @skip)])
(file_scoped_namespace_declaration name: [(identifier) @skip (qualified_name (identifier) @skip)])
(qualified_name qualifier: (qualified_name (identifier) @skip))
(argument name: (identifier) @skip)
(attribute_argument name: (identifier) @skip)
(anonymous_object_creation_expression (identifier) @skip . "=")
(tuple_element name: (identifier) @skip)
(destructor_declaration name: (identifier) @skip)
(labeled_statement . (identifier) @skip)
(goto_statement (identifier) @skip)

(parameter name: (identifier) @local)
(parameter_list name: (identifier) @local)
(implicit_parameter) @local
(type_parameter name: (identifier) @local)
(variable_declarator name: (identifier) @local)
(tuple_pattern name: (identifier) @local)
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(recursive_pattern name: (identifier) @local)
(var_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(from_clause name: (identifier) @local)
(join_clause . (identifier) @local)
(let_clause . (identifier) @local)
(local_function_statement name: (identifier) @local)

[
  (lambda_expression)
  (anonymous_method_expression)
  (query_expression)
  (local_function_statement)
  (accessor_declaration)
  (indexer_declaration)
  (operator_declaration)
  (conversion_operator_declaration)
  (destructor_declaration)
  (delegate_declaration)
  (record_declaration)
] @scope
(class_declaration [(type_parameter_list) (parameter_list)]) @scope
(struct_declaration [(type_parameter_list) (parameter_list)]) @scope
(interface_declaration (type_parameter_list)) @scope

; Symbols of the compiler.
(preproc_if condition: [
  (identifier) @skip
  (unary_expression (identifier) @skip)
  (binary_expression [(identifier) @skip (unary_expression (identifier) @skip)])
])
(preproc_elif condition: [
  (identifier) @skip
  (unary_expression (identifier) @skip)
  (binary_expression [(identifier) @skip (unary_expression (identifier) @skip)])
])

[
  (block)
  (for_statement)
  (foreach_statement)
  (using_statement)
  (fixed_statement)
  (catch_clause)
  (switch_section)
  (switch_expression_arm)
] @block
