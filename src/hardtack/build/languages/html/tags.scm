; A heading's name is its text, without the markup in it.
; From its first piece to its last: a list of all would make the cost of nested elements grow with the cube of their depth.
((element (start_tag (tag_name) @_tag) . [(text) (element) (entity)] @name . (end_tag)) @definition.section
  (#set! match._tag "[hH][1-6]"))
((element (start_tag (tag_name) @_tag) . [(text) (element) (entity)] @name [(text) (element) (entity)] @name . (end_tag)) @definition.section
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
  [
    (start_tag (tag_name) @_tag (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag
      (tag_name) @_tag (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  ]
  . (_)? @body) @definition.element
  (#set! match._tag "[aA]")
  (#set! match._key "[nN][aA][mM][eE]"))

; Scripts and styles are read as what they say they are; one that says nothing is JavaScript or CSS.
((script_element (start_tag (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @_type))) (raw_text) @embedded)
  (#set! match._key "[tT][yY][pP][eE]")
  (#set! match._type "module|(text|application)/(x-)?(java|ecma)script|text/babel|text/jsx")
  (#set! language "javascript"))
((script_element (start_tag (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @embedded.language))) (raw_text) @embedded)
  (#set! match._key "[tT][yY][pP][eE]|[lL][aA][nN][gG]"))
((script_element (raw_text) @embedded) (#set! language "javascript"))
((style_element (start_tag (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @embedded.language))) (raw_text) @embedded)
  (#set! match._key "[tT][yY][pP][eE]|[lL][aA][nN][gG]"))
((style_element (raw_text) @embedded) (#set! language "css"))
(comment) @comment
