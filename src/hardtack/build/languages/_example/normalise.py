"""Only where the query cannot say it: from names as they are written to names as people say them."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name and the scope that qualifies it (parts joined by dots), each without the source's punctuation."""
    return name.strip("'"), scope.replace("::", ".")
