((import !names module: (module) @module) @import @all
  (#set! match.import "(?!.*qualified).*"))
((import module: (module) @module names: (import_list)) @import @all
  (#set! match.import "[^(]*hiding[(].*"))
((import module: (module) @module names: (import_list name: (import_name [(variable) (name)] @name))) @import
  (#set! match.import "(?![^(]*hiding[(]).*"))
((import module: (module) @module alias: (module) @alias) @import)
((import module: (module) @module !alias) @import
  (#set! match.import ".*qualified.*"))
