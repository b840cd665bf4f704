"""XML: elements with an id."""
