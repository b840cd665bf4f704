"""Near-duplicate detection: hits in, best first; for each the earlier hit that it repeats out.

A hit repeats an earlier one in three cases: nearly all of their lines are equal (copies); two symbols of one name in one file have
nearly the same words (overloads); its match is among the lines that the other shows. Hits are compared by what they show: the whole
function or type, or their own chunk of one that is too long to be shown whole.
"""

from __future__ import annotations

import re
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from hardtack.bundle.format.records import ChunkRecord

SAME: Final = 0.9
"""The share of the larger set that two hits must have in common: of lines for copies, of words for overloads."""

AS_LONG: Final = 0.8
"""The least size of the shorter hit as a share of the longer, in bytes; less than :data:`SAME`, because indentation may differ."""

_WORD: Final = re.compile(r"\w+")


class Extent(NamedTuple):
    """The lines by which a hit is compared with others, and the name of their symbol."""

    name: str
    """Empty without a symbol."""
    line_count: int
    size: int
    """Size of these lines, in bytes."""
    first: int
    last: int


class View(NamedTuple):
    """The lines that a hit shows, without their text."""

    symbol: int
    """Ordinal; -1 for none."""
    first: int
    """First line shown."""
    last: int
    """Last line shown; ``first - 1`` if none is shown."""
    match: int
    """The line with the best match."""
    extent: Extent
    """What it is compared by."""
    name: str = ""
    """Name of the symbol if the extent is the whole chunk, else empty: chunks may differ by little but the names in them."""


class ComparedHit(Protocol):
    """A hit that can be compared with others."""

    @property
    def chunk(self) -> ChunkRecord: ...  # noqa: D102
    @property
    def view(self) -> View: ...  # noqa: D102
    def lines(self, first: int, last: int) -> str:
        """The text of those lines."""


S = TypeVar("S", bound=ComparedHit)


class Duplicates(Generic[S]):
    """Takes hits, best first, and finds for each the earlier hit that it repeats."""

    def __init__(self) -> None:
        self._by_file: dict[int, list[S]] = {}
        self._by_content: dict[bytes, S] = {}
        self._by_name: dict[tuple[str, str], list[S]] = {}

    def twin_of(self, shown: S) -> S | None:
        """The earlier hit that ``shown`` repeats; None if it is new, and then later hits are compared with it."""
        for other in self._by_file.get(shown.chunk.file, ()):
            if _shows(other.view, shown):
                return other
        if twin := self._by_content.get(shown.chunk.content_hash):
            return twin
        view = shown.view
        namesakes = self._by_name.setdefault((view.extent.name, view.name), [])
        for other in namesakes:
            if _repeats(other, shown):
                return other
        namesakes.append(shown)
        self._by_file.setdefault(shown.chunk.file, []).append(shown)
        self._by_content[shown.chunk.content_hash] = shown
        return None


def _shows(earlier: View, shown: ComparedHit) -> bool:
    """Whether an earlier view has all lines of a hit, or is of the same symbol and has its match."""
    if not (shown.chunk.start_line <= earlier.last and earlier.first <= shown.chunk.end_line):
        return False
    view = shown.view
    if view.first > view.last:
        return False
    if earlier.symbol == view.symbol >= 0 and earlier.first <= view.match <= earlier.last:
        return True
    return earlier.first <= view.first and view.last <= earlier.last


def _repeats(earlier: ComparedHit, shown: ComparedHit) -> bool:
    """Whether two hits of one name are copies, or overloads in one file."""
    there, here = earlier.view.extent, shown.view.extent
    if shown.view.first > shown.view.last or not is_as_long(there, here):
        return False
    theirs, ours = earlier.lines(there.first, there.last), shown.lines(here.first, here.last)
    if not here.name and theirs.partition("\n")[0] != ours.partition("\n")[0]:
        return False
    if has_same(_lines_in(theirs), _lines_in(ours)):
        return True
    is_overload = bool(here.name) and earlier.view.symbol != shown.view.symbol and earlier.chunk.file == shown.chunk.file
    return is_overload and has_same(frozenset(_WORD.findall(theirs)), frozenset(_WORD.findall(ours)))


def _lines_in(text: str) -> frozenset[str]:
    """The distinct lines without surrounding space."""
    return frozenset(map(str.strip, text.split("\n")))


def is_as_long(one: Extent, other: Extent) -> bool:
    """Whether two extents are so close in length that they can be copies."""
    fewer, more = sorted((one.line_count, other.line_count))
    smaller, larger = sorted((one.size, other.size))
    return SAME * more <= fewer and AS_LONG * larger <= smaller


def has_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both sets share at least :data:`SAME` of the larger one."""
    least = SAME * max(len(one), len(other), 1)
    return len(one) >= least and len(other) >= least and len(one & other) >= least
