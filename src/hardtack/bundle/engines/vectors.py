"""Unit vectors in, a FAISS member out; the mapped member in, nearest chunks out. The only module that touches FAISS.

Vectors are kept in 8 bits a dimension (FORMAT.md 6). Up to :data:`EXACT_LIMIT` of them a search is an exact scan over the quantised
vectors, by numpy: it takes no longer than FAISS' own, and importing FAISS takes as long as all else of a cold search. Beyond that
FAISS looks through the lists nearest to the query (``vector_lists.py``), or through all of them where a filter is given. The bytes
do not depend on thread count or instruction set. FAISS trusts the files it reads, so this gateway is only given members that
were verified, has ``vector_frames.py`` check all that FAISS would act upon, and bounds what FAISS may allocate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from hardtack.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.bundle.engines.vector_codes import Coded
    from hardtack.bundle.format.members import MemberFile

EXACT_LIMIT: Final = 200_000
"""Vectors that are scanned from the first to the last: 10 ms at 256 dimensions on a core that is not busy."""

_DESERIALIZE_LOOPS: Final = 1 << 20
_ROWS_AT_ONCE: Final = 48
"""Codes that are widened together: 96 KiB, so that what else a query needs stays in the processor's caches."""
_SCANNED_AT_ONCE: Final = 512
"""The same for a scan, in half the width: 512 KiB. With 64 a scan of 10,000 takes half as long again."""

_MILLION: Final = 1_000_000
"""Cosines are told to six digits."""
_ORDINAL_BITS: Final = 32
_ORDINAL_MASK: Final = (1 << _ORDINAL_BITS) - 1

_FEW: Final = 16
"""So many more than are wanted are scored at once: quicker than choosing among them."""

_ROUNDING: Final = 2.0**-24
"""What a float32 may be off, as a part of itself."""

_GRID: Final = 2.0**40
"""Steps in 1 of the sums behind a cosine. Those of a unit query stay below 2 sqrt(d), 128 for the longest vectors: whole numbers
below 2^48, which float64 adds up exactly, and so to the same in any order and on any processor."""


def _faiss() -> Any:
    """FAISS, imported where there are lists."""
    import faiss

    faiss.omp_set_num_threads(1)  # a second thread gains a tenth on an idle machine and loses tenfold on a busy one
    return faiss


