"""A bundle in, a page for a browser out."""
