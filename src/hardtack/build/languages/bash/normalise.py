"""Shell names: an alias is written ``name=text``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name of an alias without its text."""
    return name.partition("=")[0], scope
