; An object is named by its kind and its name.
((block_mapping
  (block_mapping_pair key: (_ (plain_scalar) @_kind) value: (_ (plain_scalar) @scope))
  (block_mapping_pair key: (_ (plain_scalar) @_metadata) value: (_ (_ [
    (block_mapping_pair key: (_ (plain_scalar) @_name) value: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name))
    (flow_pair key: (_ (plain_scalar) @_name) value: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name))
  ])))) @definition.resource
  (#set! match._kind "kind")
  (#set! match._metadata "metadata")
  (#set! match._name "name|generateName"))
; Where a template fills in its metadata, by its kind alone; so is a list.
((block_mapping
  (block_mapping_pair key: (_ (plain_scalar) @_kind) value: (_ (plain_scalar) @name))
  (block_mapping_pair key: (_ (plain_scalar) @_metadata) !value)) @definition.resource
  (#set! match._kind "kind")
  (#set! match._metadata "metadata"))
((block_mapping
  (block_mapping_pair key: (_ (plain_scalar) @_kind) value: (_ (plain_scalar) @name))
  (block_mapping_pair key: (_ (plain_scalar) @_items))) @definition.resource
  (#set! match._kind "kind")
  (#set! match.name "\\w*List")
  (#set! match._items "items"))

(block_mapping_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name) value: (block_node)? @body) @definition.key
(flow_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)) @definition.key
(comment) @comment
