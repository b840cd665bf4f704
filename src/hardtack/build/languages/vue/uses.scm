; A component is used by its tag; what the names of HTML's own elements mean is found nowhere.
(start_tag (tag_name) @call)
(self_closing_tag (tag_name) @call)
(interpolation (raw_text) @names)
(directive_attribute (quoted_attribute_value (attribute_value) @names))
