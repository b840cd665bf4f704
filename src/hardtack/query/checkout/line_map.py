"""The text of a file as it was and as it is in, where a stretch of its lines stands now out: only where that can be told for sure.

Lines are sure when they are the same from the top of both texts on, or from their ends, or hang together with a line that each text
has once. A stretch maps only as a whole; what was edited, or could be one of several copies, has no place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence


class LineMap:
    """Where the lines of one text stand in another."""

    def __init__(self, before: bytes, after: bytes) -> None:
        """Compare two texts by lines, which end at a line feed; a carriage return before it makes no other line."""
        old, new = _lines(before), _lines(after)
        self._blocks = _blocks(old, new)
        self._starts = [start for start, _, _ in self._blocks]

    def place(self, first: int, last: int) -> tuple[int, int] | None:
        """Where the lines ``first`` to ``last`` stand now, all from 1 and inclusive; None where they do not stand together."""
        at = bisect_right(self._starts, first - 1) - 1
        if at < 0:
            return None
        start, now, length = self._blocks[at]
        shift = now - start
        return (first + shift, last + shift) if first <= last <= start + length else None


def _lines(text: bytes) -> list[bytes]:
    lines = text.replace(b"\r\n", b"\n").split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def _blocks(old: Sequence[bytes], new: Sequence[bytes]) -> list[tuple[int, int, int]]:
    """(first line of the old text, first line of the new, how many) of what is the same, from 0, ascending; none overlaps."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    blocks = [(0, 0, head)]
    old_end, new_end = len(old) - tail, len(new) - tail
    for anchor, now in _anchors(old, new, head, old_end, new_end):
        last, last_now, length = blocks[-1]
        if anchor < last + length or now < last_now + length:
            continue  # part of the block before it, or behind it in one text alone
        begin, begin_now = anchor, now
        while begin > last + length and begin_now > last_now + length and old[begin - 1] == new[begin_now - 1]:
            begin, begin_now = begin - 1, begin_now - 1
        end, end_now = anchor + 1, now + 1
        while end < old_end and end_now < new_end and old[end] == new[end_now]:
            end, end_now = end + 1, end_now + 1
        blocks.append((begin, begin_now, end - begin))
    blocks.append((old_end, new_end, tail))
    return _joined([block for block in blocks if block[2]])


def _joined(blocks: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The same, each that goes on where the one before it ends being part of that."""
    joined: list[tuple[int, int, int]] = []
    for start, now, length in blocks:
        if joined and sum(joined[-1][::2]) == start and joined[-1][1] + joined[-1][2] == now:
            joined[-1] = (*joined[-1][:2], joined[-1][2] + length)
        else:
            joined.append((start, now, length))
    return joined


def _anchors(old: Sequence[bytes], new: Sequence[bytes], head: int, old_end: int, new_end: int) -> list[tuple[int, int]]:
    """Lines that each text has once, in the longest order that both have them in."""
    counts, counts_now = Counter(old), Counter(new)
    places = {new[at]: at for at in range(head, new_end) if counts_now[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(head, old_end) if counts[old[at]] == 1 and old[at] in places]
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
