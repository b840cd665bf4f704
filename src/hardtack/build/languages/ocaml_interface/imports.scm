((open_module module: (module_path) @module) @import @all)
((include_module_type (module_type_path (extended_module_path) @module)) @import @all)
