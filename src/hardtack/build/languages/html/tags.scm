; A heading's name is its text up to the first markup in it.
((element (start_tag (tag_name) @_tag) . (text) @name) @definition.section
  (#set! match._tag "[hH][1-6]"))

; Elements are named by their id, anchors by their name too.
((element
  [
    (start_tag (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  ]
  . (_)? @body) @definition.element
  (#set! match._key "[iI][dD]"))
((element
  (start_tag
    (tag_name) @_tag
    (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  . (_)? @body) @definition.element
  (#set! match._tag "[aA]")
  (#set! match._key "[nN][aA][mM][eE]"))
(comment) @comment
