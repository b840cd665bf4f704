"""AsciiDoc: sections, anchors and the code that its listings hold."""
