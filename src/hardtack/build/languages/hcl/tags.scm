; A block is named by its last label; the word and the labels before it are its scope: resource.aws_instance.store.
((block
  (identifier) @_word @scope
  . (string_lit (template_literal) @scope)
  . (string_lit (template_literal) @name)
  . (block_start) @body) @definition.resource
  (#set! match._word "resource|data|ephemeral"))
(block
  (identifier) @scope
  . (string_lit (template_literal) @scope)
  . (string_lit (template_literal) @name)
  . (block_start) @body) @definition.block
((block (identifier) @_word @scope . (string_lit (template_literal) @name) . (block_start) @body) @definition.variable
  (#set! match._word "variable|output"))
((block (identifier) @_word @scope . (string_lit (template_literal) @name) . (block_start) @body) @definition.module
  (#set! match._word "module"))
(block (identifier) @scope . (string_lit (template_literal) @name) . (block_start) @body) @definition.block
(block . (identifier) @name . (block_start) @body) @definition.block

((block (identifier) @_word (body (attribute . (identifier) @name) @definition.constant))
  (#set! match._word "locals"))
(config_file (body (attribute . (identifier) @name) @definition.key))
(comment) @comment
