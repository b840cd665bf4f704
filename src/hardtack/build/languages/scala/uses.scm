[(identifier) (type_identifier)] @applied
(instance_expression [(type_identifier) @call (generic_type type: (type_identifier) @call)])
(generic_function function: [(identifier) @call (field_expression field: (identifier) @call)])
(annotation name: (type_identifier) @call)

(package_identifier (identifier) @skip)
(import_declaration (identifier) @skip . (_))
(arrow_renamed_identifier (_) @skip)
(arguments (assignment_expression left: (identifier) @skip))
(interpolated_string_expression interpolator: (identifier) @skip)

(parameter name: (identifier) @local)
(class_parameter name: (identifier) @local)
(binding name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(enumerator . (identifier) @local)
(val_definition pattern: (identifier) @local)
(var_definition pattern: (identifier) @local)
(val_declaration name: (identifier) @local)
(typed_pattern pattern: (identifier) @local)
(capture_pattern name: (identifier) @local)
(type_parameters name: (identifier) @local)
(covariant_type_parameter name: (identifier) @local)
(contravariant_type_parameter name: (identifier) @local)
; What a pattern names is bound when it begins with a small letter, and looked up else.
(case_clause pattern: (identifier) @pattern)
(case_class_pattern pattern: (identifier) @pattern)
(tuple_pattern (identifier) @pattern)
(infix_pattern (identifier) @pattern)

(class_definition) @scope
(trait_definition) @scope
(enum_definition) @scope
(function_definition) @scope
(function_declaration) @scope
(extension_definition) @scope
(given_definition) @scope
(type_definition) @scope
(lambda_expression) @scope
(for_expression) @scope
(case_clause) @scope

(block) @block
