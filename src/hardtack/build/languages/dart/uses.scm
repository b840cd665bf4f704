[(identifier) (type_identifier) (identifier_dollar_escaped)] @name
; What is called stands beside its arguments, not around them.
((identifier) @call . (selector (argument_part)))
((selector [(unconditional_assignable_selector (identifier) @call) (conditional_assignable_selector (identifier) @call)]) . (selector (argument_part)))
((unconditional_assignable_selector (identifier) @call) . [(selector (argument_part)) (argument_part)])
((cascade_selector (identifier) @call) . (argument_part))
(new_expression (type_identifier) @call . [(arguments) (type_arguments)])
(new_expression (identifier) @call . (arguments))
(const_object_expression (type_identifier) @call . [(arguments) (type_arguments)])
(const_object_expression (identifier) @call . (arguments))
(annotation name: (identifier) @call (arguments))

(label (identifier) @skip)
(typed_identifier (identifier) @skip)
(library_name (dotted_identifier_list (identifier) @skip))
(import_specification (identifier) @skip)
(constructor_signature name: (identifier) @skip)
(constant_constructor_signature (identifier) @skip)
(factory_constructor_signature (identifier) @skip)
(redirecting_factory_constructor_signature (identifier) @skip)

(formal_parameter name: (identifier) @local @skip)
(formal_parameter . (identifier) @local @skip .)
(initialized_variable_definition name: (identifier) @local @skip)
(initialized_identifier . (identifier) @local)
(for_loop_parts name: (identifier) @local @skip)
(catch_parameters (identifier) @local @skip)
(variable_pattern (identifier) @local @skip)
(pattern_variable_declaration (record_pattern (constant_pattern (identifier) @local @skip)))
(type_parameter (type_identifier) @local @skip)
(function_expression) @scope
(class_definition) @scope
(extension_declaration) @scope
(mixin_declaration) @scope

[(block) (for_statement) (switch_statement_case)] @block
