"""Helm values: YAML that is recognised by its content."""
