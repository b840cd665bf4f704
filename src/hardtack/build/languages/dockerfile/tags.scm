; A stage reaches to the next FROM; one without a name is named by its image.
((from_instruction as: (image_alias) @name) @definition.stage (#set! until "next"))
((from_instruction !as (image_spec name: (image_name) @name)) @definition.stage (#set! until "next"))

(arg_instruction name: (_) @name) @definition.variable
(env_pair name: (_) @name) @definition.variable
(label_pair key: (_) @name) @definition.key
(env_instruction) @outer
(comment) @comment
