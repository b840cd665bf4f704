((import !names module: (module) @module) @import @all
  (#set! match.import "(?!.*qualified).*"))
((import module: (module) @module names: (import_list)) @import @all
  (#set! match.import "[^(]*hiding[(].*"))
((import module: (module) @module names: (import_list name: (import_name [(variable) (name)] @name @alias))) @import
  (#set! match.import "(?![^(]*hiding[(]).*"))
((import module: (module) @module !alias) @import
  (#set! match.import ".*qualified.*"))
; What is called otherwise may be seen by its bare names as well.
((import module: (module) @module alias: (module) @alias) @import)
((import !names module: (module) @module alias: (module) @alias) @import @all
  (#set! match.import "(?!.*qualified).*"))
((import module: (module) @module alias: (module) @alias names: (import_list)) @import @all
  (#set! match.import "(?!.*qualified)[^(]*hiding[(].*"))
