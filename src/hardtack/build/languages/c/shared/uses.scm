; What the grammars of C, C++ and Objective-C have all three.
(attribute_specifier (argument_list [(identifier) @skip (call_expression function: (identifier) @skip arguments: (argument_list (identifier)? @skip))]))
(preproc_params (identifier) @local @skip)

; What a declaration binds, behind all that may stand before it; at a file's top it is a symbol.
(parameter_declaration declarator: (identifier) @local @skip)
(declaration declarator: (identifier) @local @skip)
(init_declarator declarator: (identifier) @local @skip)
(pointer_declarator declarator: (identifier) @local @skip)
(array_declarator declarator: (identifier) @local @skip)

; What a macro stands for is text to the grammar.
(preproc_def value: (preproc_arg) @names)
(preproc_function_def value: (preproc_arg) @names)
