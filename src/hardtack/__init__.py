"""Hardtack: code search baked once in CI, carried anywhere."""

__version__ = "0.1.0"
