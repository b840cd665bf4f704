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


class Focus:
    """Looks for one query's words; made once a query."""

    def __init__(self, stems: Iterable[str]) -> None:
        """Take the stems of the words that the query is about, lower case."""
        self._stems = tuple(dict.fromkeys(_beginning(stem) for stem in stems if stem))

    def is_all_in(self, name: str) -> bool:
        """Whether a name has all of the words, and there are any."""
        folded = name.lower()
        return bool(self._stems) and all(stem in folded for stem in self._stems)

    def line_of(self, text: str, first: int = 0, stop: int | None = None, definition: int | None = None) -> int | None:
        """Index of the line to look at first, or None when no word of the query is there.

        Args:
            text: what holds the lines.
            first: index of the first line that counts.
            stop: index of the line after the last that counts; None for all.
            definition: index of the line that has the name of what is defined here, if one does.
        """
        folded = text.lower()  # may change how many characters there are, never how many lines
        present = [stem for stem in self._stems if stem in folded]
        if not present:
            return None
        lines = folded.split("\n")[first:stop]
        worth = [0.0] * (len(lines) + 4)  # two more at either end, so that every line has neighbours
        for stem in present:
            found = [at for at, line in enumerate(lines, start=2) if stem in line]
            for at in found:
                worth[at] += 1 / len(found)
            if definition is not None and definition - first + 2 in found:
                worth[definition - first + 2] += _DEFINING
        best, most = -1, 0.0
        for at, own in enumerate(worth):
            if own:
                near = own + _NEAR * (worth[at - 1] + worth[at + 1]) + _NEARBY * (worth[at - 2] + worth[at + 2])
                if near > most:
                    best, most = at - 2, near
        return None if best < 0 else first + best


def _beginning(stem: str) -> str:
    """What singular and plural begin with: ``dependency`` is not in ``dependencies``."""
    return stem[:-1] if len(stem) > _LEAST_STEM and stem[-1] == "y" and stem[-2] not in "aeiou" else stem
