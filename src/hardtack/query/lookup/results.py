"""What a look-up gives: results, the symbols they are of, and what may be missing; short as a ``repr``, tables in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from hardtack.nouns.descriptors import Descriptor, SymbolDescriptor
from hardtack.nouns.history import CommitEntry
from hardtack.nouns.notebook import blocks, brief, element, table
from hardtack.nouns.usages import CallingSymbol, Usage, usages_html

Result = Descriptor | Usage | CallingSymbol | CommitEntry
"""What look-ups find."""

_Result = TypeVar("_Result", bound=Result)
_Entry = TypeVar("_Entry")

_SHOWN = 3
"""Results in a ``repr``."""


class ResultPage(NamedTuple):
    """A slice of the results of a look-up."""

    first: int
    """Index of the first result, from 0."""
    limit: int
    """Results at most."""

    def of(self, entries: Sequence[_Entry]) -> Sequence[_Entry]:
        """The entries of the page."""
        return entries[self.first : self.first + self.limit]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUpResult(Generic[_Result]):
    """The results of a look-up."""

    results: tuple[_Result, ...]
    total: int
    """Number of all results, of which ``results`` is a page if one was wanted."""
    path: str = ""
    """Of the file that the name is, where it is one."""
    symbols: tuple[SymbolDescriptor, ...] = ()
    """The symbols of the name, where the results are not these themselves; with a page only the first 20."""
    symbol_count: int = 0
    """Number of all symbols of the name."""
    suggestions: tuple[str, ...] = ()
    """The nearest qualified names, best first, if nothing has the name."""
    note: str = ""
    """Says what may be missing: which files of the answer did not parse whole, what the build left out; empty if nothing is."""
    nothing: str = ""
    """Says that nothing is known to use the symbols, and where their name stands nevertheless; empty if there are results."""

    def __repr__(self) -> str:
        count = f"{len(self.results)} of {self.total}"
        return f"{brief('LookUpResult', count)[:-1]}{''.join(f', {each!r}' for each in self.results[:_SHOWN])}{self._cut}>"

    def _repr_html_(self) -> str:
        usages = [each for each in self.results if isinstance(each, Usage)]
        commits = [(each.id[:12], each.date, each.subject) for each in self.results if isinstance(each, CommitEntry)]
        others = [each._repr_html_() for each in self.results if not isinstance(each, Usage | CommitEntry)]
        asides = [self.nothing, f"Nearest: {', '.join(self.suggestions)}" if self.suggestions else "", self.note]
        head = f"<p>{len(self.results)} of {self.total}</p>"
        listed = usages_html(usages) + table(("commit", "date", "subject"), commits) + blocks(others)
        return f"<div>{head}{listed}{''.join(element('p', aside) for aside in asides)}</div>"

    @property
    def _cut(self) -> str:
        return ", ..." if len(self.results) > _SHOWN else ""
