; What the grammars of JavaScript and TypeScript both have. $TYPE is the name of a class, $FIELD a field and the key of its name.
[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
  (function_expression name: (identifier) @name body: (_) @body)
] @definition.function

[
  (class_declaration name: $TYPE @name body: (_) @body)
  (class name: $TYPE @name body: (_) @body)
] @definition.class

; A name bound to a function is a function; what it does is the body.
; $FUNCTION = [(arrow_function body: (statement_block) @body) (arrow_function) (function_expression body: (_) @body) (generator_function body: (_) @body)]
; $KEY = [(property_identifier) @name (string (string_fragment) @name)]
; $MEMBER = [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)]
(method_definition name: $MEMBER body: (_) @body) @definition.method
($FIELD $MEMBER value: $FUNCTION) @definition.method
($FIELD $MEMBER) @definition.property
(variable_declarator name: (identifier) @name value: $FUNCTION) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant)
(variable_declarator name: (identifier) @name) @definition.variable

; exports.name = function, Type.prototype.name = function, module.exports.name = value
; $ASSIGNED = left: (member_expression object: [(this) (identifier) @scope (member_expression) @scope (call_expression) @scope (subscript_expression) @scope] property: [(property_identifier) (private_property_identifier)] @name)
(assignment_expression $ASSIGNED right: $FUNCTION) @definition.method
(assignment_expression $ASSIGNED right: (class !name body: (_) @body)) @definition.class
; Type.defaults = { ... }, this.handlers = { ... }, module.exports = { ... }
(assignment_expression $ASSIGNED right: (object) @body) @definition.property
; What exports.name is set to otherwise, unless it has a name of its own.
((assignment_expression
    left: (member_expression object: [(identifier) (member_expression)] @scope property: (property_identifier) @name)
    right: [(call_expression) (new_expression) (array) (string) (template_string) (number) (regex) (true) (false)]) @definition.constant
  (#set! match.scope "(module\\.)?exports"))

; What has no name but default, by which other files know it.
(export_statement "default" @name value: $FUNCTION) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class
(export_statement "default" @name value: [(object) @body (call_expression) (new_expression)]) @definition.constant

; The members of an object literal.
(pair key: $KEY value: $FUNCTION) @definition.method
(pair key: $KEY value: (object)) @definition.property

; Destructuring binds names as well.
(variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name @definition.constant
  (pair_pattern value: (identifier) @name @definition.constant)
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @definition.constant)
  (rest_pattern (identifier) @name @definition.constant)
]))
(variable_declarator name: (array_pattern [
  (identifier) @name @definition.constant
  (assignment_pattern left: (identifier) @name @definition.constant)
]))
(for_in_statement kind: "const" left: [
  (identifier) @name @definition.constant
  (array_pattern (identifier) @name @definition.constant)
  (object_pattern (shorthand_property_identifier_pattern) @name @definition.constant)
])

; export { A as B }: B is defined here. So is that of export * as B.
(export_specifier alias: (identifier) @name @definition.constant)
(namespace_export (identifier) @name @definition.namespace)

[(export_statement) (lexical_declaration) (variable_declaration) (expression_statement)] @outer
(program (import_statement) @import)
(comment) @comment
(decorator) @attribute
