"""TOML: keys and tables."""
