[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
  (function_expression name: (identifier) @name body: (_) @body)
] @definition.function

[
  (class_declaration name: (identifier) @name body: (_) @body)
  (class name: (identifier) @name body: (_) @body)
] @definition.class
(method_definition name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)] body: (_) @body) @definition.method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @definition.property

; A name bound to a function is a function; what it does is the body.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (statement_block) @body)
    (arrow_function)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.constant)
(variable_declarator name: (identifier) @name) @definition.variable

; exports.name = function, Type.prototype.name = function, module.exports.name = value
(assignment_expression
  left: (member_expression
    object: [(this) (identifier) @scope (member_expression) @scope (call_expression) @scope (subscript_expression) @scope]
    property: [(property_identifier) (private_property_identifier)] @name)
  right: [
    (function_expression body: (_) @body)
    (arrow_function body: (statement_block) @body)
    (arrow_function)
    (generator_function body: (_) @body)
  ]) @definition.method

; Type.defaults = { ... }, this.handlers = { ... }, module.exports = { ... }
(assignment_expression
  left: (member_expression
    object: [(this) (identifier) @scope (member_expression) @scope (call_expression) @scope (subscript_expression) @scope]
    property: [(property_identifier) (private_property_identifier)] @name)
  right: (object) @body) @definition.property

; The members of an object literal.
(pair
  key: [(property_identifier) @name (string (string_fragment) @name)]
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @definition.method
(pair key: [(property_identifier) @name (string (string_fragment) @name)]) @definition.property

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
