(package_statement name: (package) @name @package (block)? @body) @definition.package
(class_statement name: (package) @name (block)? @body) @definition.class
(role_statement name: (package) @name (block)? @body) @definition.trait

(subroutine_declaration_statement name: (bareword) @name body: (_)? @body) @definition.function
(method_declaration_statement name: (bareword) @name body: (_)? @body) @definition.method

(class_statement (block (expression_statement [
  (variable_declaration "field" (_ (varname) @name))
  (assignment_expression left: (variable_declaration "field" (_ (varname) @name)))
] @definition.field)))

; use constant NAME => value; and use constant { NAME => value };
((use_statement module: (package) @_module (list_expression . (autoquoted_bareword) @name)) @definition.constant
  (#set! match._module "constant"))
((use_statement module: (package) @_module (autoquoted_bareword) @name) @definition.constant
  (#set! match._module "constant"))
((use_statement module: (package) @_module (anonymous_hash_expression (list_expression (autoquoted_bareword) @name @definition.constant)))
  (#set! match._module "constant"))

; Attributes of Moose and its kin.
((ambiguous_function_call_expression
  function: (function) @_word
  arguments: [(autoquoted_bareword) @name (string_literal content: (_) @name) (interpolated_string_literal content: (_) @name)]) @definition.property
  (#set! match._word "has"))

(source_file (expression_statement [
  (variable_declaration (_ (varname) @name))
  (assignment_expression left: (variable_declaration (_ (varname) @name)))
] @definition.variable))

(use_statement) @import
[(comment) (pod)] @comment
