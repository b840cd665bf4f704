"""Elixir names: ``Yard.Crate`` is ``Crate`` in ``Yard``; ``:label`` and ``content: `` are ``label`` and ``content``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """An alias split at its last dot, a word without the colon of an atom or a keyword; an operator unchanged."""
    if name[:1].isupper() and "." in name and " " not in name:
        scope, _, name = name.rpartition(".")
    bare = name.strip(":")
    return (bare if bare[:1].isalpha() or bare[:1] == "_" else name), scope
