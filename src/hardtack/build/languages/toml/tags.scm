(table [(bare_key) (dotted_key) (quoted_key)] @name "]" . (pair)? @body) @definition.key
(table_array_element [(bare_key) (dotted_key) (quoted_key)] @name "]]" . (pair)? @body) @definition.key
(pair [(bare_key) (dotted_key) (quoted_key)] @name) @definition.key
(comment) @comment
