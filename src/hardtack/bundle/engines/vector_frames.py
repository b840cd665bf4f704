"""Codes in, the bytes of ``vectors.faiss`` out, and back (FORMAT.md 6).

The file has FAISS' own layout, in two of its kinds: all codes in chunk order, or inverted lists. FAISS trusts what it reads. All of
a file except the numbers themselves follows from the count of vectors, their dimension and the size of each list; a file that
differs from that anywhere is refused here, before FAISS reads it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardtack.bundle.engines.vector_lists import InvertedLists

    Rows = NDArray[np.uint8]

_HEADER: Final = struct.Struct("<4siqqqBi")
"""Kind of index, dimension, count of vectors, two numbers that FAISS does not use, 1 (is trained), 0 (inner product)."""
_COUNTS: Final = struct.Struct("<QQ")
_LENGTH: Final = struct.Struct("<Q")
_QUANTISER: Final = struct.Struct("<iifQQQ")
"""0 (8 bits for each dimension), two numbers for trimmed ranges, dimension, bytes of a code, count of training numbers."""
_NO_DIRECT_MAP: Final = struct.pack("<BQ", 0, 0)
_LISTS: Final = struct.Struct("<4sQQ4sQ")
_UNUSED: Final = 1 << 20
"""The value that FAISS writes into the two unused numbers."""
_CENTROID_LIMIT: Final = 4096.0
_RECALL_PARTS: Final = 1_000_000


class VectorFile(NamedTuple):
    """A checked file, without its codes."""

    minima: NDArray[np.float32]
    """(d,): the value of code 0 in each dimension, minus half a step."""
    ranges: NDArray[np.float32]
    """(d,): the length of 255 steps."""
    places: NDArray[np.int64] | None = None
    """(n,): the offset of each chunk's code in a file with lists."""
    first: int = 0
    """The offset of the first code in a file without lists."""
    centroids: NDArray[np.float32] | None = None
    """(lists, d) of whole numbers; None without lists, where every search is exact."""
    probes: int = 0
    recall: float = 1.0


