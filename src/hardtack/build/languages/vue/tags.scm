(template_element (start_tag . (tag_name) @name) . (_)? @body) @definition.section

; Elements are named by their id, slots by their name.
((element
  [
    (start_tag (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  ]
  . (_)? @body) @definition.element
  (#set! match._key "id"))
((element
  [
    (start_tag
      (tag_name) @_tag
      (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag
      (tag_name) @_tag
      (attribute (attribute_name) @_key [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  ]
  . (_)? @body) @definition.element
  (#set! match._tag "slot")
  (#set! match._key "name"))

; Scripts and styles are read as what they say they are; one that says nothing is JavaScript or CSS.
((script_element (start_tag (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @embedded.language))) (raw_text) @embedded)
  (#set! match._key "lang"))
((script_element (raw_text) @embedded) (#set! language "javascript"))
((style_element (start_tag (attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @embedded.language))) (raw_text) @embedded)
  (#set! match._key "lang"))
((style_element (raw_text) @embedded) (#set! language "css"))
(comment) @comment
