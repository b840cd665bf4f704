"""HTML: elements with an id, headings, anchors, and the scripts and styles in it."""
