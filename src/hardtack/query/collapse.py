"""Hits in, which of them say the same as one before out.

Three ways to say the same: nearly all lines shown are the same (copies); two things of one file and one name use nearly the same
words (overloads); the match of one already stands in the lines shown for another. What says the same is called the same, or begins
alike where it has no name, so only such hits are compared: a hundred hits cost little more than ten times ten.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

SAME: Final = 0.9
"""What copies have in common of the lines, and overloads of the words, of the longer one."""

_WORD = re.compile(r"\w+")


class Shown(NamedTuple):
    """What one hit shows, as it is compared."""

    file: int
    symbol: int
    """Ordinal, or -1."""
    name: str
    """Of the symbol, without its scope; empty when there is none."""
    first: int
    last: int
    match: int
    """Lines of the file."""
    text: str
    """Of the lines from the first to the last; empty when there are none."""


class Collapse:
    """Takes hits best first, and knows of each whether one before it stands for it."""

    def __init__(self) -> None:
        self._kept: list[Shown] = []
        self._by_file: dict[int, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}
        self._lines_of = cache(_lines_of)
        self._words_of = cache(_words_of)

    def twin_of(self, shown: Shown) -> int | None:
        """Number of the kept hit that says the same as ``shown``; None when it is new, and kept from now on."""
        of_file = self._by_file.setdefault(shown.file, [])
        alike = self._by_name.setdefault(shown.name or shown.text.partition("\n")[0], [])
        if shown.first <= shown.last:
            for number in of_file:
                if _shows(self._kept[number], shown):
                    return number
            for number in alike:
                kept = self._kept[number]
                if _is_as_long(kept, shown) and (self._is_copy(kept, shown) or self._is_overload(kept, shown)):
                    return number
        of_file.append(len(self._kept))
        alike.append(len(self._kept))
        self._kept.append(shown)
        return None

    def _is_copy(self, kept: Shown, shown: Shown) -> bool:
        return _share(self._lines_of(kept.text), self._lines_of(shown.text)) >= SAME

    def _is_overload(self, kept: Shown, shown: Shown) -> bool:
        is_another = bool(shown.name) and kept.file == shown.file and kept.symbol != shown.symbol
        return is_another and _share(self._words_of(kept.text), self._words_of(shown.text)) >= SAME


def _shows(kept: Shown, shown: Shown) -> bool:
    """Whether all lines of the one are among those of the other, or its match is, where both show parts of the same symbol."""
    if kept.symbol == shown.symbol >= 0 and kept.first <= shown.match <= kept.last:
        return True
    return kept.first <= shown.first and shown.last <= kept.last


def _is_as_long(kept: Shown, shown: Shown) -> bool:
    """Whether the shorter has so many lines that it could be the same as the longer."""
    one, other = kept.last - kept.first + 1, shown.last - shown.first + 1
    return one >= SAME * other and other >= SAME * one


def _lines_of(text: str) -> frozenset[str]:
    return frozenset(map(str.strip, text.split("\n")))


def _words_of(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """What both have, of the larger."""
    return len(one & other) / max(len(one), len(other), 1)
