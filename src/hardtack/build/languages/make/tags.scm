((rule (targets [(word) (concatenation) (variable_reference)] @name) (recipe)? @body) @definition.target
  (#set! match.name "(?![.][A-Z_]+$).*"))
(define_directive name: (word) @name) @definition.macro
(variable_assignment name: (word) @name) @definition.variable
(shell_assignment name: (word) @name) @definition.variable
(include_directive) @import
(comment) @comment
