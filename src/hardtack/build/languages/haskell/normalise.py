"""Haskell names: ``(<+>)`` -> ``<+>``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the brackets around an operator."""
    return name.strip("() ") or name, scope
