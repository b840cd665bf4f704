"""Hunks in, present lines and present symbols out: where the lines that an old commit wrote stand today, as blame finds them.

A file's map is an array with the present line of each of its lines at some commit, 0 for one that is gone. From a commit to its
parent the lines outside its hunks keep their entry.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardtack.build.history.log import Hunk

_MOST_LINES: Final = 2_000_000
"""Lines of a file at one commit; of a longer one it is not known where they stand."""
_FARTHEST: Final = 1000
"""Lines that are looked at on either side of a gap for one that still stands."""


def begin_of(hunk: Hunk) -> int:
    """Where the hunk's new lines begin, counted from 0; where they would, if there are none."""
    return hunk.new - 1 if hunk.new_count else hunk.new


def parent_map(lines: array[int], hunks: Sequence[Hunk]) -> array[int] | None:
    """The map of a file at a commit's parent, from that at the commit; None where the hunks are not of such a file."""
    before, at = array("I"), 0
    for hunk in hunks:
        begin = begin_of(hunk)
        if not at <= begin <= begin + hunk.new_count <= len(lines) or len(before) + hunk.old_count > _MOST_LINES:
            return None
        before += lines[at:begin]
        before.frombytes(bytes(before.itemsize * hunk.old_count))
        at = begin + hunk.new_count
    before += lines[at:]
    return before if len(before) <= _MOST_LINES else None


class FileSymbols:
    """The symbols of one present file by line."""

    def __init__(self, line_count: int, spans: Sequence[tuple[int, int, int]]) -> None:
        """Note which symbol each line is of.

        Args:
            line_count: lines of the file.
            spans: (first line with what belongs to it, last line, parent or -1) of each symbol, outer before inner.
        """
        self._spans = spans
        self._innermost: NDArray[np.int32] = np.full(line_count + 1, -1, dtype=np.int32)
        for number, (first, last, _) in enumerate(spans):
            self._innermost[first : last + 1] = number

    def changed_by(self, lines: array[int], hunks: Sequence[Hunk]) -> Iterator[int]:
        """The symbols whose present lines the hunks wrote, each at least once; where no line stands, the one around the gap.

        Args:
            lines: the file's map at the commit of the hunks.
            hunks: what the commit did to the file.
        """
        present = np.frombuffer(lines, dtype=np.uint32) if lines else np.zeros(0, dtype=np.uint32)
        for hunk in hunks:
            begin = begin_of(hunk)
            written = present[begin : begin + hunk.new_count]
            standing = written[written > 0]
            if len(standing):
                yield from (int(each) for each in np.unique(self._innermost[standing]) if each >= 0)
            else:
                yield from self._around(present[max(begin - _FARTHEST, 0) : begin], present[begin + hunk.new_count :][:_FARTHEST])

    def _around(self, before: NDArray[np.uint32], after: NDArray[np.uint32]) -> Iterator[int]:
        """The innermost symbol that holds both the last line that stands before a gap and the first one after it."""
        above, below = before[before > 0], after[after > 0]
        if not len(above) or not len(below):
            return
        last = int(below[0])
        symbol = int(self._innermost[int(above[-1])])
        while symbol >= 0 and self._spans[symbol][1] < last:
            symbol = self._spans[symbol][2]
        if symbol >= 0:
            yield symbol
