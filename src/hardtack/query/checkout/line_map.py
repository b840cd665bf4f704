"""The indexed and the current text of a file in, the current line numbers of unchanged lines out, only where they are certain.

Certain are equal lines from the start of both texts, equal lines from their ends, and equal lines around a line that each text has
exactly once (the anchors of a patience diff). A range of lines maps as a whole or not at all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class _Block(NamedTuple):
    """Lines that are equal in both texts. Line numbers are from 0."""

    old: int
    """First line in the old text."""
    new: int
    """First line in the new text."""
    length: int
    """Number of lines."""

    @property
    def old_end(self) -> int:
        return self.old + self.length

    @property
    def new_end(self) -> int:
        return self.new + self.length


class LineMap:
    """Maps line numbers of one text to those of another."""

    def __init__(self, before: bytes, after: bytes) -> None:
        """Compare two texts by lines. CR LF and LF are the same line ending."""
        old, new = _lines(before), _lines(after)
        self._blocks = _blocks(old, new)
        self._starts = [block.old for block in self._blocks]

    def place(self, first: int, last: int) -> tuple[int, int] | None:
        """The current range of the lines ``first`` to ``last``, from 1, inclusive; None unless all are unchanged and together."""
        at = bisect_right(self._starts, first - 1) - 1
        if at < 0:
            return None
        block = self._blocks[at]
        shift = block.new - block.old
        return (first + shift, last + shift) if first <= last <= block.old_end else None


def _lines(text: bytes) -> list[bytes]:
    lines = text.replace(b"\r\n", b"\n").split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def _blocks(old: Sequence[bytes], new: Sequence[bytes]) -> list[_Block]:
    """The equal blocks of both texts, ascending in both; none overlaps another."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    blocks = [_Block(0, 0, head)]
    old_end, new_end = len(old) - tail, len(new) - tail
    for anchor, anchor_now in _anchors(old, new, head, old_end, new_end):
        last = blocks[-1]
        if anchor < last.old_end or anchor_now < last.new_end:
            continue  # the block before already has it in one text
        begin, begin_now = anchor, anchor_now
        while begin > last.old_end and begin_now > last.new_end and old[begin - 1] == new[begin_now - 1]:
            begin, begin_now = begin - 1, begin_now - 1
        end, end_now = anchor + 1, anchor_now + 1
        while end < old_end and end_now < new_end and old[end] == new[end_now]:
            end, end_now = end + 1, end_now + 1
        blocks.append(_Block(begin, begin_now, end - begin))
    blocks.append(_Block(old_end, new_end, tail))
    return _joined([block for block in blocks if block.length])


def _joined(blocks: Sequence[_Block]) -> list[_Block]:
    """The blocks, adjacent ones joined, so that a range of lines can go across them."""
    joined: list[_Block] = []
    for block in blocks:
        if joined and (joined[-1].old_end, joined[-1].new_end) == (block.old, block.new):
            joined[-1] = joined[-1]._replace(length=joined[-1].length + block.length)
        else:
            joined.append(block)
    return joined


def _anchors(old: Sequence[bytes], new: Sequence[bytes], head: int, old_end: int, new_end: int) -> list[tuple[int, int]]:
    """(old line, new line) of the lines that each text has once, as the longest common subsequence of both orders."""
    counts, counts_now = Counter(old), Counter(new)
    places = {new[at]: at for at in range(head, new_end) if counts_now[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(head, old_end) if counts[old[at]] == 1 and old[at] in places]
    # Patience sorting. For each length of an ascending chain, ``tops`` has the smallest new line that ends one, ``top_pairs`` the
    # number of its pair; ``before`` has, for each pair, the pair that precedes it in its chain.
    tops: list[int] = []
    top_pairs: list[int] = []
    before: list[int] = []
    for number, (_, now) in enumerate(pairs):
        height = bisect_left(tops, now)
        before.append(top_pairs[height - 1] if height else -1)
        tops[height : height + 1] = [now]
        top_pairs[height : height + 1] = [number]
    chain: list[tuple[int, int]] = []
    number = top_pairs[-1] if top_pairs else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
