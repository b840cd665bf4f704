; What stands right below services is a service.
((stream (document (block_node (block_mapping (block_mapping_pair
  key: (_ (plain_scalar) @_section)
  value: (block_node (block_mapping (block_mapping_pair
    key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)
    value: (block_node)? @body) @definition.resource)))))))
  (#set! match._section "services"))
(block_mapping_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name) value: (block_node)? @body) @definition.key
(flow_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)) @definition.key
(comment) @comment
