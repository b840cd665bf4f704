; An element with an id is named by it; one quote stands on each side of the value.
((element [(STag (Attribute (Name) @_key (AttValue) @name)) (EmptyElemTag (Attribute (Name) @_key (AttValue) @name))] (content)? @body) @definition.element
  (#set! match._key "id|xml:id"))
(Comment) @comment
