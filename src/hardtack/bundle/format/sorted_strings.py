"""Ascending lines of text in, as a member has them; the places of words among them, and the words at places, out.

A bundle's names have tens of thousands of words and a query asks for a few, so a word is decoded when it is read. UTF-8 has its
bytes in the order of the characters that they stand for, so words are compared as they are stored.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from codecs import utf_8_decode
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, islice
from operator import ge

_STRIP = 1024
"""Bytes whose lines are found at once."""
_STRIPS_AT_ONCE = 32
"""Strips that are copied out of the member at once, to be counted: so much stays in memory that is there already."""
_KEPT_STRIPS = 1 << 12


class Lines:
    """Lines of UTF-8 text, ascending and distinct, none of them empty: whoever made them says so, :meth:`are_ascending` looks."""

    def __init__(self, text: memoryview, count: int) -> None:
        """Count the lines.

        Args:
            text: the lines, a line feed between each and the next.
            count: how many there should be.

        Raises:
            ValueError: there are more or fewer, or they are no text.
        """
        self._text = text
        self._end = len(text) + 1 if count else 0
        self._before = [*accumulate(self._feeds(), initial=0)]
        """How many lines begin before each strip."""
        if self._before[-1] != count or (text and not count):
            raise ValueError("it has other words than it promises")
        self._count = count
        self._strip = lru_cache(maxsize=_KEPT_STRIPS)(self._lines_of)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, row: int) -> str:
        return self._line(range(self._count)[row]).decode()

    def between(self, rows: range) -> list[str]:
        """The lines from the first of these rows to the last."""
        if not rows:
            return []
        first, last = (bisect_right(self._before, row) - 1 for row in (rows[0], rows[-1]))
        start = rows.start - self._before[first]
        return b"\n".join(self._lines_of(first, last)[start : start + len(rows)]).decode().split("\n")

    def place(self, word: str, start: int = 0, end: int | None = None) -> int:
        """The first row that does not come before ``word``, of those from ``start`` on and before ``end``."""
        return bisect_left(range(self._count), _stored(word), lo=start, hi=end, key=self._line)

    def are_ascending(self) -> bool:
        """Whether they are what their class says."""
        lines = self.between(range(self._count))
        return all(lines) and not any(map(ge, lines, islice(lines, 1, None)))

    def _line(self, row: int) -> bytes:
        strip = bisect_right(self._before, row) - 1
        return self._strip(strip)[row - self._before[strip]]

    def _lines_of(self, first: int, last: int | None = None) -> list[bytes]:
        """The lines that begin in a strip, or in one of those from ``first`` to ``last``; there is at least one."""
        end = min(((first if last is None else last) + 1) * _STRIP, self._end)
        found = self._fed(first * _STRIP, end)
        start, more = found.index(b"\n") + 1, _STRIP
        while (stop := (rest := self._fed(end, end + more)).find(b"\n")) < 0:
            found, end, more = found + rest, end + more, 2 * more  # twice as much each time: a line may be as long as the member
        return (found + rest[:stop])[start:].split(b"\n")

    def _fed(self, start: int, end: int) -> bytes:
        """A part of the text as it is with a line feed before each line, the first as well, and one after the last."""
        text = self._text[max(start - 1, 0) : end - 1].tobytes()
        return b"".join((b"\n" if start == 0 else b"", text, b"\n" if end > len(self._text) + 1 else b""))

    def _feeds(self) -> Iterator[int]:
        """How many lines begin in each strip.

        Raises:
            ValueError: the text is none.
        """
        left = b""  # of a character that is cut in two
        for at in range(0, self._end, _STRIPS_AT_ONCE * _STRIP):
            end = min(at + _STRIPS_AT_ONCE * _STRIP, self._end)
            fed = self._fed(at, end)
            try:
                read = utf_8_decode(left + fed, "strict", end == self._end)[1]
            except UnicodeDecodeError as error:
                raise ValueError("its words are no text") from error
            left = (left + fed)[read:]
            yield from (fed.count(b"\n", strip, strip + _STRIP) for strip in range(0, len(fed), _STRIP))


def _stored(word: str) -> bytes:
    """``word`` as it would be stored; half a character, which cannot be, in the place it would have."""
    return word.encode("utf-8", "surrogatepass")
