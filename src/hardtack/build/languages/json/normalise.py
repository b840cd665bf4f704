"""JSON names: ``"scripts"`` -> ``scripts``, escapes kept as written."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the quotes around it; names have no scope here."""
    return name[1:-1], scope
