"""Shell names: an alias is written ``name=text``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the text that a definition by ``alias`` carries."""
    return name.partition("=")[0], scope
