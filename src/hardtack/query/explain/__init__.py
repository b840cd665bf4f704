"""How a search came to its answer."""
