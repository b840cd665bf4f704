"""The table ``members`` of a ``language.toml`` in, members of the language's standard library by what they give out."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """Names of members that types of a standard library have."""

    gives: frozenset[str] = frozenset()
    """Those of collections, options and pointers that give one thing inside."""
    keeps: frozenset[str] = frozenset()
    """Those that give the same things again, in the same or another collection."""
    values: frozenset[str] = frozenset()
    """Those of a map that give the collection of its values."""
    common: frozenset[str] = frozenset()
    """Those that many types have: where nothing else speaks for it, a call of one is no likely call of a member of that name."""

    def __or__(self, other: Members) -> Members:
        return Members(**{each.name: getattr(self, each.name) | getattr(other, each.name) for each in fields(Members)})


NO_MEMBERS: Final = Members()


def members_from(table: Mapping[str, Any], where: str) -> Members:
    """The members of a table in the file that ``where`` names.

    Raises:
        ValueError: it has another key, or one that is no list of strings.
    """
    known = {each.name for each in fields(Members)}
    for key, names in table.items():
        if key not in known or not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{where}: {key} must be a list of strings, and one of {', '.join(sorted(known))}")
    return Members(**{key: frozenset(names) for key, names in table.items()})
