"""Names of symbols in; their descriptors, and the places that use them, out."""
