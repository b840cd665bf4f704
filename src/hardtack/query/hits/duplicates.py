"""Near-duplicate detection: hits in, best first; which of them say the same as one before out.

Three ways to say the same: nearly all lines are the same (copies); two symbols of one file and one name use nearly the same words
(overloads); the match of one already stands in the lines shown for another. Hits are compared as they are shown: by all of the
function or type, or by their own part of one that is too long to be shown whole.
"""

from __future__ import annotations

import re
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from hardtack.bundle.format.records import ChunkRecord

SAME: Final = 0.9
"""The share of the longer one's lines that copies have in common, and of its words that overloads have."""

AS_LONG: Final = 0.8
"""The share of the longer one's bytes that the shorter has at least, each with its own indentation."""

_WORD: Final = re.compile(r"\w+")


class Extent(NamedTuple):
    """The lines by which a hit is told from others, and the name of the symbol that they are of."""

    name: str
    """Empty where there is no symbol."""
    line_count: int
    size: int
    """Of all of these lines, in bytes."""
    first: int
    last: int


class View(NamedTuple):
    """What one hit shows, but for the text."""

    symbol: int
    """Ordinal, or -1."""
    first: int
    """First of the lines that are shown."""
    last: int
    """Last of them; the one before the first when none is shown."""
    match: int
    """The line that answers."""
    extent: Extent
    """By which it is told from others."""
    name: str = ""
    """Of the symbol, where the whole chunk is the extent: what begins a file may be the same in many, and name each by itself."""


class Shown(Protocol):
    """One hit, as it is compared."""

    @property
    def chunk(self) -> ChunkRecord: ...  # noqa: D102
    @property
    def view(self) -> View: ...  # noqa: D102
    def lines(self, first: int, last: int) -> str:
        """The text of those lines."""


S = TypeVar("S", bound=Shown)


class Duplicates(Generic[S]):
    """Takes hits best first, and knows of each which one before it stands for it."""

    def __init__(self) -> None:
        self._by_file: dict[int, list[S]] = {}
        self._by_content: dict[bytes, S] = {}
        self._by_name: dict[tuple[str, str], list[S]] = {}

    def twin_of(self, shown: S) -> S | None:
        """The hit before that says the same as ``shown``; None when it is new."""
        for other in self._by_file.get(shown.chunk.file, ()):
            if _shows(other.view, shown):
                return other
        if twin := self._by_content.get(shown.chunk.content_hash):
            return twin
        view = shown.view
        namesakes = self._by_name.setdefault((view.extent.name, view.name), [])
        for other in namesakes:
            if _says_the_same(other, shown):
                return other
        namesakes.append(shown)
        self._by_file.setdefault(shown.chunk.file, []).append(shown)
        self._by_content[shown.chunk.content_hash] = shown
        return None


def _shows(kept: View, shown: Shown) -> bool:
    """Whether all lines of a hit are among those of the other, or its match is among those of the same symbol."""
    if not (shown.chunk.start_line <= kept.last and kept.first <= shown.chunk.end_line):
        return False
    view = shown.view
    if view.first > view.last:
        return False
    if kept.symbol == view.symbol >= 0 and kept.first <= view.match <= kept.last:
        return True
    return kept.first <= view.first and view.last <= kept.last


def _says_the_same(kept: Shown, shown: Shown) -> bool:
    """Whether two of one name are copies, or overloads in one file."""
    there, here = kept.view.extent, shown.view.extent
    if shown.view.first > shown.view.last or not is_as_long(there, here):
        return False
    theirs, ours = kept.lines(there.first, there.last), shown.lines(here.first, here.last)
    if not here.name and theirs.partition("\n")[0] != ours.partition("\n")[0]:
        return False
    if has_same(_lines_in(theirs), _lines_in(ours)):
        return True
    is_overload = bool(here.name) and kept.view.symbol != shown.view.symbol and kept.chunk.file == shown.chunk.file
    return is_overload and has_same(frozenset(_WORD.findall(theirs)), frozenset(_WORD.findall(ours)))


def _lines_in(text: str) -> frozenset[str]:
    """Each line without the blanks around it."""
    return frozenset(map(str.strip, text.split("\n")))


def is_as_long(one: Extent, other: Extent) -> bool:
    """Whether the shorter is so long that it could say the same as the longer."""
    fewer, more = sorted((one.line_count, other.line_count))
    smaller, larger = sorted((one.size, other.size))
    return SAME * more <= fewer and AS_LONG * larger <= smaller


def has_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both have nearly all of the larger set."""
    least = SAME * max(len(one), len(other), 1)
    return len(one) >= least and len(other) >= least and len(one & other) >= least
