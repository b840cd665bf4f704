((import_declaration . (identifier) @module (identifier) @name @until .) @import)
((import_declaration . (identifier) @module (namespace_wildcard) @all @until .) @import)
((import_declaration . (identifier) @module (namespace_selectors (identifier) @name) @until .) @import)
((import_declaration . (identifier) @module (namespace_selectors (namespace_wildcard) @all) @until .) @import)
((import_declaration
  . (identifier) @module
  (namespace_selectors (arrow_renamed_identifier name: (identifier) @name alias: (identifier) @alias)) @until .) @import)
((import_declaration . (identifier) @module (as_renamed_identifier name: (identifier) @name @until alias: (identifier) @alias)) @import)
