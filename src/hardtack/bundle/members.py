"""A member's file, opened once: what is hashed, mapped and shown to an engine is the same open file.

A path can be swapped between two looks at it; an open descriptor can not. Every member is opened here without following a link,
must be a regular file, and everything after that goes through its descriptor. FAISS and Tantivy only take paths, so they are given
the descriptor's own name under ``/proc/self/fd`` where the system has it.
"""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

from hardtack.bundle.digest import digest_of_descriptor
from hardtack.errors import BundleNotFound, FormatError, UsageError

_DESCRIPTOR_DIRECTORY = Path("/proc/self/fd")


class MemberFile:
    """One member, open for reading."""

    def __init__(self, directory: Path, name: str) -> None:
        """Open ``directory/name``.

        Raises:
            BundleNotFound: there is no such file, or it may not be read.
            FormatError: it is a link, a directory, a device: anything but a regular file.
        """
        self.name = name
        self._path = directory / name
        try:
            self._descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | _NO_FOLLOW | _NO_BLOCK)
        except OSError as error:
            if self._path.is_symlink():
                raise FormatError(f"{self._path} is a link; members are plain files.", field=name) from error
            raise BundleNotFound(f"{self._path} cannot be read: {error.strerror}.") from error
        state = os.fstat(self._descriptor)
        if not stat.S_ISREG(state.st_mode):
            os.close(self._descriptor)
            raise FormatError(f"{self._path} is not a regular file.", field=name)
        self.size: int = state.st_size
        self._written = state.st_mtime_ns
        self._map: mmap.mmap | None = None

    @property
    def is_unchanged(self) -> bool:
        """Whether the open file is still as long, and was not written to since: reading a map beyond its file's end kills."""
        state = os.fstat(self._open)
        return (state.st_size, state.st_mtime_ns) == (self.size, self._written)

    def digest(self) -> str:
        """The digest of the whole file; also warms the page cache, which FAISS' mapped reads need (they are random).

        Raises:
            BundleNotFound: the disk does not give its bytes.
        """
        try:
            return digest_of_descriptor(self._open)
        except OSError as error:
            raise BundleNotFound(f"{self._path} cannot be read: {error.strerror}.") from error

    def read(self, limit: int) -> bytes:
        """The whole file, when it is at most ``limit`` bytes.

        Raises:
            FormatError: it is longer, or no longer what it was when it was opened.
        """
        if self.size > limit:
            raise FormatError(f"{self.name} is {self.size} bytes; at most {limit} are read.", field=self.name)
        try:
            data = os.pread(self._open, self.size + 1, 0)
        except OSError as error:
            raise BundleNotFound(f"{self._path} cannot be read: {error.strerror}.") from error
        if len(data) != self.size:
            raise FormatError(f"{self._path} changed while it was read.", field=self.name)
        return data

    def map(self) -> memoryview:
        """The whole file, mapped read-only for as long as this object is open.

        Raises:
            FormatError: it is shorter by now, or lies where nothing can be mapped.
        """
        if self.size == 0:
            return memoryview(b"")
        if self._map is None:
            try:
                self._map = mmap.mmap(self._open, self.size, prot=mmap.PROT_READ, flags=mmap.MAP_SHARED)
            except (ValueError, OSError) as error:
                raise FormatError(f"{self._path} cannot be mapped: {error}.", field=self.name) from error
        return memoryview(self._map)

    @property
    def _open(self) -> int:
        """The descriptor. Mapping -1 would give anonymous memory, so a closed member is refused."""
        if self._descriptor < 0:
            raise UsageError(f"{self.name} belongs to a bundle that was closed.", hint="Open the bundle again.")
        return self._descriptor

    @property
    def engine_path(self) -> Path:
        """A path that opens this very file, for engines that take nothing else."""
        by_descriptor = _DESCRIPTOR_DIRECTORY / str(self._open)
        return by_descriptor if by_descriptor.exists() else self._path

    def close(self) -> None:
        """Close the descriptor. A map that is still looked at stays valid until its last view is dropped."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._map = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


_NO_FOLLOW = os.O_NOFOLLOW
_NO_BLOCK = os.O_NONBLOCK  # a FIFO in a member's place must not hang the open
