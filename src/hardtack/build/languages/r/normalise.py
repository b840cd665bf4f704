"""R names: `` `%stow%` `` -> ``%stow%``, ``"f"`` -> ``f``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without backticks or quotes."""
    return name.strip("`\"'") or name, scope
