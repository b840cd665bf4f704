"""Source text in, the member ``text.blocks`` out; the mapped member in, any range of the text out.

The text of all files, in file order, is cut into blocks of equal size. Each block is deflated on its own with one shared dictionary
(FORMAT.md 5), so that a range is read by inflating the few blocks it touches. One version of zlib always gives the same bytes; the
manifest names the version.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Final

from hardtack.errors import FormatError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from hardtack.bundle.spool import Spool

_MAGIC: Final = b"HTKTXT\x00\x01"
_HEADER = struct.Struct("<QII")  # bytes of text, bytes of a block, bytes of the dictionary
BLOCK_SIZE: Final = 32 << 10
DICTIONARY_SIZE: Final = 32 << 10
"""Deflate's window; no longer dictionary can be used."""
_BLOCK_LIMIT: Final = 1 << 20
_KEPT: Final = 16 << 20
"""The most bytes of inflated text that a reader keeps: inflating a block takes as long as making two hits."""
_LEVEL: Final = 6
_MOST_THREADS: Final = 4
_LEAST_SHARE: Final = 8
"""With fewer blocks, another thread is not worth its start."""


class TextWriter:
    """Takes the text of one file after another, then renders the member."""

    def __init__(self, blocks: Spool | list[bytes]) -> None:
        """Start without text; ``blocks`` is empty, and takes the deflated ones."""
        self._pending = bytearray()
        self._dictionary = b""
        self._blocks = blocks
        self.length = 0
        """Bytes taken so far: where the next file's text starts."""

    def add(self, text: bytes) -> int:
        """Append one file's text; returns where it starts."""
        start = self.length
        self.length += len(text)
        self._pending += text
        # The dictionary is the first 32 KiB of text, so no block is deflated before they have come, or the text has ended.
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
        """The member's bytes, piece by piece. No text can be added after this."""
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
        """Check the header and the offset table.

        Raises:
            FormatError: ``buffer`` is not a text member.
        """
        self._name = name
        at = len(_MAGIC) + _HEADER.size
        if len(buffer) < at or bytes(buffer[: len(_MAGIC)]) != _MAGIC:
            raise self._fault("it is no text member")
        self.length, self.block_size, dictionary = _HEADER.unpack(buffer[len(_MAGIC) : at])
        if not 1 <= self.block_size <= _BLOCK_LIMIT or dictionary > DICTIONARY_SIZE:
            raise self._fault("its header is impossible")
        self._dictionary = bytes(buffer[at : at + dictionary])
        at += dictionary
        self.block_count = -(-self.length // self.block_size)
        width = 8 * (self.block_count + 1)
        if at + width > len(buffer):
            raise self._fault("it ends inside its offset table")
        offsets = array("Q", bytes(buffer[at : at + width]))
        if sys.byteorder == "big":
            offsets.byteswap()
        self._offsets = offsets
        self._data = buffer[at + width :]
        if offsets[0] != 0 or offsets[self.block_count] != len(self._data):
            raise self._fault("its offset table does not span the blocks")
        self._most_kept: int = _KEPT // max(self.block_size, BLOCK_SIZE)
        self._kept: dict[int, bytes] = {}
        """Inflated blocks by number, the least recently read first."""
        self._lock = Lock()

    def _fault(self, what: str) -> FormatError:
        return FormatError(f"{self._name} is damaged: {what}.", field=self._name)

    def read(self, start: int, end: int) -> bytes:
        """Bytes ``start`` to ``end`` of the text.

        Raises:
            FormatError: the range is not inside the text, or a block does not inflate to its length.
        """
        if not 0 <= start <= end <= self.length:
            raise self._fault(f"it has no bytes {start} to {end}")
        if start == end:
            return b""
        first, last = start // self.block_size, (end - 1) // self.block_size
        low, high = start - first * self.block_size, end - last * self.block_size
        if first == last:
            return self._block(first)[low:high]
        return b"".join((self._block(first)[low:], *map(self._block, range(first + 1, last)), self._block(last)[:high]))

    def _block(self, number: int) -> bytes:
        """One inflated block, from a cache that drops the least recently read one."""
        with self._lock:
            block = self._kept.pop(number, None)
        block = block or self._inflate(number)
        with self._lock:
            if len(self._kept) >= self._most_kept:
                del self._kept[next(iter(self._kept))]
            self._kept[number] = block
        return block

    def blocks(self, numbers: Sequence[int]) -> list[bytes]:
        """Several inflated blocks, made by several threads: zlib releases the interpreter's lock.

        They are kept while there is room, but none is dropped for them: a scan of all of the text would drop each block before it
        is read again.

        Raises:
            FormatError: a block does not inflate to its length.
        """
        found = [self._kept.get(number) for number in numbers]
        missing = [number for number, block in zip(numbers, found, strict=True) if block is None]
        inflated = dict(zip(missing, self._inflate_all(missing), strict=True))
        with self._lock:
            for number in missing[: self._most_kept - len(self._kept)]:
                self._kept.setdefault(number, inflated[number])
        return [block or inflated[number] for number, block in zip(numbers, found, strict=True)]

    def _inflate_all(self, numbers: Sequence[int]) -> list[bytes]:
        share = max(-(-len(numbers) // _threads()), _LEAST_SHARE)
        own, *others = [numbers[at : at + share] for at in range(0, len(numbers), share)] or [()]
        futures = [_helpers().submit(list, map(self._inflate, other)) for other in others]
        blocks = list(map(self._inflate, own))
        for future in futures:
            blocks += future.result()
        return blocks

    def _inflate(self, number: int) -> bytes:
        size = min(self.block_size, self.length - number * self.block_size)
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


@cache
def _threads() -> int:
    from hardtack.cores import cores  # a search, which reads block by block, does without it

    return min(cores(), _MOST_THREADS)


@cache
def _helpers() -> ThreadPoolExecutor:
    """The threads that inflate besides the calling one; one pool for the process."""
    from concurrent.futures import ThreadPoolExecutor  # a search, which reads a few blocks, does without it

    return ThreadPoolExecutor(max(_threads() - 1, 1), thread_name_prefix="inflate")
