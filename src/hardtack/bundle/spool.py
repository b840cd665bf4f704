"""Byte strings in, one after another; the same out, by number or in order, from a file without a name when they are many.

A build makes rows, packed parses and uses of each file long before it writes or reads them. In memory they took half of what a
build of a large tree needs.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, overload

from hardtack.errors import SourceError

_PENDING: Final = 1 << 20
"""Bytes that stay in memory before they go to the file; a small build writes none."""


class Spool(Sequence[bytes]):
    """A sequence of byte strings that only grows. Each is at most 4 GiB."""

    def __init__(self, scratch: Path) -> None:
        """Start empty; ``scratch`` is an existing directory, in which nothing is left."""
        self._scratch = scratch
        self._file: IO[bytes] | None = None
        self._pending = bytearray()
        self._written = 0
        self._ends = array("Q", [0])

    def append(self, data: bytes) -> None:
        """Take the next byte string.

        Raises:
            SourceError: the disk is full or refuses.
        """
        self._pending += data
        self._ends.append(self._ends[-1] + len(data))
        if len(self._pending) >= _PENDING:
            self._write()

    def _write(self) -> None:
        try:
            if self._file is None:
                self._file = TemporaryFile(dir=self._scratch, buffering=0)  # noqa: SIM115 - closed by close()
            with memoryview(self._pending) as data:
                done = 0
                while done < len(data):
                    done += self._file.write(data[done:])
        except OSError as error:
            hint = "Free some space and build again."
            raise SourceError(f"The bundle could not be written: {error.strerror}.", hint=hint) from error
        self._written += len(self._pending)
        self._pending.clear()

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, number: int) -> bytes: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[bytes]: ...

    def __getitem__(self, number: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        place = range(len(self))[number]
        return self._read(self._ends[place], self._ends[place + 1])

    def __iter__(self) -> Iterator[bytes]:
        block, start = b"", 0
        for begin, end in pairwise(self._ends):
            if end > start + len(block):
                block, start = self._read(begin, min(max(end, begin + _PENDING), self._ends[-1])), begin
            yield block[begin - start : end - start]

    def _read(self, start: int, end: int) -> bytes:
        """Bytes ``start`` to ``end`` of all that was taken."""
        data = b""
        if self._file is not None and start < self._written:
            data = os.pread(self._file.fileno(), min(end, self._written) - start, start)
        return data + self._pending[max(start - self._written, 0) : max(end - self._written, 0)]

    def close(self) -> None:
        """Drop everything."""
        if self._file is not None:
            self._file.close()
