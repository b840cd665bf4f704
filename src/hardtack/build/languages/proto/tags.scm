(package (full_ident) @name @package) @definition.package
(message (message_name) @name (message_body) @body) @definition.struct
(enum (enum_name) @name (enum_body) @body) @definition.enum
(enum_field . (identifier) @name) @definition.enum_member
(service (service_name) @name "{" @body) @definition.interface
(rpc (rpc_name) @name) @definition.method
(oneof . (identifier) @name) @definition.field
[(field (identifier) @name) (map_field (identifier) @name) (oneof_field (identifier) @name)] @definition.field
(import) @import
(comment) @comment
