; --names are used in var(); keyframes by a property's value.
(call_expression (arguments (plain_value) @name))
(declaration (plain_value) @name)
