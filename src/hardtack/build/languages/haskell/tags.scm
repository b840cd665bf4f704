(header module: (module) @name @package) @definition.module

; A function is its equations; the first one's begins with its type signature. A query cannot compare names, so each of several
; equations stands for itself, as the clauses of other languages do.
(declarations
  (signature name: [(variable) (prefix_id)]) @definition.function
  . [(pragma) (comment) (haddock)]*
  . [
    (function name: [(variable) (prefix_id)] @name match: (_) @body)
    (function (infix operator: (_) @name) match: (_) @body)
    (bind name: [(variable) (prefix_id)] @name match: (_) @body)
  ] @definition.function)
(declarations [
  (function name: [(variable) (prefix_id)] @name match: (_) @body) @definition.function
  (function (infix operator: (_) @name) match: (_) @body) @definition.function
  (bind name: [(variable) (prefix_id)] @name match: (_) @body) @definition.function
])
; A signature by itself: of a class' method, of several names, or apart from its equations.
(class_declarations (signature name: [(variable) (prefix_id)] @name) @definition.function)
(declarations
  (signature name: [(variable) (prefix_id)] @name) @definition.function
  . [(pragma) (comment) (haddock)]*
  . [(signature) (data_type) (newtype) (class) (instance) (type_synomym) (fixity) (foreign_import)])
(signature names: (binding_list [(variable) (prefix_id)] @name)) @definition.function
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
