(module_binding (module_name) @name body: (_)? @body) @definition.module
(module_type_definition (module_type_name) @name body: (_)? @body) @definition.interface

; A value with parameters, or one that is a function, is a function.
(let_binding pattern: [(value_name) (parenthesized_operator)] @name (parameter) body: (_) @body) @definition.function
(let_binding pattern: [(value_name) (parenthesized_operator)] @name body: [(fun_expression) (function_expression)] @body) @definition.function
(compilation_unit (value_definition (let_binding pattern: [
  (value_name) @name
  (parenthesized_operator) @name
  (tuple_pattern (value_name) @name)
  (typed_pattern pattern: (value_name) @name)
]) @definition.variable))
(structure (value_definition (let_binding pattern: [
  (value_name) @name
  (parenthesized_operator) @name
  (tuple_pattern (value_name) @name)
  (typed_pattern pattern: (value_name) @name)
]) @definition.variable))
(value_specification [(value_name) (parenthesized_operator)] @name type: (function_type)) @definition.function
(value_specification [(value_name) (parenthesized_operator)] @name) @definition.variable
(external [(value_name) (parenthesized_operator)] @name) @definition.function

(type_binding name: [(type_constructor) @name (type_constructor_path (type_constructor) @name)] body: (_)? @body) @definition.type
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(constructor_declaration (constructor_name) @name) @definition.enum_member
(type_binding (_ (tag_specification (tag) @name) @definition.enum_member))
(field_declaration (field_name) @name) @definition.field

(class_binding (class_name) @name body: (_)? @body) @definition.class
(class_type_binding (class_type_name) @name body: (_)? @body) @definition.interface
(method_definition (method_name) @name body: (_)? @body) @definition.method
(method_specification (method_name) @name) @definition.method
(instance_variable_definition (instance_variable_name) @name) @definition.field
(instance_variable_specification (instance_variable_name) @name) @definition.field

[(value_definition) (type_definition) (module_definition) (class_definition) (class_type_definition)] @outer
[(open_module) (include_module)] @import
(comment) @comment
(item_attribute) @attribute
