"""C++ names: scope ``ns::Type<T>`` -> ``ns.Type``; the namespace ``a::b`` is ``b`` in ``a``."""

from __future__ import annotations

import re

_ARGUMENTS = re.compile(r"<[^<>]*>")

_LITERAL = re.compile(r'^operator\s*""\s*')


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The last part of the name, and all before it with dots for colons and without template arguments; ``operator""_km``."""
    name = _LITERAL.sub('operator""', name)
    if "::" in name and not name.startswith("operator"):
        head, _, name = name.rpartition("::")
        scope = f"{scope}::{head}"
    previous = ""
    while previous != scope:
        previous, scope = scope, _ARGUMENTS.sub("", scope)
    return name.strip(), ".".join(part.strip() for part in scope.split("::") if part.strip())
