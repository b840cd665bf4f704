"""Kotlin: a name may be written in backticks."""
