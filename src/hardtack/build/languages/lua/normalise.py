"""Lua names: scope ``Crate:lids`` -> ``Crate.lids``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name as it is, the scope with dots alone."""
    return name, "".join(scope.split()).replace(":", ".")
