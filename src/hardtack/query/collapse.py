"""Hits in, which of them say the same as one before out.

Three ways to say the same: nearly all lines are the same (copies); two things of one file and one name use nearly the same words
(overloads); the match of one already stands in the lines shown for another. A bundle says which chunks could ever come to that
(:mod:`hardtack.bundle.likeness`), so nearly all hits are told apart by a number or two. The others are compared as they are shown:
by all of the function or type, or by their own part of one that is too long to be shown whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardtack.bundle.wording import Shape, Wording, is_as_long, is_mostly
from hardtack.hints import Generic, Protocol, TypeVar
from hardtack.tuples import NamedTuple


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
    shape: Shape
    """By which it is told from others."""
    name: str = ""
    """Of the symbol, where all of its chunk is the shape: what begins a file may be the same in many, and name each by itself."""


class Shown(Protocol):
    """One hit, as it is compared."""

    @property
    def file(self) -> int: ...  # noqa: D102
    @property
    def ordinal(self) -> int:
        """Of its chunk."""

    @property
    def content(self) -> bytes:
        """The digest of all of its chunk. Asked for, as all that follows, when two may say the same."""

    @property
    def view(self) -> View:
        """What it shows."""

    def wording(self, first: int, last: int) -> Wording:
        """What stands on those lines, by which it is told from others."""


class Columns(NamedTuple):
    """What is known of a bundle's chunks, whatever is asked: :data:`hardtack.bundle.records.CHUNK_COLUMNS`."""

    start_line: Sequence[int]
    end_line: Sequence[int]
    shown_from: Sequence[int]
    shown_to: Sequence[int]
    alike: Sequence[int]


S = TypeVar("S", bound=Shown)


class Collapse(Generic[S]):
    """Takes hits best first, and knows of each which one before it stands for it."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._by_file: dict[int, list[S]] = {}
        self._by_number: dict[int, list[S]] = {}

    def twin_of(self, shown: S) -> S | None:
        """The hit before that says the same as ``shown``; None when it is new."""
        starts, ends, froms, tos, alike = self._columns
        ordinal = shown.ordinal
        of_file = self._by_file.setdefault(shown.file, [])
        if of_file:
            start, end = starts[ordinal], ends[ordinal]
            for other in of_file:
                if start <= tos[other.ordinal] and froms[other.ordinal] <= end and _shows(other.view, start, end, shown):
                    return other
        if number := alike[ordinal]:
            suspects = self._by_number.setdefault(number, [])
            for other in suspects:
                if other.content == shown.content or _says(other, shown):
                    return other
            suspects.append(shown)
        of_file.append(shown)
        return None


def _shows(kept: View, start: int, end: int, shown: Shown) -> bool:
    """Whether all lines of a hit, of a chunk with those lines, are among those of the other, or its match is in the same symbol."""
    if not (start <= kept.last and kept.first <= end):
        return False
    view = shown.view
    if view.first > view.last:
        return False
    if kept.symbol == view.symbol >= 0 and kept.first <= view.match <= kept.last:
        return True
    return kept.first <= view.first and view.last <= kept.last


def _says(kept: Shown, shown: Shown) -> bool:
    """Whether both are called the same, or begin alike, and say the same; the overloads among them are of other symbols."""
    one, other = kept.view, shown.view
    there, here = one.shape, other.shape
    if there.name != here.name or one.name != other.name or other.first > other.last or not is_as_long(there, here):
        return False
    mine, others = kept.wording(there.first, there.last), shown.wording(here.first, here.last)
    if not here.name and mine.head != others.head:
        return False
    if is_mostly(mine.lines, others.lines):
        return True
    return bool(here.name) and one.symbol != other.symbol and kept.file == shown.file and is_mostly(mine.words, others.words)
