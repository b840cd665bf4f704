(identifier) @name
(call function: [
  (identifier) @call
  (namespace_operator rhs: (identifier) @call)
  (extract_operator rhs: (identifier) @call)
])
(argument name: (identifier) @skip)

(parameter name: (identifier) @local @skip)
(for_statement variable: (identifier) @local @skip)
(binary_operator lhs: (identifier) @local operator: ["<-" "="])
(binary_operator operator: "->" rhs: (identifier) @local)
(function_definition) @scope