def _lists_of(member: MemberFile) -> Any:
    """FAISS' own view of a member with lists, which was checked.

    Raises:
        FormatError: FAISS does not read it.
    """
    faiss = _faiss()
    faiss.set_deserialization_vector_byte_limit(max(1 << 16, 4 * member.size))
    faiss.set_deserialization_loop_limit(_DESERIALIZE_LOOPS)
    try:
        return faiss.read_index(str(member.engine_path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        raise FormatError(f"{member.name} is not a FAISS index.", field=member.name) from error


def render_vectors(pieces: Sequence[bytes], dimension: int, *, exact_limit: int = EXACT_LIMIT) -> Iterator[bytes]:
    """The member that holds these vectors, in pieces; what is held beside ``pieces`` is a quarter of them.

    Args:
        pieces: vectors of length 1 or 0, float32, any whole number of them in each piece; in chunk order.
        dimension: of each vector.
        exact_limit: as many are scanned; more are put into lists.
    """
    from hardtack.bundle.engines.vector_codes import CodesWriter

    codes = CodesWriter(dimension, None)
    for piece in pieces:
        codes.add(piece)
    yield from render_codes(codes.finish(), exact_limit=exact_limit)


def render_codes(coded: Coded, *, exact_limit: int = EXACT_LIMIT) -> Iterator[bytes]:
    """The same of vectors whose codes are made."""
    from hardtack.bundle.engines import vector_frames, vector_lists

    codes, bounds = coded
    lists = vector_lists.inverted_lists(codes, *bounds) if len(codes) > exact_limit else None
    yield from vector_frames.rendered(codes, *bounds, lists)


class VectorIndex:
    """The mapped vectors of a bundle."""

    def __init__(self, member: MemberFile, *, count: int, dimension: int) -> None:
        """Map a verified member.

        Raises:
            FormatError: it is not the index the manifest promises, or FAISS does not read its lists.
        """
        import numpy as np

        from hardtack.bundle.engines import vector_frames

        buffer = member.map()
        self._file = vector_frames.parsed(buffer, member.name, count=count, dimension=dimension)
        self._lists = None if self._file.centroids is None else _lists_of(member)
        data, first = np.frombuffer(buffer, np.uint8), self._file.first
        if self._file.places is None:
            self._codes = data[first : first + count * dimension].reshape(count, dimension)
        else:  # the d bytes that begin at each byte of the file: codes stand wherever their list does
            self._codes = np.lib.stride_tricks.sliding_window_view(data, dimension)
        # a stored number is its dimension's minimum + (code + 0.5) / 255 of its range
        self._steps = self._file.ranges.astype(np.float64) / 255
        self._weights = self._steps * _GRID
        self._offsets = (self._file.minima + 0.5 * self._steps) * _GRID
        self.count = count
        self.dimension = dimension

    @property
    def recall(self) -> float:
        """The share of the 50 nearest that a search without filters finds, as it was measured by the build."""
        return self._file.recall

    def search(
        self, vector: NDArray[np.float32], limit: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``limit`` nearest chunks, best first, equal scores in ordinal order: their ordinals, and the cosine of each.

        Args:
            vector: (d,), unit length.
            limit: at least 1.
            allowed: (n,), one flag a chunk; None allows all.
        """
        ordinals = self._scan(vector, limit, allowed) if self._lists is None else self._looked_up(vector, limit, allowed)
        packed = (_MILLION - self._millionths(vector, ordinals).astype("i8")) << _ORDINAL_BITS | ordinals
        packed.sort()
        packed = packed[:limit]
        return packed & _ORDINAL_MASK, (_MILLION - (packed >> _ORDINAL_BITS)) / _MILLION

    def _scan(self, vector: NDArray[np.float32], limit: int, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Ordinals of all that may be among the ``limit`` nearest of those allowed: a few more than that.

        Sums of float32 depend on the order of adding, so they choose with room to spare, and exact ones decide. A sum of d products
        is off by at most (d + 2) roundings of the sum of their magnitudes (Higham, "Accuracy and Stability of Numerical
        Algorithms", 2002, section 3.1); two cosines may be that far off each, and those that agree to six digits count as equal.
        """
        import numpy as np

        ordinals = np.arange(self.count) if allowed is None else allowed.nonzero()[0]
        if len(ordinals) <= limit + _FEW:
            return ordinals
        weights = (vector * self._steps).astype(np.float32)
        sums = np.empty(self.count, dtype=np.float32)
        block = np.empty((min(_SCANNED_AT_ONCE, self.count), self.dimension), dtype=np.float32)
        for at in range(0, self.count, _SCANNED_AT_ONCE):
            codes = self._codes[at : at + _SCANNED_AT_ONCE]
            widened = block[: len(codes)]
            widened[...] = codes
            np.dot(widened, weights, out=sums[at : at + _SCANNED_AT_ONCE])
        sums = sums if allowed is None else sums[ordinals]
        doubt = (self.dimension + 2) * _ROUNDING * 255 * float(np.abs(weights).sum(dtype=np.float64))
        least = float(np.partition(sums, -limit)[-limit]) - 2 * doubt - 2 / _MILLION
        chosen: NDArray[np.int64] = ordinals[sums >= least]
        return chosen

    def _looked_up(self, vector: NDArray[np.float32], limit: int, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Ordinals of the nearest in the lists that are near, or in all of them where those hold too few, or with a filter."""
        import numpy as np

        from hardtack.bundle.engines import vector_lists

        assert self._lists is not None
        assert self._file.centroids is not None
        # FAISS breaks ties by descending id; asking for more than is wanted keeps the tied of lower id from being cut off
        wanted = min(self.count, limit + 16)
        if allowed is None:
            lists = vector_lists.nearest_lists(vector_lists.whole(vector), self._file.centroids, self._file.probes)
            _, found = self._lists.search_preassigned(vector[None], wanted, lists[None], None)
        if allowed is not None or found[0, -1] < 0:
            faiss = _faiss()
            selector = None if allowed is None else faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
            every = faiss.SearchParametersIVF(sel=selector, nprobe=len(self._file.centroids))
            _, found = self._lists.search(vector[None], wanted, params=every)
        ordinals: NDArray[np.int64] = found[0][found[0] >= 0]
        return ordinals

    def scores(self, vector: NDArray[np.float32], ordinals: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64]:
        """The cosine of ``vector`` (d,) with each of these chunks, as :meth:`search` tells it: the same number on any processor.

        Args:
            vector: unit length.
            ordinals: (m,), of chunks, in any order, each any number of times.
        """
        import numpy as np

        return self._millionths(vector, np.asarray(ordinals, dtype=np.int64)) / _MILLION

    def vector(self, ordinal: int) -> NDArray[np.float32]:
        """The stored vector of a chunk: (d,), as long as its codes make it, which is 1 to two digits."""
        import numpy as np

        row = ordinal if self._file.places is None else self._file.places[ordinal]
        stored: NDArray[np.float32] = self._file.minima + (self._codes[row] + np.float32(0.5)) / 255 * self._file.ranges
        return stored

    def coded(self) -> Coded:
        """All codes in chunk order, and what they stand for; views where no lists are."""
        import numpy as np

        from hardtack.bundle.engines.vector_codes import Bounds, Coded

        codes = self._codes if self._file.places is None else self._codes[self._file.places]
        return Coded(np.asarray(codes), Bounds(self._file.minima, self._file.ranges))

    def _millionths(self, vector: NDArray[np.float32], ordinals: NDArray[np.int64]) -> NDArray[np.float64]:
        """Cosines as whole numbers of millionths: what six digits of them say."""
        import numpy as np

        rows = ordinals if self._file.places is None else self._file.places[ordinals]
        weights = np.rint(vector * self._weights)
        offset = np.rint(vector * self._offsets).sum()
        sums = np.empty(len(rows))
        for at in range(0, len(rows), _ROWS_AT_ONCE):
            some = slice(at, at + _ROWS_AT_ONCE)
            np.dot(self._codes[rows[some]].astype(np.float64), weights, out=sums[some])
        sums += offset
        sums *= _MILLION / _GRID
        return np.rint(sums, out=sums)
