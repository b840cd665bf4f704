"""Docker Compose: YAML that is recognised by its content."""
