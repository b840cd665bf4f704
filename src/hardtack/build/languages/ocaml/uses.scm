[
  (value_name) (type_constructor) (constructor_name) (field_name) (module_name) (module_type_name) (class_name) (method_name)
  (instance_variable_name)
] @name
(application_expression function: [(value_path (value_name) @call) (constructor_path (constructor_name) @call)])
(method_invocation method: (method_name) @call)
(new_expression (class_path (class_name) @call))
(attribute_id) @skip

(value_pattern) @local
(let_binding pattern: (value_name) @local @skip)
(field_pattern . (field_path (field_name) @local) .)
(module_parameter (module_name) @local @skip)
(let_expression) @scope
(fun_expression) @scope
(function_expression) @scope
(match_case) @scope
(module_binding) @scope
(class_binding) @scope
