(block_mapping_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name) value: (block_node)? @body) @definition.key
(flow_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)) @definition.key
(comment) @comment
