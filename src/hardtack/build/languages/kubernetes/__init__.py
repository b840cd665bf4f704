"""Kubernetes: YAML that is recognised by its content."""
