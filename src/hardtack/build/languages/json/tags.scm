(pair key: (string (_)) @name) @definition.key
(comment) @comment
