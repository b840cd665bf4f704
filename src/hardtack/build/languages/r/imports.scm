((call function: (identifier) @_function arguments: (arguments . (argument value: [(identifier) @module (string content: (_) @module)]))) @import @all
  (#set! match._function "library|require|source|sys.source"))
((call function: (identifier) @_function arguments: (arguments . (argument value: (string content: (_) @module)))) @import
  (#set! match._function "requireNamespace|loadNamespace"))
