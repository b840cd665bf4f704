; A docstring is the first thing of a body.
(function_definition
  name: (identifier) @name
  body: (block . (string)? @doc) @body) @definition.function

(class_definition
  name: (identifier) @name
  body: (block . (string)? @doc) @body) @definition.class

(assignment left: (identifier) @name right: (lambda)) @definition.function

; Names bound outside functions; spelt in capitals they are meant as constants.
((assignment left: (identifier) @name) @definition.constant
  (#set! match.name "_*[A-Z][A-Z0-9_]+")
  (#set! outside "function"))
((assignment left: (identifier) @name) @definition.variable
  (#set! outside "function"))
((assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @definition.variable
  (#set! outside "function"))
((named_expression name: (identifier) @name) @definition.variable
  (#set! outside "function"))
((type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type
  (#set! outside "function"))

(module [(import_statement) (import_from_statement) (future_import_statement)] @import)
(comment) @comment
(decorator) @attribute
