((block
  (identifier) @_word
  . (string_lit (template_literal) @alias)
  . (block_start)
  . (body (attribute . (identifier) @_key (expression (literal_value (string_lit (template_literal) @module)))))) @import
  (#set! match._word "module")
  (#set! match._key "source"))
