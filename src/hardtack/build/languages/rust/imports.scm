((use_declaration argument: [(identifier) (crate)] @module) @import (#set! alias last))
((use_declaration argument: (scoped_identifier path: (_) @module name: (identifier) @name)) @import)
((use_declaration argument: (use_as_clause path: (identifier) @module alias: (identifier) @alias)) @import)
((use_declaration argument: (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name) alias: (identifier) @alias))
  @import)
((use_declaration argument: (use_wildcard (_) @module) @all) @import)

; a::{b, c as d, e::f, g::*, self}
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list (identifier) @name))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (use_as_clause path: (identifier) @name alias: (identifier) @alias)))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (scoped_identifier path: (_) @module name: (identifier) @name)))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name) alias: (identifier) @alias)))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list (use_wildcard (_) @module) @all))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list (use_wildcard . "*") @all))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list (self)))) @import (#set! alias last))
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (use_as_clause path: (self) alias: (identifier) @alias)))) @import)

; a::{b::{c, d as e, f::g, self}}
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list (identifier) @name))))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list (use_as_clause path: (identifier) @name alias: (identifier) @alias)))))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list (scoped_identifier path: (_) @module name: (identifier) @name)))))) @import)
((use_declaration argument: (scoped_use_list path: (_) @module list: (use_list
  (scoped_use_list path: (_) @module list: (use_list (self)))))) @import (#set! alias last))

; {a::b, c::d}
((use_declaration argument: (use_list (scoped_identifier path: (_) @module name: (identifier) @name))) @import)
((use_declaration argument: (use_list (scoped_use_list path: (_) @module list: (use_list (identifier) @name)))) @import)

((extern_crate_declaration name: (identifier) @module !alias) @import (#set! alias last))
((extern_crate_declaration name: (identifier) @module alias: (identifier) @alias) @import)
((mod_item name: (identifier) @module !body) @import (#set! prefix "self::") (#set! alias last))

; In a module whose body is written here, super is the file's own.
((mod_item body: (declaration_list (use_declaration argument: (use_wildcard (super) @module) @all))) @import (#set! prefix "self::"))
((mod_item body: (declaration_list (use_declaration argument: (scoped_identifier path: (super) @module name: (identifier) @name))))
  @import (#set! prefix "self::"))
((mod_item body: (declaration_list (use_declaration argument:
  (scoped_use_list path: (super) @module list: (use_list (identifier) @name))))) @import (#set! prefix "self::"))
