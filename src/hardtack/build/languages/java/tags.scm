(package_declaration [(scoped_identifier) (identifier)] @name @package) @definition.package

(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name body: (_)? @body) @definition.enum_member

(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method

(field_declaration declarator: (variable_declarator name: (identifier) @name) @definition.field)
(constant_declaration declarator: (variable_declarator name: (identifier) @name) @definition.constant)
; The components of a record are its properties: each is read by a method of its name.
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.property))

[(field_declaration) (constant_declaration)] @outer
(import_declaration) @import
[(line_comment) (block_comment)] @comment
[(annotation) (marker_annotation)] @attribute
