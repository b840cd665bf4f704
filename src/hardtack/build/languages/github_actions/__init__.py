"""GitHub Actions: YAML that is recognised by its content."""
