"""The request: a checked query, an analysis of its text, and the selection of chunks that pass its filters."""
