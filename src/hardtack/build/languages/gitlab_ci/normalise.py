"""GitLab CI names: ``"a b"`` -> ``a b``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without the quotes around it; names have no scope here."""
    return name[1:-1] if name[:1] in ("'", '"') and name[:1] == name[-1:] and len(name) > 2 else name, scope
