(package_clause (package_identifier) @name @package) @definition.package

(function_declaration name: (identifier) @name body: (block)? @body) @definition.function

; Methods are qualified by their receiver's type: Context.JSON.
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [
      (type_identifier) @scope
      (generic_type type: (type_identifier) @scope)
      (pointer_type [(type_identifier) @scope (generic_type type: (type_identifier) @scope)])
    ]))
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type

(field_declaration name: (field_identifier) @name) @definition.field
; An embedded type is a field that is named by the type.
(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (type_identifier) @name)
  (generic_type type: [(type_identifier) @name (qualified_type name: (type_identifier) @name)])
]) @definition.field
(method_elem name: (field_identifier) @name) @definition.method

(source_file (const_declaration (const_spec (identifier) @name) @definition.constant))
(source_file (var_declaration [
  (var_spec name: (identifier) @name) @definition.variable
  (var_spec_list (var_spec name: (identifier) @name) @definition.variable)
]))

[(const_declaration) (var_declaration) (type_declaration)] @outer
(source_file (import_declaration) @import)
(comment) @comment
