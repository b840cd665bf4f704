(module_binding (module_name) @name module_type: (_)? @body) @definition.module
(module_type_definition (module_type_name) @name body: (_)? @body) @definition.interface

(value_specification [(value_name) (parenthesized_operator)] @name type: (function_type)) @definition.function
(value_specification [(value_name) (parenthesized_operator)] @name) @definition.variable
(external [(value_name) (parenthesized_operator)] @name) @definition.function

(type_binding name: [(type_constructor) @name (type_constructor_path (type_constructor) @name)] body: (_)? @body) @definition.type
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(constructor_declaration (constructor_name) @name) @definition.enum_member
(type_binding (_ (tag_specification (tag) @name) @definition.enum_member))
(field_declaration (field_name) @name) @definition.field

(class_binding (class_name) @name class_type: (_)? @body) @definition.class
(class_type_binding (class_type_name) @name body: (_)? @body) @definition.interface
(method_specification (method_name) @name) @definition.method
(instance_variable_specification (instance_variable_name) @name) @definition.field

[(type_definition) (module_definition) (class_definition) (class_type_definition)] @outer
[(open_module) (include_module_type)] @import
(comment) @comment
(item_attribute) @attribute
