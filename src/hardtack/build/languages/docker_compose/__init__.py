"""Docker Compose: YAML told by its content."""
