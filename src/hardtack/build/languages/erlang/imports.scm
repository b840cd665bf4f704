((pp_include file: (string) @module) @import @all)
((pp_include_lib file: (string) @module) @import @all)
((import_attribute module: (atom) @module funs: (fa fun: (atom) @name)) @import)
