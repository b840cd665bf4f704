"""C++: names are qualified by the text before their last double colon."""
