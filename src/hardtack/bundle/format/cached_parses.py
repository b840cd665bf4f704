"""What was read from each file in, a member that the next build takes it from out; the mapped member in, those readings out.

Searching needs none of it. It is what parsing, splitting and relating a file gave that no other member keeps in a form that it can
be had back from (FORMAT.md 4.17), so that a build which finds the file unchanged need not read it again. Each file's is deflated
alone: a build hands on the bytes of an unchanged file as they are.
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

_HEADER: Final = struct.Struct("<8s32sQ")  # magic, who read, files
_MAGIC: Final = b"HTKRDG\x00\x01"
_LEVEL: Final = 6
_MOST_INFLATED: Final = 1 << 28
"""Bytes of one file's readings: a file of a mebibyte gives a tenth of it."""


class CachedParse(NamedTuple):
    """What was read from one file; ordinals count from its own first row."""

    documents: Sequence[Sequence[str]]
    """One lexical document a chunk."""
    imported: Sequence[Row]
    """:class:`relations.Import` values."""
    uses: bytes
    """A packed array of :class:`relations.Use` and :class:`relations.Binding` values."""
    facts: Sequence[Row]
    """:class:`relations.Fact` values, before all files were known."""
    tags: Sequence[tuple[int, int]]
    """(symbol, tags), before all files were known."""
    project: tuple[Any, ...] | None
    pairs: bytes
    """As :func:`pairs.pack_pairs` has it."""


def pack_parse(reading: CachedParse) -> bytes:
    """A file's readings as the member holds them."""
    packed: bytes = msgpack.packb((*reading[:-1], _apart(reading.pairs)))
    state = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    return state.compress(packed) + state.flush()


def _apart(pairs: bytes) -> bytes:
    """Ascending hashes as differences, lowest bytes first, then the next, and so on: the high ones deflate."""
    import numpy as np

    hashes = np.frombuffer(pairs, dtype=np.uint32)
    return np.diff(hashes, prepend=np.uint32(0)).astype("<u4").view(np.uint8).reshape(-1, 4).T.tobytes()


def _together(planes: bytes) -> bytes:
    import numpy as np

    steps = np.frombuffer(planes, dtype=np.uint8).reshape(4, -1).T.copy().view("<u4")
    return np.cumsum(steps, dtype=np.uint32).tobytes()


class CachedParsesWriter:
    """Takes files in order, then gives the member."""

    def __init__(self, tool_fingerprint: bytes) -> None:
        """Start without files.

        Args:
            tool_fingerprint: 32 bytes that name the program that reads.
        """
        self._maker = tool_fingerprint
        self._packed: list[bytes] = []

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
    """The mapped member: a file's ordinal to what was read from it."""

    def __init__(self, buffer: memoryview, *, files: int) -> None:
        """Check the member's frame.

        Args:
            buffer: the mapped member.
            files: how many the bundle has.

        Raises:
            FormatError: it is not such a member.
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
        """A file's readings as they lie in the member."""
        return bytes(self._data[self._ends[file] : self._ends[file + 1]])

    def parse(self, file: int) -> CachedParse:
        """A file's readings. Of their shape no more is known than that they have all parts.

        Raises:
            FormatError: they do not inflate, or are none.
        """
        try:
            state = zlib.decompressobj(-15)
            data = state.decompress(self.packed(file), _MOST_INFLATED)
            if not state.eof or state.unused_data:
                raise _damaged(f"the readings of file {file} do not inflate")
            *parts, planes = msgpack.unpackb(data, use_list=False)
            return CachedParse._make((*parts, _together(planes)))
        except (zlib.error, ValueError, TypeError, msgpack.UnpackException) as error:
            raise _damaged(f"the readings of file {file} are none") from error


def _damaged(what: str) -> FormatError:
    return FormatError(f"{layout.READINGS} is damaged: {what}.", field=layout.READINGS)
