"""Kotlin names: `` `opens twice` `` -> ``opens twice``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name and the scope without backticks."""
    return name.strip("`"), scope.replace("`", "")
