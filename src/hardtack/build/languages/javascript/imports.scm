; include javascript/shared/imports.scm

; default is no name here.
((import_statement (import_clause (named_imports (import_specifier "default" @name alias: (_) @alias))) source: (string) @module) @import)
((export_statement (export_clause (export_specifier "default" @name alias: (_) @alias)) source: (string) @module) @import)
((export_statement (export_clause (export_specifier . "default" @name @alias .)) source: (string) @module) @import)
((export_statement (export_clause (export_specifier name: (_) @name "default" @alias)) source: (string) @module) @import)
((export_statement !source (export_clause (export_specifier name: (_) @name "default" @alias))) @import)
