"""Pairs of words on one line of a file in, the member ``pairs.filter`` out; the mapped member in, co-occurrence of two words out.

That a file has both words of a query says little when they are a thousand lines apart. The member is one Bloom filter (Bloom, CACM
13(7), 1970) over (file, pair). It takes one byte for each pair and has no false negatives; one in forty-six absent pairs is a false
positive (FORMAT.md 4.15). Posting lists of all pairs would be six times as long. The five probes of an entry are made of two hashes
(Kirsch and Mitzenmacher, "Less hashing, same performance", ESA 2006).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hardtack.bundle.format import layout
from hardtack.bundle.indexes.posting_lists import places_of
from hardtack.bundle.indexes.words import pieces_of, stem_hash
from hardtack.errors import FormatError
from hardtack.text import MAX_TERM_CHARACTERS, STOP_WORDS, is_unspaced, parts_of, stem_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HASH: Final = struct.Struct("=Q")
_HEADER: Final = struct.Struct("<8sQ")  # magic, entries
_MAGIC: Final = b"HTKPRS\x00\x01"
_LINE_CHARACTERS: Final = 400
"""Only this many characters of a line are read: what follows is data or generated code."""
_APART: Final = 40
"""The greatest distance between two stems of a line that make a pair."""
_PROBES: Final = 5
"""Bits that are set for an entry. With 8 bits for each entry, ``(1 - exp(-5 / 8)) ** 5`` = 2.2 % of absent ones are found."""
_MOST_BYTES: Final = (1 << 32) - 8
"""Probes have 32 bits, so a longer filter would not be used; beyond four billion entries false positives become more frequent."""
_ENTRIES_AT_ONCE: Final = 1 << 20
"""Entries that are hashed together when the filter is made."""
_STEMS_AT_ONCE: Final = 1 << 15
"""Stems whose pairs are made together: each can be of ``_APART`` pairs, and a file of a megabyte can have 300,000 stems."""
_FIRST_FACTOR: Final = 0xBF58476D1CE4E5B9
_SECOND_FACTOR: Final = 0x94D049BB133111EB
_BORDER: Final = 1 << 32
"""What separates lines in an array of hashes: no hash of 32 bits is so large."""
_BORDER_WORD: Final = "\x01"
_LAST_ASCII: Final = 0x7F


def is_paired(part: str) -> bool:
    """Whether pairs are made with one part of a word: not with one character, digits alone, a stop word or two neighbours.

    Text without spaces has a pair of neighbouring characters for each of its characters, and those that stand together
    overlap: the filter would be several times as long and say little more.
    """
    return len(part) > 1 and part not in STOP_WORDS and not (part.isdigit() if part.isascii() else is_unspaced(part))


class _Spaced(dict[int, str]):
    """A table for ``str.translate``: an ASCII character that is neither part of a word nor a line feed becomes a space."""

    def __missing__(self, ordinal: int) -> str:
        character = chr(ordinal)
        spaced = self[ordinal] = character if ordinal > _LAST_ASCII or character.isalnum() or character in "_\n" else " "
        return spaced


class _HashesByWord(dict[str, bytes]):
    """The hashes of the stems of a word's parts, 64 bits each, made when they are first looked up."""

    def __missing__(self, word: str) -> bytes:
        if len(self) >= 1_000_000:
            self.clear()
        hashes = map(_packed_hash, parts_of(word[:MAX_TERM_CHARACTERS] if word.isascii() else word))
        packed = self[word] = _HASH.pack(_BORDER) if word == _BORDER_WORD else b"".join(hashes)
        return packed


@lru_cache(maxsize=1 << 16)
def _packed_hash(part: str) -> bytes:
    return _HASH.pack(stem_hash(stem_of(part))) if is_paired(part) else b""


_spaced = _Spaced()
_SPACED_ASCII: Final = bytes(ord(_spaced[byte]) for byte in range(128)) + bytes(range(128, 256))
_hashes_by_word = _HashesByWord()


