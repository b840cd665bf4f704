"""SCSS names: ``$gap`` -> ``gap``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without a variable's dollar sign; names have no scope here."""
    return name.removeprefix("$"), scope
