"""A query's words and some lines in, the line with most of the words on it and near it out.

Each word gives 1 / (lines that have it) to each of its lines, so rare words count more; half and a quarter of the words one and two
lines away are added. A word is found as a substring by its stem, so longer words that contain the stem match too: good enough to
choose a line, and as cheap as ``str.find``.
"""

from __future__ import annotations

from collections.abc import Iterable

from hardtack.text import folded

_NEAR, _NEARBY = 0.5, 0.25
"""Factors for the words one line and two lines away."""
_LEAST_STEM = 4
"""Characters; a longer stem loses a final ``y``."""
_DEFINING = 0.5
"""Added for a word on the line of the definition's name: of equal lines, a reader begins there."""


class BestLine:
    """Finds the best line for one query; made once for each query."""

    def __init__(self, stems: Iterable[str]) -> None:
        """Take the stems of the query's content words, in lower case."""
        self._stems = tuple(dict.fromkeys(_beginning(stem) for stem in stems if stem))

    def is_all_in(self, name: str) -> bool:
        """Whether a name contains all of the words; false for a query without words."""
        spelt = folded(name)
        return bool(self._stems) and all(stem in spelt for stem in self._stems)

    def find(self, text: str, first: int = 0, stop: int | None = None, definition: int | None = None) -> int | None:
        """Index of the best line; None if no line has a word of the query.

        Args:
            text: the lines, as :func:`hardtack.text.folded` spells them.
            first: index of the first line to look at.
            stop: index after the last line to look at; None for the end of the text.
            definition: index of the line with the name of the definition, if there is one.
        """
        find = text.find
        worth = [0.0] * (text.count("\n") + 5)  # 4 more than lines: index -1, -2 and the two after the last are never a line
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
    """Indices of the lines with the stem, ascending; ``at`` is its first position. Jumps from match to match, not line by line."""
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
    """The common beginning of singular and plural: ``dependency`` is not a substring of ``dependencies``, ``dependenc`` is."""
    return stem[:-1] if len(stem) > _LEAST_STEM and stem[-1] == "y" and stem[-2] not in "aeiou" else stem
