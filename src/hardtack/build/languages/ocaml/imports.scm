((open_module module: (module_path) @module) @import @all)
((include_module module: [(module_path) @module (module_application functor: (module_path) @module)]) @import @all)
((module_binding (module_name) @alias body: (module_path) @module) @import)
