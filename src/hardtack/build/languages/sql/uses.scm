(object_reference (identifier) @name)
(invocation (object_reference name: (identifier) @call))
(field name: (identifier) @name)
(field column: (identifier) @name)
(column (identifier) @name)

(relation alias: (identifier) @local @skip)
(cte . (identifier) @local @skip)
(function_argument . (identifier) @local @skip)
(statement) @scope
