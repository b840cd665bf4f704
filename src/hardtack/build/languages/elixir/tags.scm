; Definitions are calls of macros: the word called says what is defined. Only calls right in a file or a block count: those in
; arguments nest without end.
((source (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc))) @body)) @definition.module)
  (#set! match._attribute "moduledoc")
  (#set! match._word "defmodule"))
((do_block (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc))) @body)) @definition.module)
  (#set! match._attribute "moduledoc")
  (#set! match._word "defmodule"))
((source (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc))) @body)) @definition.interface)
  (#set! match._attribute "moduledoc")
  (#set! match._word "defprotocol"))
((do_block (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc))) @body)) @definition.interface)
  (#set! match._attribute "moduledoc")
  (#set! match._word "defprotocol"))
((source (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.module)
  (#set! match._word "defmodule"))
((do_block (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.module)
  (#set! match._word "defmodule"))
((source (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.interface)
  (#set! match._word "defprotocol"))
((do_block (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.interface)
  (#set! match._word "defprotocol"))
((source (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.block)
  (#set! match._word "defimpl"))
((do_block (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.block)
  (#set! match._word "defimpl"))

; A function, with the text of the @doc above it where there is one; @spec and the like may stand between.
((source (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc)))
    . (unary_operator)? . (unary_operator)? . (unary_operator)?
    . (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.function)
  (#set! match._attribute "doc")
  (#set! match._word "def|defp|defdelegate|defguard|defguardp|defn|defnp"))
((do_block (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc)))
    . (unary_operator)? . (unary_operator)? . (unary_operator)?
    . (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.function)
  (#set! match._attribute "doc")
  (#set! match._word "def|defp|defdelegate|defguard|defguardp|defn|defnp"))
((source (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc)))
    . (unary_operator)? . (unary_operator)? . (unary_operator)?
    . (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.macro)
  (#set! match._attribute "doc")
  (#set! match._word "defmacro|defmacrop"))
((do_block (unary_operator operand: (call target: (identifier) @_attribute (arguments . (string) @doc)))
    . (unary_operator)? . (unary_operator)? . (unary_operator)?
    . (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.macro)
  (#set! match._attribute "doc")
  (#set! match._word "defmacro|defmacrop"))
((source (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.function)
  (#set! match._word "def|defp|defdelegate|defguard|defguardp|defn|defnp"))
((do_block (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.function)
  (#set! match._word "def|defp|defdelegate|defguard|defguardp|defn|defnp"))
((source (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.macro)
  (#set! match._word "defmacro|defmacrop"))
((do_block (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.macro)
  (#set! match._word "defmacro|defmacrop"))
; Where a condition chooses, and in a function that is handed on: assert_raise Error, fn -> defmodule ... end.
((else_block (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.module)
  (#set! match._word "defmodule"))
((body (_
    target: (identifier) @_word
    (arguments . (alias) @name)
    (do_block . (_)? @body)) @definition.module)
  (#set! match._word "defmodule"))
((else_block (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.function)
  (#set! match._word "def|defp|defdelegate|defguard|defguardp|defn|defnp"))
((else_block (_
    target: (identifier) @_word
    (arguments . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.macro)
  (#set! match._word "defmacro|defmacrop"))
; An operator stands between its operands.
((source (_
    target: (identifier) @_word
    (arguments . [
      (binary_operator operator: _ @name)
      (unary_operator operator: ["!" "+" "-" "not" "^" "~~~"] @name)
      (binary_operator left: (binary_operator operator: _ @name) operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.function)
  (#set! match._word "def|defp|defmacro|defmacrop|defdelegate")
  (#set! match.name "(?!when$).*"))
((do_block (_
    target: (identifier) @_word
    (arguments . [
      (binary_operator operator: _ @name)
      (unary_operator operator: ["!" "+" "-" "not" "^" "~~~"] @name)
      (binary_operator left: (binary_operator operator: _ @name) operator: "when")
    ])
    (do_block . (_)? @body)?) @definition.function)
  (#set! match._word "def|defp|defmacro|defmacrop|defdelegate")
  (#set! match.name "(?!when$).*"))
((source (_
    target: (identifier) @_word
    (arguments . (string (quoted_content) @name))
    (do_block . (_)? @body)) @definition.function)
  (#set! match._word "test|property"))
((do_block (_
    target: (identifier) @_word
    (arguments . (string (quoted_content) @name))
    (do_block . (_)? @body)) @definition.function)
  (#set! match._word "test|property"))
((source (_
    target: (identifier) @_word
    (arguments . (string (quoted_content) @name))
    (do_block . (_)? @body)) @definition.section)
  (#set! match._word "describe|feature"))
((do_block (_
    target: (identifier) @_word
    (arguments . (string (quoted_content) @name))
    (do_block . (_)? @body)) @definition.section)
  (#set! match._word "describe|feature"))

((source (_ target: [(identifier) @_word (dot right: (identifier) @_word)] (arguments . (atom) @name)) @definition.struct)
  (#set! match._word "defrecord|defrecordp"))
((do_block (_ target: [(identifier) @_word (dot right: (identifier) @_word)] (arguments . (atom) @name)) @definition.struct)
  (#set! match._word "defrecord|defrecordp"))
((source (_ target: (identifier) @_word (arguments (list [
    (atom) @name @definition.field
    (keywords (pair key: (keyword) @name) @definition.field)
  ]))))
  (#set! match._word "defstruct|defexception"))
((do_block (_ target: (identifier) @_word (arguments (list [
    (atom) @name @definition.field
    (keywords (pair key: (keyword) @name) @definition.field)
  ]))))
  (#set! match._word "defstruct|defexception"))
((source (_ target: (identifier) @_word (arguments (keywords (pair key: (keyword) @name) @definition.field))))
  (#set! match._word "defstruct|defexception"))
((do_block (_ target: (identifier) @_word (arguments (keywords (pair key: (keyword) @name) @definition.field))))
  (#set! match._word "defstruct|defexception"))

; Attributes of the module.
((unary_operator operand: (call target: (identifier) @_word (arguments . (binary_operator
  left: [(identifier) @name (call target: (identifier) @name)])))) @definition.type
  (#set! match._word "type|typep|opaque"))
((unary_operator operand: (call target: (identifier) @_word (arguments . (binary_operator
  left: [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name))
  ])))) @definition.method
  (#set! match._word "callback|macrocallback"))
((unary_operator operand: (call target: (identifier) @name (arguments))) @definition.constant
  (#set! match.name "(?!(?:doc|moduledoc|typedoc|spec|type|typep|opaque|callback|macrocallback|impl|behaviour|derive|enforce_keys|deprecated|since|dialyzer|compile|on_load|after_compile|before_compile|after_verify|on_definition|external_resource|optional_callbacks|tag|moduletag|describetag|shortdoc|requirements|fallback_to_any|vsn|file|nifs|impl|attr|slot)$).*")
  (#set! outside "function"))

((call target: (identifier) @_word) @import
  (#set! match._word "import|alias|require|use"))
((unary_operator operand: (call target: (identifier) @_word)) @attribute
  (#set! match._word "doc|spec|impl|deprecated|since|dialyzer|typedoc|tag|describetag|attr|slot"))
(comment) @comment
