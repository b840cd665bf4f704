"""Usages of symbols, as look-ups return them: the places that refer to a symbol, call it or implement it.

Their texts and numbers have a meaning outside the bundle: paths and lines, not ordinals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardtack.nouns.notebook import brief, element, table
from hardtack.nouns.relations import Certainty, RelationKind

_HEADINGS = ("place", "relation", "certainty", "in", "code")


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One place that uses a symbol."""

    path: str
    line: int
    column: int = 0
    """Of the name, in characters from 1; 0 if unknown."""
    relation: RelationKind
    certainty: Certainty
    within: str = ""
    """Qualified name of the symbol that the place is in, or of the implementation; empty at the top of a file."""
    kind: str = ""
    """Kind of that symbol."""
    code: str = ""
    """The line, shortened if it is long; for an implementation its signature. Empty in a bundle without text."""
    target: str = ""
    """``path:first-last`` of the symbol that is used; empty if it could not be resolved."""
    depth: int = 0
    """For an implementation, the steps to the target: 1 for a direct one; else 0."""
    through: tuple[str, ...] = ()
    """For an implementation, qualified names of the types between, the nearest to the target first."""

    def __repr__(self) -> str:
        return brief("Usage", self.place, self.relation, self.certainty, self.within and f"in {self.within}")

    def _repr_html_(self) -> str:
        return usages_html([self])

    @property
    def place(self) -> str:
        """``path:line:column``, as editors take it."""
        return f"{self.path}:{self.line}:{self.column}" if self.column else f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallingSymbol:
    """One symbol, or the top of one file, with its calls to one target, and where it names that as a value."""

    path: str
    within: str
    """Qualified name of the calling symbol; empty for the top of the file."""
    kind: str
    certainty: Certainty
    """The highest certainty of its calls; each of them has its own."""
    target: str
    calls: tuple[Usage, ...]

    def __repr__(self) -> str:
        return brief("CallingSymbol", self.path, self.kind, self.within, self.certainty, f"{len(self.calls)} places")

    def _repr_html_(self) -> str:
        return f"<p>{element('b', self.within or self.path)}</p>{usages_html(self.calls)}"


def usages_html(usages: Sequence[Usage]) -> str:
    """A table of usages for a notebook."""
    return table(_HEADINGS, [(each.place, each.relation, each.certainty, each.within, each.code) for each in usages])
