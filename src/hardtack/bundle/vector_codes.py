"""Vectors in, their codes out: 8 bits a dimension, of which all vectors together decide what they stand for (FORMAT.md 6.1).

A vector's code follows from the vector and from the least and the largest number of each dimension among all vectors. A bundle
keeps codes alone, so whoever takes over from one takes over codes, wherever it is certain that those numbers are what they were:
what went did not have them, or something that came has them again, and nothing that came lies beyond them. Else all vectors are
made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle import vector_frames

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK: Final = 4096
"""Vectors that are quantised together."""
_FILES_AT_ONCE: Final = 32
"""Whose vectors are made again together: they share words."""
_MOST: Final = 255


class Coded(NamedTuple):
    """The codes of all vectors, and what they stand for."""

    codes: NDArray[np.uint8]
    minima: NDArray[np.float32]
    ranges: NDArray[np.float32]


class Kept(NamedTuple):
    """One file's part of the codes of a bundle that was built before."""

    path: str
    codes: NDArray[np.uint8]


class Before(NamedTuple):
    """A bundle that was built before."""

    coded: Coded
    made_again: Callable[[Sequence[str]], bytes]
    """The vectors of files at these paths, float32, as a build from nothing makes them."""


def coded(pieces: Sequence[bytes | Kept], dimension: int, before: Before | None = None) -> Coded:
    """The codes of vectors.

    Args:
        pieces: vectors of length 1 or 0, float32, any whole number of them in each piece, or codes of files in ``before``, of each
            once; in chunk order.
        dimension: of each vector.
        before: where the codes among ``pieces`` are from.
    """
    if before is not None and _holds_still(pieces, dimension, before):
        _, minima, ranges = before.coded
    else:
        pieces = every = list(_vectors_of(pieces, before))
        minima, ranges = vector_frames.trained(_blocks(every, dimension))
    count = sum(len(piece.codes) if isinstance(piece, Kept) else len(piece) // (4 * dimension) for piece in pieces)
    codes = np.empty((count, dimension), dtype=np.uint8)
    start = 0
    for kept, vectors in _in_turns(pieces):
        made = (vector_frames.quantised(block, minima, ranges) for block in _blocks(vectors, dimension))
        for some in chain((each.codes for each in kept), made):
            codes[start : start + len(some)] = some
            start += len(some)
    return Coded(codes, minima, ranges)


def _in_turns(pieces: Iterable[bytes | Kept]) -> Iterator[tuple[list[Kept], list[bytes]]]:
    """The pieces in their order, those of one sort that follow each other together: one of the two lists is empty."""
    for _, some in groupby(pieces, type):
        every = list(some)
        yield [each for each in every if isinstance(each, Kept)], [each for each in every if not isinstance(each, Kept)]


def _holds_still(pieces: Sequence[bytes | Kept], dimension: int, before: Before) -> bool:
    """Whether the least and the largest numbers of these vectors are those of the bundle before.

    Whatever has a dimension's least number has code 0 there, and whatever has its largest has 255. So they are still there when all
    of those codes are. Where one is gone, something that came may have the same number, or something that has such a code, too.
    """
    kept = [piece for piece in pieces if isinstance(piece, Kept)]
    if not kept:
        return False
    _, minima, ranges = before.coded
    is_lost = _lost(before.coded, np.concatenate([piece.codes for piece in kept]))
    for block in _blocks((piece for piece in pieces if not isinstance(piece, Kept)), dimension):
        if (block < minima).any() or (block - minima > ranges).any():
            return False
        is_lost &= _lacking(block, minima, ranges)
    for piece in kept if is_lost.any() else ():
        if (is_lost[0] & (piece.codes == 0)).any() or (is_lost[1] & (piece.codes == _MOST)).any():
            made = np.frombuffer(before.made_again([piece.path]), dtype=np.float32).reshape(-1, dimension)
            is_lost &= _lacking(made, minima, ranges)
    return not is_lost.any()


def _lost(before: Coded, codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """In which dimensions some of the vectors that had the code of the least number, and of the largest, are not there: (2, d)."""
    is_lost = np.stack([(before.codes == code).sum(axis=0) != (codes == code).sum(axis=0) for code in (0, _MOST)])
    is_lost[1] &= before.ranges > 0
    return is_lost


def _lacking(vectors: NDArray[np.float32], minima: NDArray[np.float32], ranges: NDArray[np.float32]) -> NDArray[np.bool_]:
    """In which dimensions none of the vectors has the least number, and none the largest: (2, d)."""
    return np.stack([(vectors != minima).all(axis=0), (vectors - minima != ranges).all(axis=0)])


def _vectors_of(pieces: Iterable[bytes | Kept], before: Before | None) -> Iterator[bytes]:
    """The pieces, of codes the vectors that they were made of."""
    for kept, vectors in _in_turns(pieces):
        yield from vectors
        for at in range(0, len(kept), _FILES_AT_ONCE):
            assert before is not None  # which codes are taken over from
            yield before.made_again([each.path for each in kept[at : at + _FILES_AT_ONCE]])


def _blocks(pieces: Iterable[bytes], dimension: int) -> Iterator[NDArray[np.float32]]:
    """The same vectors, some thousands at a time: a piece is one file's, which is a few."""
    pending: list[bytes] = []
    size = 0
    for piece in pieces:
        pending.append(piece)
        size += len(piece)
        if size >= 4 * dimension * _BLOCK:
            yield np.frombuffer(b"".join(pending), dtype=np.float32).reshape(-1, dimension)
            pending, size = [], 0
    if size:
        yield np.frombuffer(b"".join(pending), dtype=np.float32).reshape(-1, dimension)
