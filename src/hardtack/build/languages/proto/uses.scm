(message_or_enum_type (identifier) @name)
(constant (full_ident (identifier) @name))
