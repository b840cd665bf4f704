((use_declaration argument: (_) @tree) @import)
((extern_crate_declaration name: (identifier) @module !alias) @import (#set! alias last))
((extern_crate_declaration name: (identifier) @module alias: (identifier) @alias) @import)
((mod_item name: (identifier) @module !body) @import (#set! prefix "self::") (#set! alias last))
; #[path = "unix/file.rs"] mod name;
((attribute_item (attribute (identifier) @key value: (string_literal (string_content) @module)))
  . (attribute_item)* . (mod_item name: (identifier) @alias @place !body) @import
  (#set! match.key "path"))
; In a module whose body is written here, super is the file's own.
(mod_item body: (_) @around)
