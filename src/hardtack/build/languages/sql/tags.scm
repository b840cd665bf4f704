(create_table (object_reference name: (_) @name) . (column_definitions)? @body) @definition.struct
(create_view (object_reference name: (_) @name)) @definition.struct
(create_materialized_view (object_reference name: (_) @name)) @definition.struct
((column_definition name: (_) @name) @definition.field
  (#set! match.name "[^@][\\s\\S]*"))
(create_index column: (_) @name) @definition.key
(create_function (keyword_function) . (object_reference name: (_) @name) (function_body)? @body) @definition.function
(create_type (keyword_type) . (object_reference name: (_) @name)) @definition.type
(create_trigger (keyword_trigger) . (object_reference name: (_) @name)) @definition.resource
(create_sequence (object_reference name: (_) @name)) @definition.resource
(create_schema (identifier) @name) @definition.namespace

(statement) @outer
[(comment) (marginalia)] @comment
