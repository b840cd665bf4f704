"""Kubernetes: YAML told by its content."""
