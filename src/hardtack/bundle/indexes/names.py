"""Names of files and symbols in, the member ``names.postings`` out; the mapped member in, files and symbols by words of names out.

Four families of posting lists over one sorted vocabulary (FORMAT.md 4.13): which files have a word in their base name or in their
folders, and which symbols have it as a part of their name or as the whole name. Ranking looks up every word of every query, so a
list is a slice of a mapped array, and only the words near those of a query are decoded.
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from hardtack.bundle.format import layout
from hardtack.bundle.indexes.posting_lists import StringTable, are_ascending, are_within, places_of
from hardtack.errors import FormatError
from hardtack.text import parts_of, whole_name, words_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEADER: Final = struct.Struct("<8sQQ4Q")  # magic, words, bytes of the vocabulary, postings of each family
_MAGIC: Final = b"HTKNAM\x00\x01"
_LAST: Final = "\U0010ffff"
_SECTION: Final = 3
"""Words that have this many first characters in common are decoded and kept together: terms similar to a word are among them."""
_SECTIONS: Final = 1 << 12


class Family(IntEnum):
    """Which part of a name a word is. The numbers are the order of the families in the member."""

    STEM = 0
    """A part of a file's base name, without its last extension."""
    FOLDER = 1
    """A part of the folders a file lies in."""
    PART = 2
    """A part of a symbol's name."""
    WHOLE = 3
    """A symbol's name as a whole, folded by :func:`terms.whole_name`."""


OF_FILES: Final = (Family.STEM, Family.FOLDER)


def stem_words(path: str) -> list[str]:
    """The words of a file's base name without its last extension, each once."""
    base = path.rpartition("/")[2]
    return words_of(base.rpartition(".")[0] or base)


def folder_words(path: str) -> list[str]:
    """The words of a file's folders, each once."""
    return words_of(path.rpartition("/")[0])


def words_of(text: str) -> list[str]:
    """The lower-cased words and parts of identifiers in ``text``, each once."""
    return list(_words_of(text))


@lru_cache(maxsize=1 << 15)
def _words_of(text: str) -> tuple[str, ...]:  # cached, since many symbols have the same name
    return tuple(dict.fromkeys(part for word in words_in(text) for part in parts_of(word)))


class NamesWriter:
    """Takes files and their symbols in order, then renders the member."""

    def __init__(self) -> None:
        self._postings: tuple[defaultdict[str, array[int]], ...] = tuple(defaultdict(lambda: array("I")) for _ in Family)

    def add(self, file: int, path: str, first_symbol: int, names: Iterable[str]) -> int:
        """Take the next file; how many postings it gives.

        Args:
            file: its ordinal.
            path: its path.
            first_symbol: ordinal of the first of its symbols.
            names: of its symbols, in order.
        """
        stem, folder, part, whole = self._postings
        count = 0
        for family, words in ((stem, stem_words(path)), (folder, folder_words(path))):
            for word in words:
                family[word].append(file)
            count += len(words)
        for ordinal, name in enumerate(names, start=first_symbol):
            words = words_of(name)
            for word in words:
                part[word].append(ordinal)
            count += len(words)
            if folded := whole_name(name):
                whole[folded].append(ordinal)
                count += 1
        return count

    def render(self) -> Iterator[bytes]:
        """The member's bytes, piece by piece."""
        words = sorted(set().union(*self._postings))
        vocabulary = "\n".join(words).encode()
        totals = [sum(map(len, family.values())) for family in self._postings]
        yield _HEADER.pack(_MAGIC, len(words), len(vocabulary), *totals)
        for family in self._postings:
            starts, end = array("I", [0]), 0
            for word in words:
                end += len(family.get(word, ()))
                starts.append(end)
            yield _little_endian(starts)
        for family in self._postings:
            for word in words:
                if word in family:
                    yield _little_endian(family[word])
        yield vocabulary


def _little_endian(words: array[int]) -> bytes:
    if sys.byteorder == "big":
        words = array(words.typecode, words)
        words.byteswap()
    return words.tobytes()


