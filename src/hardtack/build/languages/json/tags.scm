(pair key: (string (_)) @name value: [(object) (array)] @body) @definition.key
(pair key: (string (_)) @name) @definition.key
(comment) @comment
