"""Nix names: ``"quoted name"`` -> ``quoted name``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The path without quotes; names have no scope here."""
    return name.replace('"', "") or name, scope
