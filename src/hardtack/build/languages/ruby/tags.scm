(module
  name: [(constant) @name (scope_resolution scope: (_)? @scope name: (constant) @name)]
  body: (_)? @body) @definition.module
(class
  name: [(constant) @name (scope_resolution scope: (_)? @scope name: (constant) @name)]
  body: (_)? @body) @definition.class

(method name: (_) @name parameters: (_)? body: (_)? @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(alias name: (_) @name) @definition.method
; What a call defines. Only statements count: a call in a chain or among arguments would be looked at once for each around it.
; Nothing but a call has a method; naming it would make the query seven times as dear to compile.
([
  (program (_ method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @definition.method)
  (body_statement (_ method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @definition.method)
  (block_body (_ method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @definition.method)
  (then (_ method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @definition.method)
  (else (_ method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @definition.method)
  (if_modifier body: (_ method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @definition.method)
]
  (#set! match._call "alias_method|define_method"))
([
  (program (_ method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property)
  (body_statement (_ method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property)
  (block_body (_ method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property)
  (then (_ method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property)
  (else (_ method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property)
  (if_modifier body: (_ method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property)
]
  (#set! match._call "attr_accessor|attr_reader|attr_writer"))
; private attr_reader :crates
((body_statement (call
    method: (identifier) @_how
    arguments: (argument_list . (call method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property)))
  (#set! match._how "private|protected|public|private_class_method|module_function")
  (#set! match._call "attr_accessor|attr_reader|attr_writer"))

; A group of examples is named by what it describes.
([
  (program (_ method: (identifier) @_call arguments: (argument_list . [(string (_)+ @name) (simple_symbol) @name (constant) @name (scope_resolution) @name (identifier) @name (call) @name (nil) @name]) block: (do_block body: (_)? @body)) @definition.block)
  (body_statement (_ method: (identifier) @_call arguments: (argument_list . [(string (_)+ @name) (simple_symbol) @name (constant) @name (scope_resolution) @name (identifier) @name (call) @name (nil) @name]) block: (do_block body: (_)? @body)) @definition.block)
  (block_body (_ method: (identifier) @_call arguments: (argument_list . [(string (_)+ @name) (simple_symbol) @name (constant) @name (scope_resolution) @name (identifier) @name (call) @name (nil) @name]) block: (do_block body: (_)? @body)) @definition.block)
  (then (_ method: (identifier) @_call arguments: (argument_list . [(string (_)+ @name) (simple_symbol) @name (constant) @name (scope_resolution) @name (identifier) @name (call) @name (nil) @name]) block: (do_block body: (_)? @body)) @definition.block)
  (else (_ method: (identifier) @_call arguments: (argument_list . [(string (_)+ @name) (simple_symbol) @name (constant) @name (scope_resolution) @name (identifier) @name (call) @name (nil) @name]) block: (do_block body: (_)? @body)) @definition.block)
  (if_modifier body: (_ method: (identifier) @_call arguments: (argument_list . [(string (_)+ @name) (simple_symbol) @name (constant) @name (scope_resolution) @name (identifier) @name (call) @name (nil) @name]) block: (do_block body: (_)? @body)) @definition.block)
]
  (#set! match._call "describe|context|shared_examples|shared_examples_for|shared_context"))

(assignment left: (constant) @name) @definition.constant
(assignment left: (left_assignment_list (constant) @name)) @definition.constant

((program (call method: (identifier) @_call) @import)
  (#set! match._call "require|require_relative"))
(comment) @comment
