((using_directive . [(identifier) (qualified_name)] @module .) @import (#set! name "*"))
((using_directive name: (identifier) @alias (qualified_name qualifier: (_) @module name: (_) @name)) @import)