class NameIndex:
    """The mapped member: from words to the files and symbols that have them in their names."""

    def __init__(self, buffer: memoryview, *, files: int, symbols: int) -> None:
        """Check the header and lengths. Posting lists are checked when they are read, or all of them by :meth:`check_lists`.

        Raises:
            FormatError: ``buffer`` is not an index of names.
        """
        import numpy as np

        if len(buffer) < _HEADER.size:
            raise _damaged("it is too short")
        magic, count, length, *totals = _HEADER.unpack_from(buffer)
        if magic != _MAGIC:
            raise _damaged("it is no index of names")
        if max(count, length, *totals) > len(buffer) or (length and not count):
            raise _damaged("it promises more than it holds")
        if _HEADER.size + 4 * (len(Family) * (count + 1) + sum(totals)) + length != len(buffer):
            raise _damaged("it has another length than it promises")
        at = _HEADER.size
        self._starts = np.frombuffer(buffer, dtype="<u4", count=len(Family) * (count + 1), offset=at)
        """Where each posting list starts, one family after another; the ordinals are in the same order."""
        at += 4 * len(self._starts)
        self._ordinals = np.frombuffer(buffer, dtype="<u4", count=sum(totals), offset=at)
        self._begins = [sum(totals[:family]) for family in range(len(Family) + 1)]
        at += 4 * sum(totals)
        self._count = count
        self._is_checked = False
        self._within = [files if family in OF_FILES else symbols for family in Family]
        try:
            self.words: Final = StringTable(buffer[at:], count)
        except ValueError as error:
            raise _damaged(str(error)) from error
        self._frames = cache(self._frames_of)
        self._section = lru_cache(maxsize=_SECTIONS)(self._read_section)

    def check(self) -> None:
        """Check all of the member.

        Raises:
            FormatError: a posting list is malformed, or the vocabulary does not ascend.
        """
        self.check_lists()
        if not self.words.are_ascending():
            raise _damaged("its words are out of order")

    def check_lists(self) -> None:
        """Check all posting lists, so that later reads need not.

        Raises:
            FormatError: a list does not ascend, or has an ordinal that the bundle does not have.
        """
        import numpy as np

        for family in Family:
            table, begin, end = family * (self._count + 1), *self._begins[family : family + 2]
            starts = self._starts[table : table + self._count + 1].astype(np.int64)
            lengths = starts[1:] - starts[:-1]
            if starts[0] != 0 or starts[-1] != end - begin or (lengths < 0).any():
                raise _damaged("its posting lists are out of order")
            self._check_lists_of(family, self._ordinals[begin:end], lengths)
        self._is_checked = True

    def _check_lists_of(self, family: Family, ordinals: NDArray[np.uint32], lengths: NDArray[np.int64]) -> None:
        if len(ordinals) and int(ordinals.max()) >= self._within[family]:
            raise _damaged("it points outside the bundle")
        if not are_ascending(ordinals, lengths):
            raise _damaged("a posting list is out of order")

    def row(self, word: str) -> int:
        """The row of a word in the vocabulary, or -1."""
        first, words = self._section(word[:_SECTION])
        place = bisect_left(words, word)
        return first + place if place < len(words) and words[place] == word else -1

    def rows_from(self, prefix: str) -> range:
        """The rows of the words that begin with ``prefix``."""
        start = self.words.place(prefix)
        return range(start, self.words.place(prefix + _LAST, start))

    def beginning(self, prefix: str) -> tuple[int, list[str]]:
        """The row of the first word that begins with ``prefix``, and all such words."""
        first, words = self._section(prefix[:_SECTION])
        start = bisect_left(words, prefix)
        return first + start, words[start : bisect_left(words, prefix + _LAST, lo=start)]

    def rows_of_beginnings(self, word: str, least: int) -> Iterator[tuple[int, int]]:
        """(length, row) of each word that is a proper prefix of ``word`` and has at least ``least`` characters."""
        first, words = self._section(word[: min(_SECTION, least)])
        row, end = 0, len(words)
        for length in range(least, len(word)):
            row = bisect_left(words, word[:length], lo=row)  # a longer prefix sorts later
            if row == end:
                break
            if words[row] == word[:length]:
                yield length, first + row

    def _read_section(self, prefix: str) -> tuple[int, list[str]]:
        rows = self.rows_from(prefix)
        return rows.start, self.words.between(rows)

    def postings(self, family: Family, row: int) -> NDArray[np.uint32]:
        """Ordinals of the files or symbols that have the word of that row, ascending.

        Raises:
            FormatError: the list does not ascend, or has an ordinal that the bundle does not have.
        """
        import numpy as np

        return self.postings_of([family], np.array([row], dtype=np.int64))[0]

    def postings_of(self, families: Sequence[Family], rows: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """The posting lists of several words, one after another: those of the first family, then those of the next.

        Args:
            families: of the lists.
            rows: (n,), rows of words; a row may occur twice.

        Returns:
            The ordinals of all lists, (sum of lengths,); and the length of each list, (families, n).

        Raises:
            FormatError: a list does not ascend, or has an ordinal that the bundle does not have.
        """
        import numpy as np

        tables, begins, ends = self._frames(tuple(families))
        places = rows + tables
        first = self._starts[places].astype(np.int64)
        places += 1
        lengths = self._starts[places] - first
        first += begins
        if not self._is_checked and not are_within(first, lengths, ends, of=len(self._ordinals)):
            raise _damaged("its posting lists are out of order")
        ordinals = self._ordinals[places_of(first.ravel(), lengths.ravel())]
        if not self._is_checked:
            end = 0
            for row, family in enumerate(families):
                start, end = end, end + int(lengths[row].sum())
                self._check_lists_of(family, ordinals[start:end], lengths[row])
        return ordinals, lengths

    def _frames_of(self, families: tuple[Family, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """For each family, where its table begins in all starts, and where its lists begin and end in all ordinals.

        Each is (families, 1).
        """
        import numpy as np

        tables = np.array([[family * (self._count + 1)] for family in families], dtype=np.int64)
        begins = np.array([[self._begins[family]] for family in families], dtype=np.int64)
        return tables, begins, np.array([[self._begins[family + 1]] for family in families], dtype=np.int64)


def _damaged(what: str) -> FormatError:
    return FormatError(f"{layout.NAMES} is damaged: {what}.", field=layout.NAMES)
