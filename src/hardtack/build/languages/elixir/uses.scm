; A bare identifier is a variable, unless it is called, captured by & or what a pipe goes on to.
(alias) @name
(call target: (identifier) @applied)
(call target: (dot left: (alias) right: (identifier) @call))
; Beginning at the dot: a query that began at what holds it would wait for its end, through a chain of any length.
("." . (identifier) @applied)
(binary_operator operator: "|>" right: (identifier) @call)
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @name))
(unary_operator operator: "@" operand: (identifier) @name)
; @spec and the like name an attribute, and what stands below.
(unary_operator operator: "@" operand: (call target: (identifier) @skip))
(unary_operator operator: "@" operand: (call (arguments . (binary_operator left: (call target: (identifier) @skip)))))
