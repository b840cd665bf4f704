((list_lit . (kwd_lit) @_kind [(vec_lit . (sym_lit) @module .) (sym_lit) @module]) @import
  (#set! match._kind ":require(-macros)?"))
((list_lit . (kwd_lit) @_kind (vec_lit . (sym_lit) @module (kwd_lit) @_as . (sym_lit) @alias)) @import
  (#set! match._kind ":(require(-macros)?|use)")
  (#set! match._as ":as(-alias)?"))
((list_lit . (kwd_lit) @_kind (vec_lit . (sym_lit) @module (kwd_lit) @_refer . [(vec_lit (sym_lit) @name @alias) (list_lit (sym_lit) @name @alias)])) @import
  (#set! match._kind ":(require(-macros)?|use)")
  (#set! match._refer ":(refer(-macros)?|only)"))
((list_lit . (kwd_lit) @_kind (vec_lit . (sym_lit) @module (kwd_lit) @_refer . (kwd_lit))) @import @all
  (#set! match._kind ":require(-macros)?")
  (#set! match._refer ":refer"))
((list_lit . (kwd_lit) @_kind [(vec_lit . (sym_lit) @module .) (sym_lit) @module]) @import @all
  (#set! match._kind ":use"))
((list_lit . (kwd_lit) @_kind [(list_lit . (sym_lit) @module (sym_lit) @name) (vec_lit . (sym_lit) @module (sym_lit) @name)]) @import
  (#set! match._kind ":import"))
((list_lit . (kwd_lit) @_kind (sym_lit) @module) @import
  (#set! match._kind ":import")
  (#set! alias last))
((list_lit . (sym_lit) @_require (quoting_lit (vec_lit . (sym_lit) @module (kwd_lit) @_as . (sym_lit) @alias))) @import
  (#set! match._require "require|use")
  (#set! match._as ":as"))
