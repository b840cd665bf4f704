"""What the indexes of names, words and pairs share: checks of ranges in an array of postings, and the sorted table of words.

An index is an array of ordinals and, for each word, the range of it that is the word's posting list. A bundle's names have tens of
thousands of words and a query needs a few, so a word is decoded only when it is read. UTF-8 sorts as its code points do, so words
are compared as stored bytes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from codecs import utf_8_decode
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, islice
from operator import ge
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STRIP = 1024
"""Bytes whose words are decoded together."""
_STRIPS_AT_ONCE = 32
"""Strips that are copied out of the member together when words are counted: 32 KiB fit the processor's first cache."""
_KEPT_STRIPS = 1 << 12


class StringTable:
    """Ascending, distinct words, none of them empty, as lines of UTF-8 text; :meth:`are_ascending` checks that they are."""

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
        """How many words begin before each strip."""
        if self._before[-1] != count or (text and not count):
            raise ValueError("it has other words than it promises")
        self._count = count
        self._strip = lru_cache(maxsize=_KEPT_STRIPS)(self._lines_of)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, row: int) -> str:
        return self._line(range(self._count)[row]).decode()

    def between(self, rows: range) -> list[str]:
        """The words from the first of these rows to the last."""
        if not rows:
            return []
        first, last = (bisect_right(self._before, row) - 1 for row in (rows[0], rows[-1]))
        start = rows.start - self._before[first]
        return b"\n".join(self._lines_of(first, last)[start : start + len(rows)]).decode().split("\n")

    def place(self, word: str, start: int = 0, end: int | None = None) -> int:
        """The first row from ``start`` on, and before ``end``, whose word does not sort before ``word``."""
        return bisect_left(range(self._count), _stored(word), lo=start, hi=end, key=self._line)

    def are_ascending(self) -> bool:
        """Whether the words ascend and none is empty. Decodes all of them."""
        lines = self.between(range(self._count))
        return all(lines) and not any(map(ge, lines, islice(lines, 1, None)))

    def _line(self, row: int) -> bytes:
        strip = bisect_right(self._before, row) - 1
        return self._strip(strip)[row - self._before[strip]]

    def _lines_of(self, first: int, last: int | None = None) -> list[bytes]:
        """The words that begin in a strip, or in one of those from ``first`` to ``last``; there is at least one."""
        end = min(((first if last is None else last) + 1) * _STRIP, self._end)
        found = self._fed(first * _STRIP, end)
        start, more = found.index(b"\n") + 1, _STRIP
        while (stop := (rest := self._fed(end, end + more)).find(b"\n")) < 0:
            found, end, more = found + rest, end + more, 2 * more  # twice as much each time: a line may be as long as the member
        return (found + rest[:stop])[start:].split(b"\n")

    def _fed(self, start: int, end: int) -> bytes:
        """Bytes ``start`` to ``end`` of the text, as if a line feed stood before its first word and after its last.

        Every word then begins after a line feed, so that one search finds the first word as well.
        """
        text = self._text[max(start - 1, 0) : end - 1].tobytes()
        return b"".join((b"\n" if start == 0 else b"", text, b"\n" if end > len(self._text) + 1 else b""))

    def _feeds(self) -> Iterator[int]:
        """How many words begin in each strip.

        Raises:
            ValueError: the text is not UTF-8.
        """
        left = b""  # the first bytes of a character that the end of a part cuts in two
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
    """``word`` as stored. A lone surrogate, which no stored word has, still gets bytes that sort in its place."""
    return word.encode("utf-8", "surrogatepass")


def places_of(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every place of every range, one range after another.

    Args:
        starts: (n,), where each range begins.
        lengths: (n,), how long each is; 0 is allowed.
    """
    import numpy as np

    ends = lengths.cumsum()
    places: NDArray[np.int64] = (starts - ends + lengths).repeat(lengths)
    places += np.arange(len(places))
    return places


def are_within(starts: NDArray[np.int64], lengths: NDArray[np.int64], ends: NDArray[np.int64] | int, *, of: int) -> bool:
    """Whether ranges of an array lie in it, and together are no longer than it unless they are apart or equal.

    Args:
        starts: where each range begins, at least 0.
        lengths: how long each is, of the same shape.
        ends: where the part of the array ends that each range must lie in; of a shape that broadcasts to theirs.
        of: how long the array is.
    """
    if (lengths < 0).any() or (starts + lengths > ends).any():
        return False
    # Ranges of a forged member that overlap could make a small member give any number of postings.
    return int(lengths.sum()) <= of or _are_apart(starts.ravel(), lengths.ravel())


def _are_apart(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> bool:
    """Whether no two ranges share a place, except equal ones: two words of a query may have the same list."""
    is_any = lengths > 0
    starts = starts[is_any]
    order = starts.argsort(kind="stable")
    first, last = starts[order], (starts + lengths[is_any])[order]
    comes_again = (first[1:] == first[:-1]) & (last[1:] == last[:-1])
    return bool(((first[1:] >= last[:-1]) | comes_again).all())


def are_ascending(ordinals: NDArray[np.uint32], lengths: NDArray[np.int64]) -> bool:
    """Whether each of several posting lists, one after another, ascends without repeats.

    Args:
        ordinals: (length of all lists together,).
        lengths: (n,), how long each is; 0 is allowed.
    """
    rises = ordinals[1:] > ordinals[:-1]
    ends = lengths.cumsum()
    ends = ends[(ends > 0) & (ends < len(ordinals))]
    rises[ends - 1] = True  # where one list ends and the next begins, the ordinals may fall
    return bool(rises.all())
