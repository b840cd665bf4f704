"""JSON: keys."""
