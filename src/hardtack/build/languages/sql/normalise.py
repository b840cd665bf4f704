"""SQL names: ``"user"``, `` `user` `` and ``[user]`` -> ``user``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the quotes around it; names have no scope here."""
    return name[1:-1] if name[:1] in ('"', "`", "[", "'") and len(name) > 2 else name, scope