def pair_hashes(one: NDArray[np.uint32], other: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """A hash for each pair of stems, the same in either order.

    Args:
        one: (n,), :func:`words.stem_hash` of one stem of each pair.
        other: (n,), that of the other stem.
    """
    import numpy as np

    keys = np.maximum(one, other).astype(np.uint64)
    keys <<= 32
    keys |= np.minimum(one, other)
    return (_mixed(keys) >> 32).astype(np.uint32)


def pack_pairs(text: str) -> bytes:
    """The pairs of a file's text as a worker process sends them: ascending, distinct uint32 hashes in native byte order."""
    import numpy as np

    first, *others = (_pairs_in(piece) for piece in pieces_of(text, "\n"))
    return (_each_once(np.concatenate((first, *others))) if others else first).tobytes()


def _pairs_in(text: str) -> NDArray[np.uint32]:
    """The pairs of some lines, ascending, each once."""
    import numpy as np

    if "\n" not in text:
        text = text[:_LINE_CHARACTERS]  # one line, which may be as long as its file
    lines = dict.fromkeys(_words_and_ends(text).split("\n"))  # a repeated line has the same pairs
    words = f" {_BORDER_WORD} ".join([line[:_LINE_CHARACTERS] for line in lines]).split()
    hashes = np.frombuffer(b"".join(map(_hashes_by_word.__getitem__, words)), dtype=np.uint64)
    borders = np.append(np.flatnonzero(hashes == _BORDER), len(hashes))
    nexts = np.arange(1, len(hashes) + 1)
    following = np.repeat(borders, np.diff(borders, prepend=-1))[: len(hashes)]
    following -= nexts
    np.clip(following, 0, _APART, out=following)
    stems = hashes.astype(np.uint32)
    pairs = np.zeros(0, dtype=np.uint32)
    for at in range(0, len(stems), _STEMS_AT_ONCE):
        some = slice(at, at + _STEMS_AT_ONCE)
        one, other = np.repeat(stems[some], following[some]), stems[places_of(nexts[some], following[some])]
        differ = one != other
        pairs = _each_once(np.concatenate((pairs, pair_hashes(one[differ], other[differ]))))
    return pairs


def _words_and_ends(text: str) -> str:
    """The text with spaces for all characters that are neither part of a word nor a line feed."""
    return text.encode().translate(_SPACED_ASCII).decode() if text.isascii() else text.translate(_spaced)


def _each_once(hashes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The distinct hashes, ascending; sorts ``hashes`` in place. ``np.unique`` takes six times as long."""
    import numpy as np

    hashes.sort()
    is_first = np.ones(len(hashes), dtype=np.bool_)
    np.not_equal(hashes[1:], hashes[:-1], out=is_first[1:])
    return hashes[is_first]


class PairsWriter:
    """Takes files in order, then renders the member."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []

    def add(self, pairs: bytes) -> None:
        """Take the next file, as :func:`pack_pairs` gives it."""
        self._packed.append(pairs)

    def render(self) -> Iterator[bytes]:
        """The member's bytes, piece by piece."""
        import numpy as np

        pairs = np.frombuffer(b"".join(self._packed), dtype=np.uint32)
        lengths = [len(packed) // pairs.itemsize for packed in self._packed]
        files = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
        size = _size_for(len(pairs))
        is_set = np.zeros((size, 8), dtype=np.bool_)
        for at in range(0, len(pairs), _ENTRIES_AT_ONCE):
            probe, step = _hashes_of(files[at : at + _ENTRIES_AT_ONCE], pairs[at : at + _ENTRIES_AT_ONCE])
            for _ in range(_PROBES):
                is_set[_places_in(size, probe), probe & 7] = True
                probe += step
        yield _HEADER.pack(_MAGIC, len(pairs))
        yield np.packbits(is_set, bitorder="little").tobytes()


class PairFilter:
    """The mapped member: whether two words stand on one line of a file."""

    def __init__(self, buffer: memoryview) -> None:
        """Check the header and the length.

        Raises:
            FormatError: ``buffer`` is not a filter of pairs.
        """
        import numpy as np

        if len(buffer) < _HEADER.size:
            raise _damaged("it is too short")
        magic, entries = _HEADER.unpack_from(buffer)
        if magic != _MAGIC:
            raise _damaged("it is no filter of pairs")
        if _HEADER.size + _size_for(entries) != len(buffer):
            raise _damaged("it has another length than it promises")
        self._bytes = np.frombuffer(buffer, dtype=np.uint8, offset=_HEADER.size)

    def has(self, files: NDArray[np.int64], pairs: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Whether the i-th file has the i-th pair: True wherever it does, and for some 2 % of the others.

        Args:
            files: (n,), ordinals.
            pairs: (n,), as :func:`pair_hashes` gives them.

        Returns:
            (n,), booleans.
        """
        import numpy as np

        probe, step = _hashes_of(files, pairs)
        probes = np.arange(_PROBES, dtype=np.uint32)[:, None] * step
        probes += probe
        bits = self._bytes.take(_places_in(len(self._bytes), probes))
        bits >>= (probes & 7).astype(np.uint8)
        found: NDArray[np.uint8] = np.bitwise_and.reduce(bits, axis=0)
        found &= 1
        return found.astype(np.bool_)


def _places_in(size: int, probe: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The byte of ``size`` that each 32-bit probe means: ``probe * size / 2**32``, which needs no division."""
    import numpy as np

    places = probe.astype(np.uint64)
    places *= size
    places >>= 32
    return places.astype(np.int64)


def _hashes_of(
    files: NDArray[np.int64] | NDArray[np.uint32], pairs: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The first probe of each entry, and the odd step from each of its probes to the next."""
    import numpy as np

    keys = files.astype(np.uint64)
    keys <<= 32
    keys |= pairs
    keys = _mixed(keys)
    steps = (keys >> 32).astype(np.uint32)
    steps |= 1
    return keys.astype(np.uint32), steps


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), in place: each output bit depends on every input bit."""
    keys ^= keys >> 30
    keys *= _FIRST_FACTOR
    keys ^= keys >> 27
    keys *= _SECOND_FACTOR
    keys ^= keys >> 31
    return keys


def _size_for(entries: int) -> int:
    """Bytes of a filter of that many entries: one for each, rounded up to a multiple of 8."""
    return min(max(-(-entries // 8) * 8, 8), _MOST_BYTES)


def _damaged(what: str) -> FormatError:
    return FormatError(f"{layout.PAIRS} is damaged: {what}.", field=layout.PAIRS)
