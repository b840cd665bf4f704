[(type_constructor) (constructor_name) (field_name) (module_name) (module_type_name) (class_name) (method_name)] @name
(module_parameter (module_name) @skip)
