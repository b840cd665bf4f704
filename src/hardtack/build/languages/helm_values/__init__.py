"""Helm values: YAML told by its content."""
