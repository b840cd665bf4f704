"""Hits in, which of them say the same as one before out.

Three ways to say the same: nearly all lines shown are the same (copies); two things of one file and one name use nearly the same
words (overloads); the match of one already stands in the lines shown for another. What says the same is called the same, or begins
alike where it has no name, so only such hits are compared: a hundred hits cost little more than ten times ten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SAME: Final = 0.9
"""What copies have in common of the lines, and overloads of the words, of the longer one."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Shown:
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
    lines: Sequence[str]


class Collapse:
    """Takes hits best first, and knows of each whether one before it stands for it."""

    def __init__(self) -> None:
        self._kept = 0
        self._by_file: dict[int, list[tuple[int, Shown]]] = {}
        self._by_name: dict[str, list[tuple[int, Shown]]] = {}

    def twin_of(self, shown: Shown) -> int | None:
        """Number of the kept hit that says the same as ``shown``; None when it is new, and kept from now on."""
        of_file = self._by_file.setdefault(shown.file, [])
        alike = self._by_name.setdefault(shown.name or "\n".join(shown.lines[:1]), [])
        if shown.lines:
            for number, kept in of_file:
                if _shows(kept, shown):
                    return number
            for number, kept in alike:
                if _is_as_long(kept, shown) and (_is_copy(kept, shown) or _is_overload(kept, shown)):
                    return number
        of_file.append((self._kept, shown))
        alike.append((self._kept, shown))
        self._kept += 1
        return None


def _shows(kept: Shown, shown: Shown) -> bool:
    """Whether all lines of the one are among those of the other, or its match is, where both show parts of the same symbol."""
    is_within = kept.first <= shown.first and shown.last <= kept.last
    is_part = shown.symbol >= 0 and kept.symbol == shown.symbol and kept.first <= shown.match <= kept.last
    return is_within or is_part


def _is_as_long(kept: Shown, shown: Shown) -> bool:
    """Whether the shorter has so many lines that it could be the same as the longer."""
    one, other = len(kept.lines), len(shown.lines)
    return min(one, other) >= SAME * max(one, other)


def _is_copy(kept: Shown, shown: Shown) -> bool:
    return _share({*map(str.strip, kept.lines)}, {*map(str.strip, shown.lines)}) >= SAME


def _is_overload(kept: Shown, shown: Shown) -> bool:
    is_another = bool(shown.name) and kept.file == shown.file and kept.symbol != shown.symbol
    return is_another and _share(_words(kept), _words(shown)) >= SAME


def _words(shown: Shown) -> set[str]:
    return set(_WORD.findall("\n".join(shown.lines)))


def _share(one: set[str], other: set[str]) -> float:
    """What both have, of the larger."""
    return len(one & other) / max(len(one), len(other), 1)
