((command name: (command_name (word) @_command) . argument: [(word) (string) (raw_string) (concatenation) (simple_expansion) (expansion)] @module) @import @all
  (#set! match._command "source|[.]|load|bats_load_library"))
