(contract_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(library_declaration name: (identifier) @name body: (_) @body) @definition.class
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(struct_member name: (identifier) @name) @definition.field
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_value) @name @definition.enum_member
(user_defined_type_definition name: (identifier) @name) @definition.type
(event_definition name: (identifier) @name) @definition.type
(error_declaration name: (identifier) @name) @definition.type

(function_definition name: (identifier) @name body: (_)? @body) @definition.function
(modifier_definition name: (identifier) @name body: (_)? @body) @definition.function
(constructor_definition "constructor" @name body: (_)? @body) @definition.constructor
(fallback_receive_definition ["receive" "fallback"] @name body: (_)? @body) @definition.method

(constant_variable_declaration name: (identifier) @name) @definition.constant
((state_variable_declaration name: (identifier) @name) @definition.constant
  (#set! match.name "_*[A-Z][A-Z0-9_]+"))
(state_variable_declaration name: (identifier) @name) @definition.field

(import_directive) @import
(comment) @comment
