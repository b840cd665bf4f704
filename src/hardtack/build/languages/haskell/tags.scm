(header module: (module) @name @package) @definition.module

; A function is its type signature and the equations that follow it ...
(_ (signature name: [(variable) (prefix_id)] @name) @definition.function
  . [(function) (bind)]* @body @definition.function)
(signature names: (binding_list [(variable) (prefix_id)] @name)) @definition.function
; ... or, where it has none, the first of its equations.
(declarations
  [(bind) (class) (data_family) (data_type) (fixity) (foreign_import) (instance) (newtype) (pattern_synonym) (top_splice) (type_family)
   (type_instance) (type_synomym)]
  . [
    (function name: [(variable) (prefix_id)] @name match: (_) @body) @definition.function
    (function (infix operator: (_) @name) match: (_) @body) @definition.function
    (bind name: (variable) @name match: (_) @body) @definition.function
  ])
(declarations . [
  (function name: [(variable) (prefix_id)] @name match: (_) @body) @definition.function
  (bind name: (variable) @name match: (_) @body) @definition.function
])
; What an instance says of its class.
(instance_declarations [
  (function name: [(variable) (prefix_id)] @name match: (_) @body) @definition.function
  (function (infix operator: (_) @name) match: (_) @body) @definition.function
  (bind name: [(variable) (prefix_id)] @name match: (_) @body) @definition.function
])
(declarations (bind pattern: (_ (variable) @name)) @definition.function)
(declarations (bind pattern: (_ (tuple (variable) @name))) @definition.function)
(foreign_import (signature name: (variable) @name)) @definition.function

(data_type name: (_) @name constructors: (_)? @body) @definition.type
(newtype name: (_) @name constructor: (_)? @body) @definition.type
(type_synomym name: (_) @name) @definition.type
(type_family name: (_) @name) @definition.type
(data_family name: (_) @name) @definition.type
(kind_signature name: (_) @name) @definition.type
(class name: (_) @name declarations: (_)? @body) @definition.interface
(instance name: (_) @name declarations: (_)? @body) @definition.block

(data_constructor [
  (prefix name: (constructor) @name)
  (record name: (constructor) @name)
  (infix operator: (_) @name)
]) @definition.enum_member
(newtype_constructor name: (_) @name) @definition.enum_member
(gadt_constructor name: (_) @name) @definition.enum_member
(field name: (field_name (variable) @name)) @definition.field
(pattern_synonym (equation synonym: [(constructor) @name (apply function: (constructor) @name) (apply function: (apply function: (constructor) @name))])) @definition.function

(imports (import) @import)
[(comment) (haddock) (pragma)] @comment
