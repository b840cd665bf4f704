(variable_expression name: (identifier) @name)
(select_expression attrpath: (attrpath (identifier) @name))
(inherited_attrs attr: (identifier) @name)
(apply_expression function: [
  (variable_expression name: (identifier) @call)
  (select_expression attrpath: (attrpath (identifier) @call .))
])

(formal name: (identifier) @local @skip)
(function_expression universal: (identifier) @local @skip)
(let_expression (binding_set (binding attrpath: (attrpath . (identifier) @local .))))
(function_expression) @scope
(let_expression) @scope
