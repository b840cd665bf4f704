"""Words of files in, the member ``words.postings`` out; the mapped member in, files and counts by stem out: for file-level BM25.

The lexical index scores chunks. A file whose words are spread over many chunks is found by its whole text: the member has one
posting list for each stem (:mod:`hardtack.text`) over all files, with counts (FORMAT.md 4.14). Stems are stored as sorted 32-bit
hashes, so that a query finds its lists by one binary search in a mapped array. In a bundle of forty thousand words, a word of a
query has the hash of another one with a probability of one in a hundred thousand; some file then ranks a little too high.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hardtack.bundle.format import layout
from hardtack.bundle.indexes.posting_lists import are_ascending, are_within, places_of
from hardtack.errors import FormatError
from hardtack.text import stem_of, terms_of, words_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEADER: Final = struct.Struct("<8sQQ")  # magic, stems, postings
_MAGIC: Final = b"HTKWRD\x00\x01"
_MOST: Final = 255
"""The greatest count that is stored; a count is one byte."""
_PIECE: Final = 1 << 20
"""Characters of a text whose words are listed together."""
_MOST_WORDS: Final = 1_000_000
"""Words whose hashes are kept."""


def stem_hash(stem: str) -> int:
    """What a stem is stored as: CRC-32 of its UTF-8."""
    return zlib.crc32(stem.encode("utf-8", "surrogatepass"))


class _StemsByWord(dict[str, bytes]):
    """The hashes of the stems of a word's terms, made when they are first looked up: source code repeats its words."""

    def __missing__(self, word: str) -> bytes:
        if len(self) >= _MOST_WORDS:
            self.clear()
        packed = self[word] = array("I", (stem_hash(stem_of(term)) for term in terms_of(word))).tobytes()
        return packed


_stems_by_word: Final = _StemsByWord()


def pieces_of(text: str, separators: str) -> Iterator[str]:
    """The text in pieces, each cut after one of ``separators``: of a long text, the words of all of it are not listed at once.

    A piece has 2^20 characters at most, unless no separator is in so many; then it ends with the first one after them.
    """
    start = 0
    while len(text) - start > _PIECE:
        end = max(text.rfind(each, start, start + _PIECE) for each in separators) + 1
        if end <= start:
            ends = [at for each in separators if (at := text.find(each, start + _PIECE)) >= 0]
            end = min(ends) + 1 if ends else len(text)
        yield text[start:end]
        start = end
    if start < len(text) or not text:
        yield text[start:]


def pack_stems(text: str) -> tuple[bytes, bytes]:
    """The stems of a file's terms as a worker process sends them: ascending uint32 hashes, native byte order, and uint8 counts."""
    import numpy as np

    counted = [
        np.unique(np.frombuffer(b"".join(map(_stems_by_word.__getitem__, words_in(piece))), dtype=np.uint32), return_counts=True)
        for piece in pieces_of(text, "\n ")
    ]
    hashes, counts = counted[0]
    if len(counted) > 1:
        hashes, places = np.unique(np.concatenate([each for each, _ in counted]), return_inverse=True)
        counts = np.bincount(places, weights=np.concatenate([each for _, each in counted]))
    return hashes.tobytes(), np.minimum(counts, _MOST).astype(np.uint8).tobytes()


class WordsWriter:
    """Takes files in order, then renders the member."""

    def __init__(self) -> None:
        self._packed: list[tuple[bytes, bytes]] = []

    def add(self, hashes: bytes, counts: bytes) -> None:
        """Take the next file, as :func:`pack_stems` gives it."""
        self._packed.append((hashes, counts))

    def render(self) -> Iterator[bytes]:
        """The member's bytes, piece by piece."""
        import numpy as np

        lengths = [len(counts) for _, counts in self._packed]
        hashes = np.frombuffer(b"".join(hashes for hashes, _ in self._packed), dtype=np.uint32)
        counts = np.frombuffer(b"".join(counts for _, counts in self._packed), dtype=np.uint8)
        files = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
        order = np.lexsort((files, hashes))
        stems, first = np.unique(hashes[order], return_index=True)
        starts = np.append(first, len(hashes))
        yield _HEADER.pack(_MAGIC, len(stems), len(hashes))
        yield stems.astype("<u4").tobytes()
        yield starts.astype("<u4").tobytes()
        yield files[order].astype("<u4").tobytes()
        yield counts[order].tobytes()


