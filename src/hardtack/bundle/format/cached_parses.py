"""Results of parsing each file in, the member ``readings.blocks`` out; the mapped member in, the results for the next build out.

A search needs none of this. It is what parsing a file gave that no other member has in a form to read it back from (FORMAT.md
4.17), so that the next build need not parse an unchanged file again. Each file's part is deflated on its own, and the next build
copies the part of an unchanged file as it is.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgpack

from hardtack.bundle.format import layout
from hardtack.errors import FormatError

if TYPE_CHECKING:
    from hardtack.bundle.format.tables import Row
    from hardtack.bundle.spool import Spool

_HEADER: Final = struct.Struct("<8s32sQ")  # magic, tool fingerprint, files
_MAGIC: Final = b"HTKRDG\x00\x01"
_LEVEL: Final = 6
_MOST_INFLATED: Final = 1 << 28
"""The most bytes of one file's part: a file of one MiB gives a tenth of that."""


_PIECE: Final = 1 << 16
"""Bytes that are inflated together where nothing is kept of them."""


class CachedParse(NamedTuple):
    """What parsing one file gave. Ordinals count from the file's own first row."""

    documents: Sequence[Sequence[str]]
    """The lexical document of each chunk."""
    imported: Sequence[Row]
    """:class:`relations.Import` values."""
    uses: bytes
    """A packed array of :class:`relations.Use` and :class:`relations.Binding` values."""
    facts: Sequence[Row]
    """:class:`relations.Fact` values, as found in this file alone."""
    tags: Sequence[tuple[int, int]]
    """(symbol, tags), as found in this file alone."""
    project: tuple[Any, ...] | None
    pairs: bytes
    """As :func:`cooccurrence.pack_pairs` returns them."""


def pack_parse(parse: CachedParse) -> bytes:
    """A file's part of the member."""
    packed: bytes = msgpack.packb(parse._replace(pairs=_split(parse.pairs)))
    state = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    return state.compress(packed) + state.flush()


def unpack_parse(packed: bytes) -> CachedParse:
    """What :func:`pack_parse` packed. Checks the number of fields, not their types.

    Raises:
        ValueError: it does not inflate, or is malformed.
    """
    try:
        state = zlib.decompressobj(-15)
        data = state.decompress(packed, _MOST_INFLATED)
        if not state.eof or state.unused_data:
            raise ValueError("it does not inflate")
        *parts, planes = msgpack.unpackb(data, use_list=False)
        return CachedParse._make((*parts, _joined(planes)))
    except (zlib.error, TypeError, msgpack.UnpackException) as error:
        raise ValueError("it is malformed") from error


def _split(pairs: bytes) -> bytes:
    """Ascending hashes as differences, the lowest bytes of all first, then the next: the high bytes, mostly 0, deflate well."""
    import numpy as np

    hashes = np.frombuffer(pairs, dtype=np.uint32)
    return np.diff(hashes, prepend=np.uint32(0)).astype("<u4").view(np.uint8).reshape(-1, 4).T.tobytes()


def _joined(planes: bytes) -> bytes:
    """The hashes that :func:`_split` was given."""
    import numpy as np

    steps = np.frombuffer(planes, dtype=np.uint8).reshape(4, -1).T.copy().view("<u4")
    return np.cumsum(steps, dtype=np.uint32).tobytes()


class CachedParsesWriter:
    """Takes files in order, then renders the member."""

    def __init__(self, tool_fingerprint: bytes, packed: Spool | list[bytes]) -> None:
        """Start without files.

        Args:
            tool_fingerprint: 32 bytes that name the program that parses.
            packed: an empty one, which takes the files.
        """
        self._maker = tool_fingerprint
        self._packed = packed

    def add(self, packed: bytes) -> None:
        """Take the next file, as :func:`pack_parse` gives it."""
        self._packed.append(packed)

    def render(self) -> Iterator[bytes]:
        """The member's bytes, piece by piece."""
        yield _HEADER.pack(_MAGIC, self._maker, len(self._packed))
        ends = array("Q", [0])
        for packed in self._packed:
            ends.append(ends[-1] + len(packed))
        yield struct.pack(f"<{len(ends)}Q", *ends)
        yield from self._packed


class CachedParses:
    """The mapped member."""

    def __init__(self, buffer: memoryview, *, files: int) -> None:
        """Check the member's frame.

        Raises:
            FormatError: ``buffer`` is not such a member, or is of another number of files.
        """
        if len(buffer) < _HEADER.size:
            raise _damaged("it is too short")
        magic, self.tool_fingerprint, count = _HEADER.unpack_from(buffer)
        at = _HEADER.size + 8 * (count + 1) if count == files else 0
        if magic != _MAGIC or not 0 < at <= len(buffer):
            raise _damaged("it holds no readings of these files")
        self._ends = struct.unpack_from(f"<{count + 1}Q", buffer, _HEADER.size)
        self._data = buffer[at:]
        if self._ends[0] != 0 or self._ends[-1] != len(self._data) or any(map(int.__gt__, self._ends, self._ends[1:])):
            raise _damaged("its offset table does not span the files")

    def packed(self, file: int) -> bytes:
        """A file's part of the member, as it is stored."""
        return bytes(self._data[self._ends[file] : self._ends[file + 1]])

    def check(self, file: int) -> None:
        """Inflate the cached parse of a file piece by piece, and keep nothing of it.

        Raises:
            FormatError: it does not inflate, or to more bytes than are taken.
        """
        state, data, left = zlib.decompressobj(-15), self.packed(file), _MOST_INFLATED
        try:
            while data and not state.eof and left >= 0:
                left -= len(state.decompress(data, _PIECE))
                data = state.unconsumed_tail
        except zlib.error as error:
            raise _damaged(f"the readings of file {file} are none") from error
        if not state.eof or state.unused_data or left < 0:
            raise _damaged(f"the readings of file {file} do not inflate")

    def parse(self, file: int) -> CachedParse:
        """The cached parse of a file. Checks the number of its fields, not their types.

        Raises:
            FormatError: it does not inflate, or is malformed.
        """
        try:
            return unpack_parse(self.packed(file))
        except ValueError as error:
            raise _damaged(f"the readings of file {file} are none") from error


def _damaged(what: str) -> FormatError:
    return FormatError(f"{layout.READINGS} is damaged: {what}.", field=layout.READINGS)
