"""Where symbols are mentioned, as look-ups tell it: the places that refer to one, call it or implement it.

Values only, made of texts and numbers that mean something outside the bundle.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardtack.nouns.relations import Certainty, RelationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One place that mentions a symbol."""

    path: str
    line: int
    column: int = 0
    """Of the name, in characters from 1; 0 where it is not known."""
    relation: RelationKind
    certainty: Certainty
    within: str = ""
    """Qualified name of the symbol that the place is in, or that implements; empty at the top of a file."""
    kind: str = ""
    """Of that symbol."""
    code: str = ""
    """The line, shortened if need be; of what implements its signature. Empty in a bundle without text."""
    target: str = ""
    """``path:first-last`` of the symbol that is meant; empty when that could not be told."""
    depth: int = 0
    """Of what implements: steps to the target, 1 when it rests on it directly; else 0."""
    through: tuple[str, ...] = ()
    """Of what implements: qualified names of the types between, the nearest to the target first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallingSymbol:
    """One symbol, or the top of one file, and every call it makes to one target."""

    path: str
    within: str
    """Qualified name of the calling symbol; empty for the top of the file."""
    kind: str
    certainty: Certainty
    """Of the most certain call."""
    target: str
    calls: tuple[Usage, ...]
