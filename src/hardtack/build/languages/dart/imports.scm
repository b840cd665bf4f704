((import_specification [(uri) @module (configurable_uri . (uri) @module)] .) @import @all)
((import_specification [(uri) @module (configurable_uri . (uri) @module)] . (combinator "hide")) @import @all)
((import_specification [(uri) @module (configurable_uri . (uri) @module)] (combinator "show" (identifier) @name)) @import)
((import_specification [(uri) @module (configurable_uri . (uri) @module)] . (identifier) @alias) @import)
((library_export (configurable_uri . (uri) @module)) @import @all)
; The parts of a library are one whole.
((part_directive (uri) @module) @import @all)
((part_of_directive (uri) @module) @import @all)
