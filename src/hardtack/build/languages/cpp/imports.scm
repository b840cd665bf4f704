((preproc_include path: [(string_literal) (system_lib_string)] @module) @import @all)
((import_declaration (module_name) @module) @import @all)
