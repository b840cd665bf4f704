(schema_definition (description (string_value) @doc)? "schema" @name "{" @body) @definition.block
(object_type_definition (description (string_value) @doc)? (name) @name (fields_definition)? @body) @definition.class
(interface_type_definition (description (string_value) @doc)? (name) @name (fields_definition)? @body) @definition.interface
(input_object_type_definition (description (string_value) @doc)? (name) @name (input_fields_definition)? @body) @definition.struct
(enum_type_definition (description (string_value) @doc)? (name) @name (enum_values_definition)? @body) @definition.enum
(enum_value_definition (description (string_value) @doc)? (enum_value) @name) @definition.enum_member
(union_type_definition (description (string_value) @doc)? (name) @name) @definition.type
(scalar_type_definition (description (string_value) @doc)? (name) @name) @definition.type
(directive_definition (description (string_value) @doc)? (name) @name) @definition.function
(field_definition (description (string_value) @doc)? (name) @name) @definition.field
(input_fields_definition (input_value_definition (description (string_value) @doc)? (name) @name) @definition.field)

(object_type_extension (name) @name (fields_definition)? @body) @definition.class
(interface_type_extension (name) @name (fields_definition)? @body) @definition.interface
(input_object_type_extension (name) @name (input_fields_definition)? @body) @definition.struct
(enum_type_extension (name) @name (enum_values_definition)? @body) @definition.enum
(union_type_extension (name) @name) @definition.type
(scalar_type_extension (name) @name) @definition.type

(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name) @name (selection_set) @body) @definition.type

; A description belongs to what follows it.
(description) @attribute
(comment) @comment
