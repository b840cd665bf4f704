((call target: (identifier) @_word (arguments . (alias) @module .)) @import
  (#set! match._word "alias")
  (#set! alias last))
((call target: (identifier) @_word (arguments . (alias) @module . (keywords (pair value: (alias) @alias)))) @import
  (#set! match._word "alias"))
((call target: (identifier) @_word (arguments . (dot left: (alias) @module right: (tuple (alias) @name)))) @import
  (#set! match._word "alias"))
((call target: (identifier) @_word (arguments . (alias) @module)) @import @all
  (#set! match._word "import|use"))
((call target: (identifier) @_word (arguments . (alias) @module)) @import
  (#set! match._word "require"))
