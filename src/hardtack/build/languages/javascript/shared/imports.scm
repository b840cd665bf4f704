; What the grammars of JavaScript and TypeScript both have.
((import_statement (import_clause (identifier) @alias) source: (string) @module) @import (#set! name default))
((import_statement (import_clause (named_imports) @each) source: (string) @module) @import)
((import_statement (import_clause (namespace_import (identifier) @alias)) source: (string) @module) @import)
((import_statement . source: (string) @module) @import)

; What is handed on is called as others know it.
((export_statement (export_clause) @each source: (string) @module) @import)
((export_statement (namespace_export (_) @alias) source: (string) @module) @import)
((export_statement "*" @all source: (string) @module) @import)
; What is exported by another name than its own is handed on from no module but this.
((export_statement "default" @alias value: (identifier) @name) @import)
((export_statement !source (export_clause (export_specifier name: (_) @name alias: (_) @alias))) @import)

((call_expression function: (identifier) @_require arguments: (arguments . (string) @module .)) @import (#set! match._require require))
((variable_declarator
  name: (identifier) @alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))) @import
  (#set! match._require require))
((variable_declarator
  name: (object_pattern) @each
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))) @import
  (#set! match._require require))
((variable_declarator
  name: (identifier) @alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
    property: (property_identifier) @name)) @import
  (#set! match._require require))

((call_expression function: (import) arguments: (arguments . (string) @module)) @import)
((variable_declarator
  name: (identifier) @alias
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @module)))) @import)
((variable_declarator
  name: (object_pattern) @each
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @module)))) @import)

; CommonJS: module.exports = a is the default, exports.b = a another name of it; require(...) there is handed on.
; $EXPORTS = (identifier) @_module property: (property_identifier) @_exports
; $EITHER = [(identifier) @_exports (member_expression object: (identifier) property: (property_identifier) @_exports)]
; $REQUIRED = (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
((assignment_expression left: (member_expression object: $EXPORTS) right: [(identifier) @name (class name: (_) @name)]) @import
  (#set! match._module module) (#set! match._exports exports) (#set! alias "=default"))
((assignment_expression left: (member_expression object: $EXPORTS) "=" @all right: $REQUIRED) @import
  (#set! match._module module) (#set! match._exports exports) (#set! match._require require))
((assignment_expression left: (member_expression object: $EXPORTS) right: (object (spread_element "..." @all $REQUIRED))) @import
  (#set! match._module module) (#set! match._exports exports) (#set! match._require require))
((assignment_expression
  left: (member_expression object: $EXPORTS)
  right: (object (pair key: (property_identifier) @alias value: $REQUIRED))) @import
  (#set! match._module module) (#set! match._exports exports) (#set! match._require require))
((assignment_expression left: (member_expression object: $EITHER property: (property_identifier) @alias) right: [(identifier) @name (class name: (_) @name)]) @import
  (#set! match._exports exports))
((assignment_expression left: (member_expression object: $EITHER property: (property_identifier) @alias) right: $REQUIRED) @import
  (#set! match._exports exports) (#set! match._require require))
