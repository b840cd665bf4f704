; Definitions are lists: the word at their head says what is defined.
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name @package) . (str_lit)? @doc . (list_lit)? @body) @definition.namespace
  (#set! match._word "ns|in-ns"))
; First with arguments, or with a list for each number of them; then without.
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (str_lit)? @doc . (map_lit)? . [(list_lit) @body (vec_lit)] . (_)? @body) @definition.function
  (#set! match._word "defn|defn-|definline|deftest|deftest-|defspec"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (str_lit)? @doc . (map_lit)? . [(list_lit) @body (vec_lit)] . (_)? @body) @definition.macro
  (#set! match._word "defmacro|defmacro-"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (str_lit)? @doc) @definition.function
  (#set! match._word "defn|defn-|definline|deftest|deftest-|defspec|defcard|defmulti|defstate"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (str_lit)? @doc) @definition.macro
  (#set! match._word "defmacro|defmacro-"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (_) . (vec_lit) . (_) @body) @definition.method
  (#set! match._word "defmethod"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name)) @definition.method
  (#set! match._word "defmethod"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (str_lit)? @doc . (_)? @body) @definition.interface
  (#set! match._word "defprotocol|definterface"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (vec_lit) . (_)? @body) @definition.class
  (#set! match._word "defrecord|deftype"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (_)? @body) @definition.block
  (#set! match._word "extend-type|extend-protocol"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name)) @definition.struct
  (#set! match._word "defstruct"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit name: (sym_name) @name) . (str_lit)? @doc) @definition.variable
  (#set! match._word "def|defonce"))
((list_lit . (sym_lit namespace: (sym_ns) name: (sym_name) @_word) . (kwd_lit name: (kwd_name) @name)) @definition.type
  (#set! match._word "def"))

; What a protocol asks for, and what a type gives.
((list_lit . (sym_lit name: (sym_name) @_word)
  (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit) (str_lit)? @doc) @definition.method)
  (#set! match._word "defprotocol|definterface"))
((list_lit . (sym_lit name: (sym_name) @_word)
  (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit) . (_)? @body) @definition.method)
  (#set! match._word "defrecord|deftype|extend-type|extend-protocol|reify|proxy"))
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit) . (vec_lit (sym_lit name: (sym_name) @name @definition.field)))
  (#set! match._word "defrecord|deftype"))

((list_lit . (sym_lit name: (sym_name) @_word)) @import
  (#set! match._word "require|use|import"))
(comment) @comment
; A documentation between name and arguments is no part of the signature.
((list_lit . (sym_lit name: (sym_name) @_word) . (sym_lit) . (str_lit) @comment)
  (#set! match._word "ns|def[a-z]*-?"))