def trained(blocks: Iterable[NDArray[np.float32]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The minimum of each dimension, and its distance to the maximum, both (d,)."""
    extremes = [(block.min(axis=0), block.max(axis=0)) for block in blocks]
    minima = np.min([least for least, _ in extremes], axis=0)
    ranges: NDArray[np.float32] = np.max([most for _, most in extremes], axis=0) - minima
    return minima, ranges


def quantised(block: NDArray[np.float32], minima: NDArray[np.float32], ranges: NDArray[np.float32]) -> Rows:
    """The codes of vectors, both (n, d), by the same float32 operations as FAISS, so that the codes are the same."""
    codes = block - minima
    codes /= np.where(ranges > 0, ranges, np.float32(np.inf))
    np.clip(codes, 0, 1, out=codes)
    codes *= np.float32(255)
    return codes.astype(np.uint8)


def rendered(
    codes: Rows, minima: NDArray[np.float32], ranges: NDArray[np.float32], lists: InvertedLists | None = None
) -> Iterator[bytes]:
    """The file of these codes (n, d), in pieces."""
    count, dimension = codes.shape
    quantiser = _QUANTISER.pack(0, 0, 0.0, dimension, dimension, 2 * dimension) + minima.tobytes() + ranges.tobytes()
    if lists is None:
        yield _header(b"IxSQ", dimension, count) + quantiser + _LENGTH.pack(codes.size)
        yield from (codes[start : start + (1 << 14)].tobytes() for start in range(0, count, 1 << 14))
        return
    number = len(lists.centroids)
    yield _header(b"IwSq", dimension, count, round(lists.recall * _RECALL_PARTS), 0) + _COUNTS.pack(number, lists.probes)
    yield _header(b"IxFI", dimension, number) + _LENGTH.pack(lists.centroids.size) + lists.centroids.astype("<f4").tobytes()
    yield _NO_DIRECT_MAP + quantiser + _LENGTH.pack(dimension) + b"\0"
    yield _LISTS.pack(b"ilar", number, dimension, b"full", number) + lists.sizes.astype("<u8").tobytes()
    end = 0
    for size in lists.sizes.tolist():
        start, end = end, end + size
        ordinals = lists.ordinals[start:end]
        yield codes[ordinals].tobytes() + ordinals.astype("<i8").tobytes()


def _header(kind: bytes, dimension: int, count: int, first: int = _UNUSED, second: int = _UNUSED) -> bytes:
    return _HEADER.pack(kind, dimension, count, first, second, 1, 0)


def parsed(buffer: memoryview, name: str, *, count: int, dimension: int) -> VectorFile:
    """The member ``name``, checked: ``count`` vectors of ``dimension`` numbers.

    Raises:
        FormatError: it is no file of such vectors, and FAISS must not read it.
    """
    reading = _FrameReader(buffer, name)
    kind, found_dimension, found_count, recall, _, is_trained, metric = _HEADER.unpack(reading.take(_HEADER.size))
    if (found_dimension, found_count, is_trained, metric) != (dimension, count, 1, 0):
        raise reading.another()
    if kind == b"IxSQ":
        minima, ranges = reading.quantiser(dimension)
        reading.expect(_LENGTH.pack(count * dimension))
        if len(buffer) - reading.at != count * dimension:
            raise reading.another()
        return VectorFile(minima=minima, ranges=ranges, first=reading.at)
    if kind == b"IwSq" and 0 <= recall <= _RECALL_PARTS:  # one of the unused numbers has the recall in millionths
        return _parsed_lists(reading, count, dimension, recall / _RECALL_PARTS)
    raise reading.another()


def _parsed_lists(reading: _FrameReader, count: int, dimension: int, recall: float) -> VectorFile:
    number, probes = _COUNTS.unpack(reading.take(_COUNTS.size))
    if not 1 <= probes <= number <= count:
        raise reading.another()
    reading.expect(_HEADER.pack(b"IxFI", dimension, number, _UNUSED, _UNUSED, 1, 0) + _LENGTH.pack(number * dimension))
    centroids = reading.numbers(number * dimension).reshape(number, dimension)
    if not (np.abs(centroids) <= _CENTROID_LIMIT).all() or (centroids != np.rint(centroids)).any():
        raise FormatError(f"{reading.name} has centroids that are no whole numbers.", field=reading.name)
    reading.expect(_NO_DIRECT_MAP)
    minima, ranges = reading.quantiser(dimension)
    reading.expect(_LENGTH.pack(dimension) + b"\0" + _LISTS.pack(b"ilar", number, dimension, b"full", number))
    sizes = np.frombuffer(reading.take(8 * number), "<u8")
    if (sizes > count).any() or int(sizes.sum()) != count or reading.left != count * (dimension + 8):
        raise reading.another()
    return VectorFile(
        minima=minima,
        ranges=ranges,
        places=_places(reading, sizes.astype(np.int64), dimension),
        centroids=centroids,
        probes=probes,
        recall=recall,
    )


def _places(reading: _FrameReader, sizes: NDArray[np.int64], dimension: int) -> NDArray[np.int64]:
    """The offset of each chunk's code. A list is its codes, then the ordinals of its chunks, 8 bytes each."""
    count = int(sizes.sum())
    places = np.full(count, -1, dtype=np.int64)
    for size in sizes.tolist():
        first = reading.at
        reading.take(size * dimension)
        ordinals = np.frombuffer(reading.take(8 * size), "<i8")
        if size and (ordinals.min() < 0 or ordinals.max() >= count):
            raise FormatError(f"{reading.name} lists chunks that the bundle does not have.", field=reading.name)
        places[ordinals] = first + dimension * np.arange(size)
    if (places < 0).any():
        raise FormatError(f"{reading.name} does not list every chunk once.", field=reading.name)
    return places


class _FrameReader:
    """Reads a member from its start to its end."""

    def __init__(self, buffer: memoryview, name: str) -> None:
        self._buffer = buffer
        self.name = name
        self.at = 0

    @property
    def left(self) -> int:
        return len(self._buffer) - self.at

    def take(self, size: int) -> memoryview:
        """The next bytes."""
        if size > self.left:
            raise self.another()
        self.at += size
        return self._buffer[self.at - size : self.at]

    def expect(self, data: bytes) -> None:
        """Require the next bytes to be ``data``."""
        if self.take(len(data)) != data:
            raise self.another()

    def numbers(self, count: int) -> NDArray[np.float32]:
        """The next ``count`` float32 numbers, all finite."""
        numbers = np.frombuffer(self.take(4 * count), "<f4")
        if not np.isfinite(numbers).all():
            raise FormatError(f"{self.name} was trained on what are no numbers.", field=self.name)
        return numbers

    def quantiser(self, dimension: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Minima and ranges of the codes, both (d,)."""
        self.expect(_QUANTISER.pack(0, 0, 0.0, dimension, dimension, 2 * dimension))
        training = self.numbers(2 * dimension)
        return training[:dimension], training[dimension:]

    def another(self) -> FormatError:
        return FormatError(f"{self.name} is not the index that the manifest describes.", field=self.name)
