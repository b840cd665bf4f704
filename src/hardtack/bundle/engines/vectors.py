"""Unit vectors in, the member ``vectors.faiss`` out; the mapped member in, nearest chunks out. The only module that uses FAISS.

Vectors have 8 bits for each dimension (FORMAT.md 6). Up to :data:`EXACT_LIMIT` vectors, a search is an exact scan of the quantised
vectors by numpy: it takes no longer than FAISS' scan, and importing FAISS would double the time of a cold search. Beyond that,
FAISS scans the lists nearest to the query (``vector_lists.py``), or all lists if there is a filter. The bytes do not depend on the
number of threads or the instruction set. FAISS trusts the files it reads, so this module takes only verified members, has
``vector_frames.py`` check everything that FAISS would use, and limits what FAISS may allocate.
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
"""The most vectors that are scanned one by one: 10 ms at 256 dimensions on an idle core."""

_DESERIALIZE_LOOPS: Final = 1 << 20
_ROWS_AT_ONCE: Final = 48
"""Codes that are widened to float64 together: 96 KiB, which leaves the processor's caches to the rest of a query."""
_SCANNED_AT_ONCE: Final = 512
"""Codes that a scan widens to float32 together: 512 KiB. With 64 rows, a scan of 10,000 takes 1.5 times as long."""

_MILLION: Final = 1_000_000
"""Cosines have six decimal places."""
_ORDINAL_BITS: Final = 32
_ORDINAL_MASK: Final = (1 << _ORDINAL_BITS) - 1

_FEW: Final = 16
"""Up to this many more vectors than are wanted are all scored: that is quicker than choosing among them."""

_ROUNDING: Final = 2.0**-24
"""The relative rounding error of float32."""

_GRID: Final = 2.0**40
"""Steps of 1 in the sums behind a cosine. The sums of a unit query stay below 2 sqrt(d), which is 128 for the longest vectors. In
steps they are whole numbers below 2^48, which float64 adds exactly, so the result is the same in any order on any processor."""


def _faiss() -> Any:
    """FAISS, which only a bundle with lists needs."""
    import faiss

    faiss.omp_set_num_threads(1)  # a second thread gains a tenth on an idle machine and loses tenfold on a busy one
    return faiss


def _lists_of(member: MemberFile) -> Any:
    """FAISS' index of a member with lists, which ``vector_frames.parsed`` has checked."""
    import numpy as np

    faiss = _faiss()
    faiss.set_deserialization_vector_byte_limit(max(1 << 16, 4 * member.size))
    faiss.set_deserialization_loop_limit(_DESERIALIZE_LOOPS)
    path = member.engine_path
    try:
        if path is None:
            return faiss.deserialize_index(np.frombuffer(member.map(), np.uint8))
        return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
    except RuntimeError as error:
        raise FormatError(f"{member.name} is not a FAISS index.", field=member.name) from error


def render_vectors(pieces: Sequence[bytes], dimension: int, *, exact_limit: int = EXACT_LIMIT) -> Iterator[bytes]:
    """The member of these vectors, in pieces. Takes a quarter of the memory of ``pieces`` besides them.

    Args:
        pieces: vectors of length 1 or 0, float32, in chunk order; each piece has any whole number of them.
        dimension: of each vector.
        exact_limit: up to this many vectors are scanned; more are put into lists.
    """
    from hardtack.bundle.engines.vector_codes import CodesWriter

    codes = CodesWriter(dimension, None)
    for piece in pieces:
        codes.add(piece)
    yield from render_codes(codes.finish(), exact_limit=exact_limit)


def render_codes(coded: Coded, *, exact_limit: int = EXACT_LIMIT) -> Iterator[bytes]:
    """The member of these codes, in pieces."""
    from hardtack.bundle.engines import vector_frames, vector_lists

    codes, bounds = coded
    lists = vector_lists.inverted_lists(codes, *bounds) if len(codes) > exact_limit else None
    yield from vector_frames.rendered(codes, *bounds, lists)


