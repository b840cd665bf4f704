"""Zig names: ``"crates open"`` -> ``crates open``, ``@"while"`` -> ``while``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the quotes of a test's title or of an identifier that needs them."""
    return name.removeprefix("@").strip('"') or name, scope
