(class_interface . (identifier) @name [(instance_variables) (method_declaration) (property_declaration)]? @body) @definition.class
(class_implementation . (identifier) @name [(instance_variables) (implementation_definition)]? @body) @definition.block
(protocol_declaration . (identifier) @name [(method_declaration) (property_declaration) (qualified_protocol_interface_declaration)]? @body) @definition.interface
; A category of a class lies in it.
(class_interface category: (identifier) @name @definition.block)
(class_implementation category: (identifier) @name @definition.block)

; A method is named by its selector: the words and the colons of all its parts.
(method_declaration . (method_type)? . (identifier) @name . ((identifier)? . (method_parameter) @name)*) @definition.method
(method_definition . (method_type)? . (identifier) @name . ((identifier)? . (method_parameter) @name)* (compound_statement) @body) @definition.method
; One outside of an implementation that a macro begins (a test's) reads as an expression before a block.
(translation_unit
  (expression_statement (unary_expression operator: ["-" "+"] argument: (cast_expression value: (identifier) @name))) @definition.method
  . (compound_statement) @body @definition.method)
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))
  (_ (_ declarator: (identifier) @name))
  (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
  (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
]))) @definition.property
(instance_variable (struct_declaration (struct_declarator [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))
])) @definition.field)

; include c/tags.scm
(module_import) @import
