(namespace_declaration name: (_) @name @package body: (_) @body) @definition.namespace
(file_scoped_namespace_declaration name: (_) @name @package) @definition.namespace

; What stands for a block "extension(...)" is no class: its members belong to the class around it. Its keyword tells in the file's
; text, its name in text that was repaired.
((class_declaration "class" @_keyword name: (identifier) @name body: (_)? @body) @definition.class
  (#set! match._keyword "class")
  (#set! match.name "(?!_0_$).*"))
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.enum_member
(delegate_declaration name: (identifier) @name) @definition.type

(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.constructor
(destructor_declaration "~" @name name: (identifier) @name body: (_)? @body) @definition.method
(method_declaration (explicit_interface_specifier [(identifier) (qualified_name) (generic_name)] @scope)? name: (identifier) @name body: (_)? @body) @definition.method
(conversion_operator_declaration "operator" @name type: (_) @name body: (_)? @body) @definition.method
(operator_declaration "operator" @name operator: _ @name body: (_)? @body) @definition.method
(local_function_statement name: (identifier) @name body: (_)? @body) @definition.function
(indexer_declaration (explicit_interface_specifier [(identifier) (qualified_name) (generic_name)] @scope)? "this" @name accessors: (_)? @body) @definition.property
(property_declaration (explicit_interface_specifier [(identifier) (qualified_name) (generic_name)] @scope)? name: (identifier) @name accessors: (_)? @body) @definition.property
(event_declaration (explicit_interface_specifier [(identifier) (qualified_name) (generic_name)] @scope)? name: (identifier) @name accessors: (_)? @body) @definition.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition.property))
((field_declaration (modifier) @_modifier (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant))
  (#set! match._modifier "const"))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition.field))
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.property))

[(field_declaration) (event_field_declaration)] @outer
(using_directive) @import
(comment) @comment
(attribute_list) @attribute
