"""Vectors in, file by file, their codes out: 8 bits for each dimension, and the bounds of the numbers (FORMAT.md 6.1).

With given bounds, a vector's code depends on the vector alone, so that the next build can copy it, whatever else changed. Without
them, the bounds are the minimum and the maximum of each dimension over all vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.engines import vector_frames

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK: Final = 4096
"""Vectors that are quantised together."""


class Bounds(NamedTuple):
    """The bounds of the numbers of each dimension. A number outside them gets the code of the nearest bound."""

    minima: NDArray[np.float32]
    """(d,)."""
    ranges: NDArray[np.float32]
    """(d,), the distance from the minimum to the maximum."""

    def are(self, other: Bounds) -> bool:
        """Whether both have the same numbers, bit by bit."""
        return self.minima.tobytes() == other.minima.tobytes() and self.ranges.tobytes() == other.ranges.tobytes()

    def codes_of(self, vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        """The codes of vectors, both (n, d)."""
        return vector_frames.quantised(vectors, self.minima, self.ranges)


class Coded(NamedTuple):
    """The codes of all vectors, and their bounds."""

    codes: NDArray[np.uint8]
    """(n, d)."""
    bounds: Bounds


class CodesWriter:
    """Takes the vectors of files, or their codes, in order; returns the codes of all. Keeps vectors only if there are no bounds."""

    def __init__(self, dimension: int, bounds: Bounds | None) -> None:
        self._dimension = dimension
        self._bounds = bounds
        self._vectors: list[bytes] = []
        """Vectors that are not quantised yet."""
        self._size = 0
        self._codes: list[NDArray[np.uint8]] = []

    def add(self, vectors: bytes) -> None:
        """Take vectors of length 1 or 0, float32, any whole number of them."""
        self._vectors.append(vectors)
        self._size += len(vectors)
        if self._bounds is not None and self._size >= 4 * self._dimension * _BLOCK:
            self._code(self._bounds)

    def add_codes(self, codes: bytes) -> None:
        """Take codes that were made with the same bounds."""
        assert self._bounds is not None
        self._code(self._bounds)
        self._codes.append(np.frombuffer(codes, dtype=np.uint8).reshape(-1, self._dimension))

    def finish(self) -> Coded:
        """The codes of all vectors, in order."""
        bounds = self._bounds or Bounds(*vector_frames.trained(self._blocks()))
        self._code(bounds)
        return Coded(np.concatenate(self._codes), bounds)

    def _code(self, bounds: Bounds) -> None:
        self._codes += map(bounds.codes_of, self._blocks())
        self._vectors.clear()
        self._size = 0

    def _blocks(self) -> Iterator[NDArray[np.float32]]:
        """The vectors that are not quantised yet, joined to blocks of some thousands, since a file has only a few."""
        for some in _gathered(self._vectors, 4 * self._dimension * _BLOCK):
            yield np.frombuffer(some, dtype=np.float32).reshape(-1, self._dimension)


def _gathered(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    """The pieces, joined so that each except the last has at least ``size`` bytes."""
    pending, length = list[bytes](), 0
    for piece in pieces:
        pending.append(piece)
        length += len(piece)
        if length >= size:
            yield b"".join(pending)
            pending, length = [], 0
    if length:
        yield b"".join(pending)
