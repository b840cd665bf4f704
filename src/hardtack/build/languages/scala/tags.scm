(package_clause name: (package_identifier) @name @package body: (_)? @body) @definition.package
(package_object name: (_) @name body: (_)? @body) @definition.module

(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(class_definition name: (_) @name body: (_)? @body) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.class
(enum_definition name: (_) @name body: (_)? @body) @definition.enum
[(simple_enum_case name: (_) @name) (full_enum_case name: (_) @name)] @definition.enum_member
(type_definition name: (_) @name) @definition.type
(given_definition name: (_) @name body: (_)? @body) @definition.constant

(function_definition name: (_) @name body: (_)? @body) @definition.function
(function_declaration name: (_) @name) @definition.function

; Members and top-level values; spelt in capitals they are meant as constants.
((val_definition pattern: (identifier) @name) @definition.constant
  (#set! match.name "[A-Z][A-Z0-9_]+")
  (#set! outside "function"))
(_ [
  (val_definition pattern: (identifier) @name)
  (val_definition pattern: (identifiers (identifier) @name))
  (val_definition pattern: (tuple_pattern (identifier) @name))
  (val_definition pattern: (typed_pattern pattern: (identifier) @name))
  (val_declaration name: (identifier) @name)
  (var_definition pattern: (identifier) @name)
  (var_definition pattern: (identifiers (identifier) @name))
  (var_definition pattern: (tuple_pattern (identifier) @name))
  (var_declaration name: (identifier) @name)
] @definition.variable
  (#set! outside "function"))
; Parameters that are val or var, and all of a case class, declare members.
(class_parameter ["val" "var"] name: (identifier) @name) @definition.field
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name) @definition.field))
(full_enum_case class_parameters: (class_parameters (class_parameter name: (identifier) @name) @definition.field))

(import_declaration) @import
[(comment) (block_comment)] @comment
(annotation) @attribute
