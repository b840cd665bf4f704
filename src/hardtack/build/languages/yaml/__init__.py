"""YAML: keys."""
