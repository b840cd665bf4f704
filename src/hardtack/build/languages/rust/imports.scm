((use_declaration argument: (_) @tree) @import)
((extern_crate_declaration name: (identifier) @module !alias) @import (#set! alias last))
((extern_crate_declaration name: (identifier) @module alias: (identifier) @alias) @import)
((mod_item name: (identifier) @module !body) @import (#set! prefix "self::") (#set! alias last))
; In a module whose body is written here, super is the file's own.
(mod_item body: (_) @around)
