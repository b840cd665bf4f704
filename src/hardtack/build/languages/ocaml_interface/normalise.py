"""OCaml names: ``( <+> )`` -> ``<+>``, `` `Square`` -> ``Square``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the brackets around an operator or the backtick of a tag; names have no scope here."""
    return name.strip("()` ") or name, scope
