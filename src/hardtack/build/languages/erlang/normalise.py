"""Erlang names: ``'quoted name'`` -> ``quoted name``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the quotes around an atom; names have no scope here."""
    return name.strip("'") or name, scope
