; What stands at the top and is none of GitLab's words is a job.
((stream (document (block_node (block_mapping (block_mapping_pair
  key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)
  value: (block_node (block_mapping)) @body) @definition.target))))
  (#set! match.name "(?!(?:after_script|before_script|cache|default|image|include|pages|services|spec|stages|variables|workflow)$).*"))
(block_mapping_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name) value: (block_node)? @body) @definition.key
(flow_pair key: (_ [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)) @definition.key
(comment) @comment
