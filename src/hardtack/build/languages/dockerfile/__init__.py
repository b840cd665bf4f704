"""Dockerfile: stages, and the variables and labels they set."""
