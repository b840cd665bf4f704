; What stands before the first dot names no block but a kind of block or a type of resource: the qualifier has it.
(get_attr (identifier) @name)
(function_call (identifier) @call)
