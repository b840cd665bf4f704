(function_item name: (identifier) @name body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function

(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @definition.struct
(union_item name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_variant name: (identifier) @name) @definition.enum_member
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(field_declaration name: (field_identifier) @name) @definition.field

; An impl block is named by its type, and so are the methods in it.
(impl_item
  type: [
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)])
    (reference_type type: [(type_identifier) @name (primitive_type) @name (generic_type type: (type_identifier) @name)])
    (dynamic_type trait: [(type_identifier) @name (generic_type type: (type_identifier) @name)])
    (tuple_type) @name
    (array_type) @name
    (macro_invocation) @name
    (unit_type) @name
    (function_type) @name
    (pointer_type) @name
    (never_type) @name
  ]
  body: (_)? @body) @definition.block

(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(macro_definition name: (identifier) @name . (macro_rule)? @body) @definition.macro
(mod_item name: (identifier) @name body: (_)? @body) @definition.module

(source_file [(use_declaration) (extern_crate_declaration)] @import)
[(line_comment) (block_comment)] @comment
(attribute_item) @attribute
