"""Ascending lines of text in, as a member has them; the places of words among them, and the words at places, out.

A bundle's names have tens of thousands of words and a query asks for a few, so a word is decoded when it is read. UTF-8 has its
bytes in the order of the characters that they stand for, so words are compared as they are stored.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from operator import ge
from typing import Any


class Lines:
    """Lines of UTF-8 text, ascending and distinct, none of them empty: whoever made them says so, :meth:`are_ascending` looks."""

    def __init__(self, text: memoryview, count: int) -> None:
        """Find where each line begins.

        Args:
            text: the lines, a line feed between each and the next.
            count: how many there should be.

        Raises:
            ValueError: there are more or fewer, or they are no text.
        """
        import numpy as np

        self._text = bytes(text)
        try:
            self._text.decode()
        except UnicodeDecodeError as error:
            raise ValueError("its words are no text") from error
        feeds = np.flatnonzero(np.frombuffer(self._text, dtype=np.uint8) == ord("\n"))
        if len(feeds) + 1 != count and (count or len(text)):
            raise ValueError("it has other words than it promises")
        self._count = count
        starts: Any = np.concatenate(([0], feeds + 1, [len(text) + 1]))
        self._starts = memoryview(starts)  # gives whole numbers faster than an array does

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, row: int) -> str:
        return self._line(range(self._count)[row]).decode()

    def between(self, rows: range) -> list[str]:
        """The lines from the first of these rows to the last."""
        return self._text[self._starts[rows.start] : self._starts[rows.stop] - 1].decode().split("\n") if rows else []

    def place(self, word: str, start: int = 0, end: int | None = None) -> int:
        """The first row that does not come before ``word``, of those from ``start`` on and before ``end``."""
        return bisect_left(range(self._count), _stored(word), lo=start, hi=end, key=self._line)

    def are_ascending(self) -> bool:
        """Whether they are what their class says."""
        lines = self.between(range(self._count))
        return all(lines) and not any(map(ge, lines, islice(lines, 1, None)))

    def _line(self, row: int) -> bytes:
        return self._text[self._starts[row] : self._starts[row + 1] - 1]


def _stored(word: str) -> bytes:
    """``word`` as it would be stored; half a character, which cannot be, in the place it would have."""
    return word.encode("utf-8", "surrogatepass")
