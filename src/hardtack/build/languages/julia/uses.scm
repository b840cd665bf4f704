(identifier) @name
(call_expression . [
  (identifier) @call
  (field_expression (identifier) @call .)
  (parametrized_type_expression . (identifier) @call)
])
(broadcast_call_expression . [(identifier) @call (field_expression (identifier) @call .)])
(macro_identifier (identifier) @call)
(import_path (identifier) @skip . (identifier))
(import_alias (identifier) . (identifier) @skip)

; What a definition's head binds, behind its type and where; the short form is an assignment to a call.
(signature (call_expression (argument_list (identifier) @local)))
(signature (typed_expression . (call_expression (argument_list (identifier) @local))))
(signature (where_expression . (call_expression (argument_list (identifier) @local))))
(signature (where_expression . (typed_expression . (call_expression (argument_list (identifier) @local)))))
(assignment . (call_expression (argument_list (identifier) @local)))
(assignment . (typed_expression . (call_expression (argument_list (identifier) @local))))
(assignment . (where_expression . (call_expression (argument_list (identifier) @local))))
(typed_expression . (identifier) @local @skip . (_))
(splat_expression (identifier) @local)
(where_expression (curly_expression (identifier) @local))
(assignment . [
  (identifier) @local
  (typed_expression . (identifier) @local)
  (open_tuple (identifier) @local)
  (tuple_expression (identifier) @local)
])
(for_binding . [(identifier) @local (tuple_expression (identifier) @local)])
(arrow_function_expression . [(identifier) @local (argument_list (identifier) @local)])
(do_clause [(identifier) @local (argument_list (identifier) @local)])
(catch_clause . (identifier) @local)
(arrow_function_expression) @scope
(do_clause) @scope
(comprehension_expression) @scope
(let_statement) @scope
