"""GitLab CI: YAML that is recognised by its content."""
