"""C++: names are qualified by what stands before their last double colon."""
