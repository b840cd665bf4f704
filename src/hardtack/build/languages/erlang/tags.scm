(module_attribute name: (atom) @name @package) @definition.module

; Each clause of a function is a definition of its own.
(fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @definition.function

(record_decl name: (atom) @name) @definition.struct
(record_decl fields: (record_field name: (atom) @name) @definition.field)
(type_alias name: (type_name name: (atom) @name)) @definition.type
(opaque name: (type_name name: (atom) @name)) @definition.type
(callback fun: (atom) @name) @definition.method
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro

[(pp_include) (pp_include_lib) (import_attribute)] @import
(comment) @comment
(spec) @attribute
