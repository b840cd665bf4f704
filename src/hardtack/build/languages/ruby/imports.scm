((call . method: (identifier) @_how arguments: (argument_list . (string) @module .)) @import (#set! match._how "require|load"))
((call . method: (identifier) @_how arguments: (argument_list . (string) @module .)) @import
  (#set! match._how "require_relative") (#set! prefix "./"))