class WordIndex:
    """The mapped member: from stems to the files that have them."""

    def __init__(self, buffer: memoryview, *, files: int, member: str = layout.WORDS) -> None:
        """Check the header and lengths. Posting lists are checked when they are read, or all of them by :meth:`check`.

        Args:
            buffer: the mapped index.
            files: how many files there are, or other things that have words.
            member: which holds the index, for errors.

        Raises:
            FormatError: ``buffer`` is not an index of words.
        """
        import numpy as np

        self._member = member
        if len(buffer) < _HEADER.size:
            raise self._damaged("it is too short")
        magic, stems, postings = _HEADER.unpack_from(buffer)
        if magic != _MAGIC or max(stems, postings) > len(buffer):
            raise self._damaged("it is no index of words")
        if _HEADER.size + 4 * (2 * stems + 1) + 5 * postings != len(buffer):
            raise self._damaged("it has another length than it promises")
        at, self._within, self._is_checked = _HEADER.size, files, False
        self._stems = np.frombuffer(buffer, dtype="<u4", count=stems, offset=at)
        self._starts = np.frombuffer(buffer, dtype="<u4", count=stems + 1, offset=(at := at + 4 * stems))
        self._files = np.frombuffer(buffer, dtype="<u4", count=postings, offset=(at := at + 4 * (stems + 1)))
        self._counts = np.frombuffer(buffer, dtype=np.uint8, count=postings, offset=at + 4 * postings)

    def check(self) -> None:
        """Check all of the member, so that later reads need not.

        Raises:
            FormatError: stems or a list do not ascend, or a list has a file that the bundle does not have.
        """
        import numpy as np

        if (self._stems[1:] <= self._stems[:-1]).any():
            raise self._damaged("its stems are out of order")
        starts = self._starts.astype(np.int64)
        lengths = starts[1:] - starts[:-1]
        if starts[0] != 0 or starts[-1] != len(self._files) or (lengths <= 0).any():
            raise self._damaged("its posting lists are out of order")
        self._check_lists(self._files, self._counts, lengths)
        self._is_checked = True

    def _check_lists(self, files: NDArray[np.uint32], counts: NDArray[np.uint8], lengths: NDArray[np.int64]) -> None:
        if len(files) and (int(files.max()) >= self._within or int(counts.min()) == 0):
            raise self._damaged("it points outside the bundle, or counts what is not there")
        if not are_ascending(files, lengths):
            raise self._damaged("a posting list is out of order")

    def postings(self, stems: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.int64]]:
        """The posting lists of several stems, one after another.

        Returns:
            Ordinals of files, ascending within each list, (sum of lengths,); how often each file has the stem, of the same shape,
            where 255 means 255 or more; and the length of each list, (stems,).

        Raises:
            FormatError: a list does not ascend, or has a file that the bundle does not have.
        """
        import numpy as np

        hashes = np.array([stem_hash(stem) for stem in stems], dtype=np.uint32)
        rows = self._stems.searchsorted(hashes)
        ends = self._stems.searchsorted(hashes, side="right")  # rows + 1 for a stem that is there, else rows
        first = self._starts[rows].astype(np.int64)
        lengths = self._starts[ends] - first
        if not self._is_checked:
            is_any = ends > rows  # a stem that is stored must have a file
            if not are_within(first, lengths, len(self._files), of=len(self._files)) or (lengths[is_any] == 0).any():
                raise self._damaged("its posting lists are out of order")
        places = places_of(first, lengths)
        files, counts = self._files[places], self._counts[places]
        if not self._is_checked:
            self._check_lists(files, counts, lengths)
        return files, counts, lengths

    def of_files(self, files: int) -> list[tuple[bytes, bytes]]:
        """The stems of each of the first ``files`` files, as :func:`pack_stems` gives them."""
        import numpy as np

        order = np.argsort(self._files, kind="stable")
        hashes = np.repeat(self._stems, np.diff(self._starts))[order].astype(np.uint32)
        counts, ends = self._counts[order], np.searchsorted(self._files[order], np.arange(files + 1)).tolist()
        return [(hashes[start:end].tobytes(), counts[start:end].tobytes()) for start, end in pairwise(ends)]

    def _damaged(self, what: str) -> FormatError:
        return FormatError(f"{self._member} is damaged: {what}.", field=self._member)
