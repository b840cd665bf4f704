"""C++ names: ``ns::Type<T>`` -> ``ns.Type``."""

from __future__ import annotations

import re

_ARGUMENTS = re.compile(r"<[^<>]*>")


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name as written, the scope with dots for colons and without template arguments."""
    previous = ""
    while previous != scope:
        previous, scope = scope, _ARGUMENTS.sub("", scope)
    return name, ".".join(part.strip() for part in scope.split("::") if part.strip())
