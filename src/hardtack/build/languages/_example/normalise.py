"""Needed only if the query cannot capture names without the source's punctuation."""

from __future__ import annotations


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The name and the scope that qualifies it (parts joined by dots), each without the source's punctuation."""
    return name.strip("'"), scope.replace("::", ".")
