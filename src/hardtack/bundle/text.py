"""Source text in, a member out; a mapped member in, any stretch of the text out.

All files' text, in file order, is one run of bytes cut into blocks of equal size, each deflated on its own with one shared
dictionary (FORMAT.md 5), so that any stretch is read by inflating the few blocks it touches. The zlib of the standard library is
deterministic for one version of itself, which the manifest names.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from hardtack.errors import FormatError

_MAGIC: Final = b"HTKTXT\x00\x01"
_HEADER = struct.Struct("<QII")  # bytes of text, bytes of a block, bytes of the dictionary
BLOCK_SIZE: Final = 32 << 10
DICTIONARY_SIZE: Final = 32 << 10
"""Deflate's window: a longer dictionary could not be seen."""
_BLOCK_LIMIT: Final = 1 << 20
_KEPT: Final = 16 << 20
"""Bytes of inflated text that a reader keeps at most: a block takes as long to inflate as two hits take to be made."""
_LEVEL: Final = 6


class TextWriter:
    """Takes the text of one file after another; gives the member's bytes at the end."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._dictionary = b""
        self._blocks: list[bytes] = []
        self.length = 0
        """Bytes taken so far; where the next file's text will start."""

    def add(self, text: bytes) -> int:
        """Append one file's text; returns where it starts."""
        start = self.length
        self.length += len(text)
        self._pending += text
        # The dictionary is the first window of text, so nothing is deflated before that much has come, or all of it.
        if not self._dictionary and len(self._pending) >= DICTIONARY_SIZE + BLOCK_SIZE:
            self._dictionary = bytes(self._pending[:DICTIONARY_SIZE])
        if self._dictionary:
            self._deflate_whole_blocks()
        return start

    def _deflate_whole_blocks(self) -> None:
        whole = len(self._pending) // BLOCK_SIZE * BLOCK_SIZE
        for at in range(0, whole, BLOCK_SIZE):
            self._deflate(bytes(self._pending[at : at + BLOCK_SIZE]))
        del self._pending[:whole]

    def _deflate(self, block: bytes) -> None:
        if self._dictionary:
            state = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15, zdict=self._dictionary)
        else:
            state = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
        self._blocks.append(state.compress(block) + state.flush())

    def render(self) -> Iterator[bytes]:
        """The member's bytes, piece by piece; the writer takes nothing more."""
        self._deflate_whole_blocks()
        if self._pending:
            self._deflate(bytes(self._pending))
            self._pending.clear()
        yield _MAGIC + _HEADER.pack(self.length, BLOCK_SIZE, len(self._dictionary)) + self._dictionary
        offsets, end = array("Q", [0]), 0
        for block in self._blocks:
            end += len(block)
            offsets.append(end)
        if sys.byteorder == "big":
            offsets.byteswap()
        yield offsets.tobytes()
        yield from self._blocks


class TextStore:
    """The mapped text of a bundle."""

    def __init__(self, name: str, buffer: memoryview) -> None:
        """Check the member's frame.

        Raises:
            FormatError: ``buffer`` is not a text member.
        """
        self._name = name
        at = len(_MAGIC) + _HEADER.size
        if len(buffer) < at or bytes(buffer[: len(_MAGIC)]) != _MAGIC:
            raise self._fault("it is no text member")
        self.length, self._block_size, dictionary = _HEADER.unpack(buffer[len(_MAGIC) : at])
        if not 1 <= self._block_size <= _BLOCK_LIMIT or dictionary > DICTIONARY_SIZE:
            raise self._fault("its header is impossible")
        self._dictionary = bytes(buffer[at : at + dictionary])
        at += dictionary
        self._count = -(-self.length // self._block_size)
        width = 8 * (self._count + 1)
        if at + width > len(buffer):
            raise self._fault("it ends inside its offset table")
        offsets = array("Q", bytes(buffer[at : at + width]))
        if sys.byteorder == "big":
            offsets.byteswap()
        self._offsets = offsets
        self._data = buffer[at + width :]
        if offsets[0] != 0 or offsets[self._count] != len(self._data):
            raise self._fault("its offset table does not span the blocks")
        kept: int = _KEPT // max(self._block_size, BLOCK_SIZE)
        self._block = lru_cache(maxsize=kept)(self._inflate)

    def _fault(self, what: str) -> FormatError:
        return FormatError(f"{self._name} is damaged: {what}.", field=self._name)

    def read(self, start: int, end: int) -> bytes:
        """Bytes ``start`` to ``end`` of the text.

        Raises:
            FormatError: the stretch is not inside the text, or a block does not inflate to what it must be.
        """
        if not 0 <= start <= end <= self.length:
            raise self._fault(f"it has no bytes {start} to {end}")
        if start == end:
            return b""
        first, last = start // self._block_size, (end - 1) // self._block_size
        low, high = start - first * self._block_size, end - last * self._block_size
        if first == last:
            return self._block(first)[low:high]
        return b"".join((self._block(first)[low:], *map(self._block, range(first + 1, last)), self._block(last)[:high]))

    def _inflate(self, number: int) -> bytes:
        size = min(self._block_size, self.length - number * self._block_size)
        start, end = self._offsets[number], self._offsets[number + 1]
        if not start <= end <= len(self._data):
            raise self._fault(f"block {number} lies outside it")
        try:
            state = zlib.decompressobj(-15, zdict=self._dictionary) if self._dictionary else zlib.decompressobj(-15)
            block = state.decompress(self._data[start:end], size + 1)
        except zlib.error as error:
            raise self._fault(f"block {number} does not inflate") from error
        if len(block) != size or not state.eof or state.unused_data:
            raise self._fault(f"block {number} has the wrong length")
        return block
