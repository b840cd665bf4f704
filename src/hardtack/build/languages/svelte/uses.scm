; A component is used by its tag; what the names of HTML's own elements mean is found nowhere.
(start_tag (tag_name) @call)
(self_closing_tag (tag_name) @call)
[(raw_text_expr) (raw_text_each) (raw_text_await)] @names
