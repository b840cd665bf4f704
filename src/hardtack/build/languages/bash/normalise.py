"""Shell names: an alias is written ``name=``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the equals sign that a definition by ``alias`` carries."""
    return name.removesuffix("="), scope
