(function_definition name: (word) @name body: (_) @body) @definition.function
; In source that the grammar gives up on, the names are what is left.
(ERROR (word) @name @definition.function . "(" . ")")
((command name: (command_name (word) @_command) argument: [(word) @name (concatenation . (word) @name)]) @definition.function
  (#set! match.name "[^=]+=.*")
  (#set! match._command "alias"))
((variable_assignment name: (variable_name) @name) @definition.variable
  (#set! outside "function"))
[(declaration_command)] @outer
(comment) @comment
