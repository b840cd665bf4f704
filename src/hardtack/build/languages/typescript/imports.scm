; include javascript/shared/imports.scm

((import_statement (import_require_clause (identifier) @alias source: (string) @module)) @import)
; export = a
((export_statement "=" (identifier) @name) @import (#set! alias "=default"))
