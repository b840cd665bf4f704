; A binding to a function is one; in let it is a variable, in a set a key.
(binding attrpath: (attrpath) @name expression: (function_expression body: (_) @body)) @definition.function
(let_expression (binding_set (binding attrpath: (attrpath) @name expression: (_) @body) @definition.variable))
(binding attrpath: (attrpath) @name expression: (_) @body) @definition.key
(comment) @comment
