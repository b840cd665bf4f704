"""Elixir: definitions are calls of macros; struct fields are atoms and keywords."""