class VectorIndex:
    """The mapped vectors of a bundle."""

    def __init__(self, member: MemberFile, *, count: int, dimension: int) -> None:
        """Map a verified member.

        Raises:
            FormatError: it is not the index that the manifest describes, or FAISS cannot read its lists.
        """
        import numpy as np

        from hardtack.bundle.engines import vector_frames

        buffer = member.map()
        self._file = vector_frames.parsed(buffer, member.name, count=count, dimension=dimension)
        self._lists = None if self._file.centroids is None else _lists_of(member)
        data, first = np.frombuffer(buffer, np.uint8), self._file.first
        if self._file.places is None:
            self._codes = data[first : first + count * dimension].reshape(count, dimension)
        else:  # a view of the d bytes that begin at each byte of the file, since lists may lie at any offset
            self._codes = np.lib.stride_tricks.sliding_window_view(data, dimension)
        # A stored number is minimum + (code + 0.5) / 255 * range of its dimension.
        self._steps = self._file.ranges.astype(np.float64) / 255
        self._weights = self._steps * _GRID
        self._offsets = (self._file.minima + 0.5 * self._steps) * _GRID
        self.count = count
        self.dimension = dimension

    @property
    def recall(self) -> float:
        """The share of the 50 nearest chunks that a search without filters finds, as measured by the build."""
        return self._file.recall

    def search(
        self, vector: NDArray[np.float32], limit: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ordinals and cosines of the ``limit`` nearest chunks, best first, equal cosines in ordinal order.

        Args:
            vector: (d,), unit length.
            limit: at least 1.
            allowed: (n,), one flag for each chunk; None allows all.
        """
        # One integer holds the inverted cosine and the ordinal, so that one sort orders by both.
        ordinals = self._scan(vector, limit, allowed) if self._lists is None else self._looked_up(vector, limit, allowed)
        packed = (_MILLION - self._millionths(vector, ordinals).astype("i8")) << _ORDINAL_BITS | ordinals
        packed.sort()
        packed = packed[:limit]
        return packed & _ORDINAL_MASK, (_MILLION - (packed >> _ORDINAL_BITS)) / _MILLION

    def _scan(self, vector: NDArray[np.float32], limit: int, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Ordinals of all allowed chunks that may be among the ``limit`` nearest: a few more than ``limit``.

        Sums of float32 depend on the order of addition, so they select with a margin, and exact sums decide. The error of a sum of
        d products is at most (d + 2) roundings of the sum of their magnitudes (Higham, "Accuracy and Stability of Numerical
        Algorithms", 2002, section 3.1). The margin is twice that, for the two cosines compared, and two units of the sixth decimal
        place, since cosines that are equal to six places are ordered by ordinal.
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
        """Ordinals of the nearest chunks in the nearest lists; in all lists if those have too few chunks, or with a filter."""
        import numpy as np

        from hardtack.bundle.engines import vector_lists

        assert self._lists is not None
        assert self._file.centroids is not None
        # FAISS breaks ties by descending id; 16 more results keep tied chunks of lower ordinals from being cut off.
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
        """The cosine of ``vector`` (d,) with each of these chunks, as :meth:`search` returns it; the same on any processor.

        Args:
            vector: unit length.
            ordinals: (m,), of chunks, in any order, with repeats.
        """
        import numpy as np

        return self._millionths(vector, np.asarray(ordinals, dtype=np.int64)) / _MILLION

    def vector(self, ordinal: int) -> NDArray[np.float32]:
        """The vector of a chunk, (d,), from its codes; quantisation leaves its length 1 to two digits."""
        import numpy as np

        row = ordinal if self._file.places is None else self._file.places[ordinal]
        stored: NDArray[np.float32] = self._file.minima + (self._codes[row] + np.float32(0.5)) / 255 * self._file.ranges
        return stored

    def coded(self) -> Coded:
        """All codes in chunk order, and their bounds; a view if there are no lists."""
        import numpy as np

        from hardtack.bundle.engines.vector_codes import Bounds, Coded

        codes = self._codes if self._file.places is None else self._codes[self._file.places]
        return Coded(np.asarray(codes), Bounds(self._file.minima, self._file.ranges))

    def _millionths(self, vector: NDArray[np.float32], ordinals: NDArray[np.int64]) -> NDArray[np.float64]:
        """Cosines in whole millionths."""
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
