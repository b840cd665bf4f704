"""GitHub Actions: YAML told by its content."""
