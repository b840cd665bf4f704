((import_statement (string_value) @module) @import @all)
((use_statement (string_value) @module) @import @all)
((forward_statement (string_value) @module) @import @all)
