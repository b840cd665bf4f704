"""GitLab CI: YAML told by its content."""
