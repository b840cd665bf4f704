[(identifier) (type_identifier) (field_identifier)] @applied
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(field_initializer field: (field_identifier) @member)
(field_pattern name: (field_identifier) @member)
; What a macro takes are tokens: the keys of a structure literal stand in braces right after its type.
(token_tree (identifier) . (token_tree "{" (identifier) @member . ":"))
(type_binding name: (type_identifier) @member)

; cfg(all(...)) and the like are of the compiler; what derive names stands right in its brackets.
(attribute arguments: (token_tree (identifier) @setting . (token_tree)))
(attribute arguments: (token_tree (identifier) @setting . (string_literal)))
(attribute arguments: (token_tree (token_tree "(" (identifier) @setting)))
(attribute arguments: (token_tree (token_tree "(" (token_tree "(" (identifier) @setting))))

(lifetime (identifier) @skip)
(label (identifier) @skip)
; Of what is imported the name is a use, and means what the file imports under it.
(use_declaration argument: [
  (scoped_identifier path: (identifier) name: (identifier) @bare)
  (scoped_identifier path: (scoped_identifier) name: (identifier) @bare)
])
(use_list (scoped_identifier name: (identifier) @bare))
(use_as_clause path: (identifier) @skip)
(use_as_clause alias: (identifier) @skip)
(extern_crate_declaration alias: (identifier) @skip)

(parameter pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(captured_pattern . (identifier) @local)
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(shorthand_field_identifier) @local
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local)
; What a pattern names is bound when it begins with a small letter, and looked up else.
(tuple_pattern (identifier) @pattern)
(tuple_struct_pattern (identifier) @pattern)
(reference_pattern (identifier) @pattern)
(slice_pattern (identifier) @pattern)
(or_pattern (identifier) @pattern)
(match_pattern . (identifier) @pattern)
(let_condition pattern: (identifier) @pattern)
(field_pattern pattern: (identifier) @pattern)

(closure_expression) @scope
(match_arm) @scope
(function_signature_item) @scope
(impl_item) @scope
(trait_item) @scope
(struct_item type_parameters: (_)) @scope
(enum_item type_parameters: (_)) @scope
(type_item) @scope

[(block) (if_expression) (while_expression) (for_expression)] @block
[(let_declaration) (let_condition)] @declaration
(for_expression body: (block) @body) @declaration
