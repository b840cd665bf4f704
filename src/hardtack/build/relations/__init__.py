"""Files of a bundle in, relations and references between their symbols out."""
