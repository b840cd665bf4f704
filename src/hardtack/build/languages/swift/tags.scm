(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(class_declaration "struct" name: (type_identifier) @name body: (_) @body) @definition.struct
(class_declaration "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
; An extension is named by its type, and so are the members in it.
(class_declaration "extension" . (_) @name body: (_) @body) @definition.block
(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(enum_entry name: (simple_identifier) @name) @definition.enum_member
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type

(function_declaration name: [(simple_identifier) (custom_operator)] @name body: (_)? @body) @definition.function
; An operator is a token of the grammar; to list them here would take longer than all other patterns of this file to compile.
((function_declaration "func" . _ @name) @definition.function (#set! match.name "[!=<>]=|[-<>+*/%]"))
(protocol_function_declaration name: [(simple_identifier) (custom_operator)] @name) @definition.function
((protocol_function_declaration "func" . _ @name) @definition.function (#set! match.name "[!=<>]=|[-<>+*/%]"))
(init_declaration "init" @name body: (_)? @body) @definition.constructor
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.method
(macro_declaration (simple_identifier) @name) @definition.macro
(operator_declaration (custom_operator) @name) @definition.function
(precedence_group_declaration . (simple_identifier) @name (precedence_group_attributes)? @body) @definition.block

(source_file (property_declaration
  (value_binding_pattern "let")
  name: (pattern [(simple_identifier) @name (pattern (simple_identifier) @name)])) @definition.constant)
(source_file (property_declaration
  name: (pattern [(simple_identifier) @name (pattern (simple_identifier) @name)])
  computed_value: (_)? @body) @definition.variable)
([
  (class_body (property_declaration
    name: (pattern [(simple_identifier) @name (pattern (simple_identifier) @name)])
    computed_value: (_)? @body) @definition.property)
  (enum_class_body (property_declaration
    name: (pattern [(simple_identifier) @name (pattern (simple_identifier) @name)])
    computed_value: (_)? @body) @definition.property)
  (protocol_body (protocol_property_declaration name: (pattern (simple_identifier) @name)) @definition.property)
])

(import_declaration) @import
[(comment) (multiline_comment)] @comment
(attribute) @attribute
