"""Hits in, which of them say the same as one before out.

Three ways to say the same: nearly all lines shown are the same (copies); two things of one file and one name use nearly the same
words (overloads); the match of one already stands in the lines shown for another. What says the same is called the same, or begins
alike where it has no name, so only such hits are compared: a hundred hits cost little more than ten times ten.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from functools import cache
from typing import Final, NamedTuple, Protocol

SAME: Final = 0.9
"""What copies have in common of the lines, and overloads of the words, of the longer one."""

_WORD = re.compile(r"\w+")


class View(NamedTuple):
    """What one hit shows, but for the text."""

    symbol: int
    """Ordinal, or -1."""
    name: str
    """Of the symbol, without its scope; empty when there is none."""
    first: int
    """First of the lines that are shown."""
    last: int
    """Last of them; the one before the first when none is shown."""
    match: int
    """The line that answers."""


class Shown(Protocol):
    """One hit, as it is compared."""

    @property
    def file(self) -> int: ...  # noqa: D102
    @property
    def view(self) -> View:
        """What it shows. Asked for when two may say the same."""

    @property
    def text(self) -> str:
        """Of the lines from the first to the last; empty when there are none. Asked for when two are as long as each other."""


class Bounds(NamedTuple):
    """What is known of a hit before it is known what it shows; enough to tell it from most others."""

    first: int
    last: int
    """Lines one of which is its match."""
    low: int
    high: int
    """Lines one of which is whatever line is shown."""
    shapes: Collection[tuple[str, int]]
    """What it may be called, each with how many lines are shown then, 0 for any number; an empty name where it has none."""


class Collapse:
    """Takes hits best first, and knows of each whether one before it stands for it; looks at those that could say the same."""

    def __init__(self) -> None:
        self._kept: list[tuple[Shown, Bounds]] = []
        self._by_file: dict[int, list[int]] = {}
        self._by_name: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lines_of = cache(_lines_of)
        self._words_of = cache(_words_of)

    def twin_of(self, shown: Shown, bounds: Bounds) -> int | None:
        """Number of the kept hit that says the same as ``shown``; None when it is new, and kept from now on."""
        kept, first, last = self._kept, bounds.first, bounds.last
        of_file = self._by_file.setdefault(shown.file, [])
        is_seen = False
        for number in of_file:
            other, there = kept[number]
            if first <= there.high and there.low <= last:
                is_seen = True
                if _shows(other.view, shown.view):
                    return number
        if is_seen:
            bounds = _of_view(bounds, shown.view)
        if alike := self._alike(bounds):
            if not is_seen:
                bounds = _of_view(bounds, shown.view)
                alike = self._alike(bounds)
            for number in sorted(alike):
                if self._says(kept[number][0], shown):
                    return number
        by_name, number = self._by_name, len(kept)
        for name, lines in bounds.shapes:
            by_name[name].append((lines, number))
        of_file.append(number)
        kept.append((shown, bounds))
        return None

    def _alike(self, bounds: Bounds) -> set[int]:
        """Numbers of the kept hits that may be called alike and be as long."""
        by_name = self._by_name
        return {
            number
            for name, lines in bounds.shapes
            if name in by_name
            for length, number in by_name[name]
            if not length or not lines or _is_as_long(length, lines)
        }

    def _says(self, kept: Shown, shown: Shown) -> bool:
        """Whether the one shows nearly the same lines as the other, or of the same file nearly the same words."""
        one, other = kept.view, shown.view
        if one.name != other.name or not _is_as_long(one.last - one.first + 1, other.last - other.first + 1):
            return False
        if not other.name and kept.text.partition("\n")[0] != shown.text.partition("\n")[0]:
            return False
        return other.first <= other.last and (self._is_copy(kept, shown) or self._is_overload(kept, shown))

    def _is_copy(self, kept: Shown, shown: Shown) -> bool:
        return _share(self._lines_of(kept.text), self._lines_of(shown.text)) >= SAME

    def _is_overload(self, kept: Shown, shown: Shown) -> bool:
        is_another = bool(shown.view.name) and kept.file == shown.file and kept.view.symbol != shown.view.symbol
        return is_another and _share(self._words_of(kept.text), self._words_of(shown.text)) >= SAME


def _of_view(bounds: Bounds, view: View) -> Bounds:
    """The bounds of a hit of which is known what it shows."""
    return bounds._replace(shapes=((view.name, view.last - view.first + 1),))


def _shows(kept: View, shown: View) -> bool:
    """Whether all lines of the one are among those of the other, or its match is, where both show parts of the same symbol."""
    if shown.first > shown.last:
        return False
    if kept.symbol == shown.symbol >= 0 and kept.first <= shown.match <= kept.last:
        return True
    return kept.first <= shown.first and shown.last <= kept.last


def _is_as_long(one: int, other: int) -> bool:
    """Whether the shorter has so many lines that it could be the same as the longer."""
    return one >= SAME * other and other >= SAME * one


def _lines_of(text: str) -> frozenset[str]:
    return frozenset(map(str.strip, text.split("\n")))


def _words_of(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """What both have, of the larger."""
    return len(one & other) / max(len(one), len(other), 1)
