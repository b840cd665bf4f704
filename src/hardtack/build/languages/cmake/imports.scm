((normal_command (identifier) @_word (argument_list . (argument) @module)) @import @all
  (#set! match._word "(?i:include|add_subdirectory)"))
