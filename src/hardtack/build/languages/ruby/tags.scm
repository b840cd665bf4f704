(module
  name: [(constant) @name (scope_resolution scope: (_)? @scope name: (constant) @name)]
  body: (_)? @body) @definition.module
(class
  name: [(constant) @name (scope_resolution scope: (_)? @scope name: (constant) @name)]
  body: (_)? @body) @definition.class

(method name: (_) @name parameters: (_)? body: (_)? @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(alias name: (_) @name) @definition.method
((call method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @definition.method
  (#set! match._call "alias_method|define_method"))
((call method: (identifier) @_call arguments: (argument_list (simple_symbol) @name)) @definition.property
  (#set! match._call "attr_accessor|attr_reader|attr_writer"))

; A group of examples is named by what it describes.
((call
  method: (identifier) @_call
  arguments: (argument_list . [(string (_)+ @name) (simple_symbol) @name (constant) @name (scope_resolution) @name])
  block: (do_block body: (_)? @body)) @definition.block
  (#set! match._call "describe|context|shared_examples|shared_context"))

(assignment left: (constant) @name) @definition.constant
(assignment left: (left_assignment_list (constant) @name)) @definition.constant

((program (call method: (identifier) @_call) @import)
  (#set! match._call "require|require_relative"))
(comment) @comment
