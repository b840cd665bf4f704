"""Unit vectors in, a FAISS member out; the mapped member in, nearest chunks out. The only module that touches FAISS.

Format (FORMAT.md 6): one ``IndexScalarQuantizer``, 8 bits a dimension, inner product, rows in chunk order. The scan is exact over
the quantised vectors, and the bytes do not depend on thread count or instruction set. FAISS trusts the files it reads, so this
gateway is only given members that were verified, bounds what the reader may allocate, and checks what came out of it.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, Final

from hardtack.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hardtack.bundle.members import MemberFile

_DESERIALIZE_LOOPS: Final = 1 << 20

# FORMAT.md 6: what FAISS writes before the quantiser's training, packed, little-endian.
_HEADER: Final = struct.Struct("<4siq16sBiiifQQQ")
_LENGTH: Final = struct.Struct("<Q")


def _faiss() -> Any:
    """FAISS, imported on first use: it and numpy cost more than everything else a keyword search does."""
    import faiss

    faiss.omp_set_num_threads(1)  # a second thread gains a tenth on an idle machine and loses tenfold on a busy one
    return faiss


def render_vectors(vectors: NDArray[np.float32]) -> bytes:
    """The member that holds ``vectors`` (n, d), unit length or zero. Not written by FAISS, which only prints when a close fails."""
    faiss = _faiss()
    index = faiss.IndexScalarQuantizer(vectors.shape[1], faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    index.train(vectors)
    index.add(vectors)
    return bytes(faiss.serialize_index(index))


def _check_frame(member: MemberFile, count: int, dimension: int) -> None:
    """Refuse all but the one kind of index, of this very size, before FAISS acts upon the first number in the file.

    Other kinds can name files for the reader to open, and training that is not finite makes scores that are not numbers.

    Raises:
        FormatError: it is anything else.
    """
    buffer = member.map()
    trained_size = 4 * 2 * dimension
    codes_at = _HEADER.size + trained_size + _LENGTH.size
    if len(buffer) != codes_at + count * dimension:
        raise _another(member)
    kind, width, rows, _, is_trained, metric, quantiser, range_kind, _, inner, code_size, trained = _HEADER.unpack_from(buffer)
    described = (kind, width, rows, is_trained, metric, quantiser, range_kind, inner, code_size, trained)
    if described != (b"IxSQ", dimension, count, 1, 0, 0, 0, dimension, dimension, 2 * dimension):
        raise _another(member)
    if _LENGTH.unpack_from(buffer, codes_at - _LENGTH.size) != (count * dimension,):
        raise _another(member)
    if not all(map(math.isfinite, struct.unpack_from(f"<{2 * dimension}f", buffer, _HEADER.size))):
        raise FormatError(f"{member.name} was trained on what are no numbers.", field=member.name)


def _another(member: MemberFile) -> FormatError:
    return FormatError(f"{member.name} is not the index that the manifest describes.", field=member.name)


class VectorIndex:
    """The mapped vectors of a bundle."""

    def __init__(self, member: MemberFile, *, count: int, dimension: int) -> None:
        """Map a verified member.

        Raises:
            FormatError: FAISS does not read it, or it is not the index the manifest promises.
        """
        _check_frame(member, count, dimension)
        faiss = _faiss()
        faiss.set_deserialization_vector_byte_limit(max(1 << 16, 4 * member.size))
        faiss.set_deserialization_loop_limit(_DESERIALIZE_LOOPS)
        try:
            index = faiss.read_index(str(member.engine_path), faiss.IO_FLAG_MMAP_IFC)
        except RuntimeError as error:
            raise FormatError(f"{member.name} is not a FAISS index.", field=member.name) from error
        if type(index).__name__ != "IndexScalarQuantizer" or (index.ntotal, index.d) != (count, dimension):
            raise _another(member)
        self._index = index
        self.count = count
        self.dimension = dimension

    def search(
        self, vector: NDArray[np.float32], limit: int, allowed: NDArray[np.bool_] | None = None
    ) -> Sequence[tuple[int, float]]:
        """The ``limit`` nearest chunks as (ordinal, cosine), best first, equal scores in ordinal order.

        Args:
            vector: (d,), unit length.
            limit: at least 1.
            allowed: (n,), one flag a chunk; None allows all.
        """
        import numpy as np

        faiss = _faiss()
        parameters, selector = None, None
        if allowed is not None:
            bits = np.packbits(allowed, bitorder="little")
            selector = faiss.IDSelectorBitmap(bits)
            parameters = faiss.SearchParameters(sel=selector)
        # FAISS breaks ties by descending id; asking for more than is wanted keeps the tied of lower id from being cut off
        wanted = min(self.count, limit + 16)
        scores, ordinals = self._index.search(vector[None], wanted, params=parameters)
        found = [(int(i), float(s)) for i, s in zip(ordinals[0], scores[0], strict=True) if i >= 0]
        # SIMD levels differ in the last bits of a score, never in ids: six decimals are the same everywhere
        return sorted(((i, round(s, 6)) for i, s in found), key=lambda pair: (-pair[1], pair[0]))[:limit]
