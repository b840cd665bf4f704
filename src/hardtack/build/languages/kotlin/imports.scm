((import_header (identifier . (simple_identifier) @module (simple_identifier) @name @until .) .) @import)
((import_header (identifier . (simple_identifier) @module (simple_identifier) @name @until .) (import_alias (type_identifier) @alias)) @import)
((import_header (identifier) @module (wildcard_import) @all) @import)
