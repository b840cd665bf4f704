"""Argo CD: YAML that is recognised by its content."""
