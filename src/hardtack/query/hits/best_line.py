"""A query's words and some lines in, the line where the words stand closest out.

A word that stands on few of the lines says more about where to look than one that stands on many; a line is worth what its
neighbours are worth, too. A word is found by its stem, so wherever a longer word begins like it; that is good enough for choosing a
line, and costs a search of bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

_NEAR, _NEARBY = 0.5, 0.25
"""What a word one line and two lines away is worth."""
_LEAST_STEM = 4
"""Characters that must be left of a stem that ends in ``y``."""
_DEFINING = 0.5
"""Added for a word on the line of the definition's name: of equal lines, that is where a reader begins."""


class BestLine:
    """Looks for one query's words; made once a query."""

    def __init__(self, stems: Iterable[str]) -> None:
        """Take the stems of the words that the query is about, lower case."""
        self._stems = tuple(dict.fromkeys(_beginning(stem) for stem in stems if stem))

    def is_all_in(self, name: str) -> bool:
        """Whether a name has all of the words, and there are any."""
        folded = name.lower()
        return bool(self._stems) and all(stem in folded for stem in self._stems)

    def find(self, text: str, first: int = 0, stop: int | None = None, definition: int | None = None) -> int | None:
        """Index of the line to look at first, or None when no word of the query is there.

        Args:
            text: the lines, in lower case.
            first: index of the first line that counts.
            stop: index of the line after the last that counts; None for all.
            definition: index of the line that has the name of what is defined here, if one does.
        """
        find = text.find
        worth = [0.0] * (text.count("\n") + 5)  # the last ones are no lines: neighbours of the first and the last
        lines: list[int] = []
        for stem in self._stems:
            if (at := find(stem)) < 0:
                continue
            found = _lines_with(stem, text, at)
            if first or stop is not None:
                found = [line for line in found if first <= line and (stop is None or line < stop)]
            if found:
                share = 1 / len(found)
                for line in found:
                    worth[line] += share
                if definition is not None and definition in found:
                    worth[definition] += _DEFINING
                lines += found
        best, most = None, 0.0
        for line in lines:
            near = worth[line] + _NEAR * (worth[line - 1] + worth[line + 1]) + _NEARBY * (worth[line - 2] + worth[line + 2])
            if near > most or (near == most and best is not None and line < best):
                best, most = line, near
        return best


def _lines_with(stem: str, text: str, at: int) -> list[int]:
    """Indices of the lines that have it, first at ``at``, ascending. Goes from one to the next: most have none of the words."""
    find, count = text.find, text.count
    found: list[int] = []
    line, end = 0, 0
    while at >= 0:
        line += count("\n", end, at)
        found.append(line)
        if (end := find("\n", at)) < 0:
            break
        at = find(stem, end)
    return found


def _beginning(stem: str) -> str:
    """What singular and plural begin with: ``dependency`` is not in ``dependencies``."""
    return stem[:-1] if len(stem) > _LEAST_STEM and stem[-1] == "y" and stem[-2] not in "aeiou" else stem
