"""Hits in, which of them say the same as one before out.

Three ways to say the same: nearly all lines are the same (copies); two things of one file and one name use nearly the same words
(overloads); the match of one already stands in the lines shown for another. What says the same is called the same, or begins alike
where it has no name, so only such hits are compared: a hundred hits cost little more than ten times ten. Hits are compared by all
of the function or type that is shown, or by their own part of one that is too long to be shown whole; so what could be shown of a
hit tells it from nearly all others before it is cut.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from functools import cached_property
from typing import Final, NamedTuple, Protocol

SAME: Final = 0.9
"""What copies have in common of the lines, and overloads of the words, of the longer one."""

AS_LONG: Final = 0.8
"""What the shorter of two that say the same has of the bytes of the longer one, which has its own indentation."""

_WORD = re.compile(r"\w+")


class Wording:
    """A text as it is compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> frozenset[str]:
        """Each without the blanks around it."""
        return frozenset(map(str.strip, self.text.split("\n")))

    @cached_property
    def words(self) -> frozenset[str]:
        """Names and numbers among them."""
        return frozenset(_WORD.findall(self.text))

    @property
    def head(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0]


class Shape(NamedTuple):
    """What a hit may be called, and the lines by which it is told from others then."""

    name: str
    """Empty where it has none."""
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
    shape: Shape
    """By which it is told from others."""


class Shown(Protocol):
    """One hit, as it is compared."""

    @property
    def file(self) -> int: ...  # noqa: D102
    @property
    def view(self) -> View:
        """What it shows. Asked for when two may say the same."""

    def wording(self, first: int, last: int) -> Wording:
        """What stands on those lines, by which it is or may be told from others."""


class Bounds(NamedTuple):
    """What is known of a hit before it is known what it shows; enough to tell it from most others."""

    first: int
    last: int
    """Lines one of which is its match."""
    low: int
    high: int
    """Lines one of which is whatever line is shown."""
    shapes: Collection[Shape]
    """One of which it has."""


class Collapse:
    """Takes hits best first, and knows of each whether one before it stands for it; looks at those that could say the same."""

    def __init__(self) -> None:
        self._kept: list[tuple[Shown, Bounds]] = []
        self._by_file: dict[int, list[int]] = {}
        self._by_name: defaultdict[str, list[tuple[Shape, int]]] = defaultdict(list)

    def twin_of(self, shown: Shown, bounds: Bounds) -> int | None:
        """Number of the kept hit that says the same as ``shown``; None when it is new, and kept from now on."""
        kept, first, last = self._kept, bounds.first, bounds.last
        of_file = self._by_file.setdefault(shown.file, [])
        is_seen = False
        for number in of_file:
            other, there = kept[number]
            if first <= there.high and there.low <= last:
                seen = other.view
                if first <= seen.last and seen.first <= last:
                    is_seen = True
                    if _shows(seen, shown.view):
                        return number
        if is_seen:
            bounds = bounds._replace(shapes=(shown.view.shape,))
        if alike := self._alike(shown, bounds):
            if not is_seen:
                bounds = bounds._replace(shapes=(shown.view.shape,))
                alike = self._alike(shown, bounds)
            for number in sorted(alike):
                if _says(kept[number][0], shown):
                    return number
        by_name, number = self._by_name, len(kept)
        for shape in bounds.shapes:
            by_name[shape.name].append((shape, number))
        of_file.append(number)
        kept.append((shown, bounds))
        return None

    def _alike(self, shown: Shown, bounds: Bounds) -> set[int]:
        """Numbers of the kept hits that may be called alike and say the same."""
        by_name, found = self._by_name, set[int]()
        for shape in bounds.shapes:
            if shape.name in by_name:
                for there, number in by_name[shape.name]:
                    if number not in found and _is_as_long(there, shape) and _agree(self._kept[number][0], there, shown, shape):
                        found.add(number)
        return found


def _says(kept: Shown, shown: Shown) -> bool:
    """Whether both are called the same, or begin alike, and say the same; the overloads among them are of other symbols."""
    one, other = kept.view, shown.view
    there, here = one.shape, other.shape
    if there.name != here.name or other.first > other.last or not _is_as_long(there, here):
        return False
    if not here.name and kept.wording(there.first, there.last).head != shown.wording(here.first, here.last).head:
        return False
    return _agree(kept, there, shown, here, are_overloads=bool(here.name) and one.symbol != other.symbol)


def _agree(kept: Shown, there: Shape, shown: Shown, here: Shape, *, are_overloads: bool = True) -> bool:
    """Whether the one shape has nearly the same lines as the other, or nearly the same words where they are of one file."""
    mine, others = kept.wording(there.first, there.last), shown.wording(here.first, here.last)
    if _is_mostly(mine.lines, others.lines):
        return True
    return are_overloads and kept.file == shown.file and _is_mostly(mine.words, others.words)


def _shows(kept: View, shown: View) -> bool:
    """Whether all lines of the one are among those of the other, or its match is, where both show parts of the same symbol."""
    if shown.first > shown.last:
        return False
    if kept.symbol == shown.symbol >= 0 and kept.first <= shown.match <= kept.last:
        return True
    return kept.first <= shown.first and shown.last <= kept.last


def _is_as_long(one: Shape, other: Shape) -> bool:
    """Whether the shorter is so long that it could say the same as the longer."""
    _, lines, size, _, _ = one
    _, count, length, _, _ = other
    return SAME * count <= lines and SAME * lines <= count and AS_LONG * length <= size and AS_LONG * size <= length


def _is_mostly(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both have nearly all of the larger."""
    least = SAME * max(len(one), len(other), 1)
    return len(one) >= least and len(other) >= least and len(one & other) >= least
