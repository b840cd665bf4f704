"""The tools over the Model Context Protocol; only this package imports its SDK."""
