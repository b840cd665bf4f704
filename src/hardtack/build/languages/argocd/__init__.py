"""Argo CD: YAML told by its content."""
