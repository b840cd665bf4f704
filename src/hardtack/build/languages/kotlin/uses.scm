[(simple_identifier) (type_identifier)] @applied
(interpolated_identifier) @name
; Called with a lambda.
(call_expression . (simple_identifier) @call (call_suffix . (annotated_lambda)))
(call_expression . (navigation_expression (navigation_suffix (simple_identifier) @call)) (call_suffix . (annotated_lambda)))
(callable_reference . "::" . (simple_identifier) @bare)
(annotation (user_type (type_identifier) @call .))

(package_header (identifier (simple_identifier) @skip))
(import_header (identifier (simple_identifier) @skip . (simple_identifier)))
(import_header (identifier (simple_identifier) @skip .) [(wildcard_import) (import_alias)])
(import_alias (type_identifier) @skip)
(value_argument . (simple_identifier) @skip . "=")

(class_parameter (simple_identifier) @local . ":")
(parameter . (simple_identifier) @local . ":")
(parameter_with_optional_type . (simple_identifier) @local)
(variable_declaration . (simple_identifier) @local)
(catch_block (simple_identifier) @local . ":")
(type_parameter (type_identifier) @local)

(lambda_literal) @scope
(anonymous_function) @scope
(anonymous_initializer) @scope
(secondary_constructor) @scope
(getter) @scope
(setter) @scope
(function_declaration) @scope
(function_type) @scope
(type_alias) @scope
(class_declaration [(primary_constructor) (type_parameters)]) @scope

[(statements) (control_structure_body) (for_statement) (catch_block) (when_expression)] @block
(property_declaration) @declaration
(for_statement (control_structure_body) @body) @declaration
