"""Ruby names: ``:title`` -> ``title``, scope ``A::B`` -> ``A.B``."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name without a symbol's colon, the scope with dots."""
    return name.removeprefix(":"), ".".join(part for part in scope.split("::") if part)
