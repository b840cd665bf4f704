(library_name (dotted_identifier_list) @name @package) @definition.package

(class_definition name: (identifier) @name body: (_)? @body) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (mixin) . (identifier) @name (class_body)? @body) @definition.trait
(extension_declaration name: (identifier) @name body: (_)? @body) @definition.block
(extension_type_declaration name: (identifier) @name body: (_)? @body) @definition.class
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.enum_member
(representation_declaration name: (identifier) @name) @definition.field
(type_alias "typedef" . (type_identifier) @name . "=") @definition.type
(type_alias (type_identifier) @name . [(formal_parameter_list) (type_parameters)]) @definition.type

; A signature and the body that follows it are two nodes and one definition.
((method_signature [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
  (operator_signature "operator" . (_) @name)
]) @definition.method
  . (function_body) @body @definition.method)
(_ (declaration [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
  (operator_signature "operator" . (_) @name)
]) @definition.method)
; A constructor is named by its last word: named in Crate.named.
((method_signature [
  (constructor_signature (identifier) @name . (formal_parameter_list))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  (constant_constructor_signature (identifier) @name . (formal_parameter_list))
]) @definition.constructor
  . (function_body) @body @definition.constructor)
(declaration [
  (constructor_signature (identifier) @name . (formal_parameter_list))
  (constant_constructor_signature [(identifier) (qualified)] @name . (formal_parameter_list))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
]) @definition.constructor
((function_signature name: (identifier) @name) @definition.function . (function_body) @body @definition.function)
((getter_signature name: (identifier) @name) @definition.function . (function_body) @body @definition.function)
((setter_signature name: (identifier) @name) @definition.function . (function_body) @body @definition.function)
(program [
  (function_signature name: (identifier) @name) @definition.function
  (getter_signature name: (identifier) @name) @definition.function
])

(declaration [
  (static_final_declaration_list (static_final_declaration . (identifier) @name))
  (initialized_identifier_list (initialized_identifier . (identifier) @name))
  (identifier_list (identifier) @name)
]) @definition.field
; What stands before a top-level variable is no part of its node.
(program
  (const_builtin) @definition.constant
  . [(type_identifier) (type_arguments) (nullable_type) "." (function_type)]*
  . (static_final_declaration_list (static_final_declaration . (identifier) @name)) @definition.constant)
(program
  "late"? @definition.variable
  . (final_builtin) @definition.variable
  . [(type_identifier) (type_arguments) (nullable_type) "." (function_type)]*
  . [
    (static_final_declaration_list (static_final_declaration . (identifier) @name))
    (initialized_identifier_list (initialized_identifier . (identifier) @name))
  ] @definition.variable)
(program
  "late"? @definition.variable
  . [(inferred_type) (type_identifier)] @definition.variable
  . [(type_identifier) (type_arguments) (nullable_type) "."]*
  . (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.variable)

(import_or_export) @import
[(comment) (documentation_comment)] @comment
(annotation) @attribute
