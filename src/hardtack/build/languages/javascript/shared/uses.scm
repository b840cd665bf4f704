; What the grammars of JavaScript and TypeScript both have. $TYPE is the name of a class, $FIELD a field and the key of its name.
[(identifier) (shorthand_property_identifier) (property_identifier) (private_property_identifier)] @applied
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
(decorator [(identifier) @call (member_expression property: (property_identifier) @call)])
(pair_pattern key: (property_identifier) @member)

; What is defined here, be it a symbol or not.
(pair key: (property_identifier) @skip)
(method_definition name: [(property_identifier) (private_property_identifier)] @skip)
($FIELD [(property_identifier) (private_property_identifier)] @skip)

(import_clause (identifier) @skip)
(import_specifier name: (_) @skip alias: (_) @skip)
(namespace_import (identifier) @skip)
(export_specifier alias: (_) @skip)
(export_statement (export_clause (export_specifier name: (_) @skip alias: (_))) source: (_))
(namespace_export (_) @skip)

(arrow_function parameter: (identifier) @local)
(lexical_declaration (variable_declarator name: (identifier) @local))
(variable_declaration (variable_declarator name: (identifier) @hoisted))
(shorthand_property_identifier_pattern) @local
(pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
(array_pattern [(identifier) @local (assignment_pattern left: (identifier) @local)])
(rest_pattern (identifier) @local)
(for_in_statement left: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(class name: $TYPE @local)
; Those that are symbols are found as such.
(function_declaration name: (identifier) @local)
(class_declaration name: $TYPE @local)

[
  (arrow_function)
  (function_expression)
  (generator_function)
  (method_definition)
  (function_declaration)
  (generator_function_declaration)
  (class)
] @scope
[
  (statement_block)
  (for_statement)
  (for_in_statement)
  (catch_clause)
  (switch_body)
] @block
