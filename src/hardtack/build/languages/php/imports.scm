((namespace_use_declaration (namespace_use_clause !alias . (name) @name)) @import)
((namespace_use_declaration (namespace_use_clause . (name) @name alias: (name) @alias)) @import)
((namespace_use_declaration (namespace_use_clause !alias (qualified_name prefix: (namespace_name) @module (name) @name))) @import)
((namespace_use_declaration (namespace_use_clause (qualified_name prefix: (namespace_name) @module (name) @name) alias: (name) @alias)) @import)
((namespace_use_declaration (namespace_name) @module (namespace_use_group (namespace_use_clause !alias
  (qualified_name prefix: (namespace_name) @module (name) @name)))) @import)
((namespace_use_declaration (namespace_name) @module (namespace_use_group (namespace_use_clause
  (qualified_name prefix: (namespace_name) @module (name) @name) alias: (name) @alias))) @import)
((namespace_use_declaration (namespace_name) @module (namespace_use_group (namespace_use_clause !alias . (name) @name))) @import)
((namespace_use_declaration (namespace_name) @module (namespace_use_group (namespace_use_clause . (name) @name alias: (name) @alias))) @import)
