"""A member of a bundle, opened once: the same open file is hashed, mapped and given to an engine.

A file can be replaced between a check of its path and its use; an open descriptor cannot. So every member is opened here, once,
without following links. It must be a regular file, and everything after that goes through its descriptor. FAISS and Tantivy take
only paths, so they get the descriptor's path under ``/proc/self/fd`` where the system has one.

A member of a pack is a range of the pack's open file, or anonymous memory that it is unpacked into.
"""

from __future__ import annotations

import mmap
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

from hardtack.bundle.format.digest import digest_of_descriptor
from hardtack.descriptors import open_file, read_at
from hardtack.errors import BundleNotFound, FormatError, SourceError, UsageError

_DESCRIPTOR_DIRECTORY = Path("/proc/self/fd")


class MemberFile:
    """One member, open for reading."""

    def __init__(self, directory: Path, name: str) -> None:
        """Open ``directory/name``.

        Raises:
            BundleNotFound: there is no such file, or it may not be read.
            FormatError: it is a link, a directory, a device: anything but a regular file.
        """
        path = directory / name
        try:
            descriptor = open_file(path)
        except OSError as error:
            if path.is_symlink():
                raise FormatError(f"{path} is a link; members and packs are plain files.", field=name) from error
            raise BundleNotFound(f"{path} cannot be read: {error.strerror}.") from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise FormatError(f"{path} is not a regular file.", field=name)
        self._take(descriptor, name, path)

    def _take(self, descriptor: int, name: str, path: Path) -> None:
        """Become the member that is all of an open file."""
        state = os.fstat(descriptor)
        self.name = name
        self.size: int = state.st_size
        self._descriptor, self._path, self._start = descriptor, path, 0
        self._written = (state.st_size, state.st_mtime_ns)
        self._map: mmap.mmap | None = None
        self._has_path = True

    @classmethod
    def inside(cls, pack: MemberFile, name: str, start: int, size: int) -> MemberFile:
        """A member that lies as it is in a pack, ``size`` bytes from its byte ``start`` on."""
        member = cls.__new__(cls)
        member._take(os.dup(pack._open), name, pack._path)
        member.size, member._start, member._has_path = size, start, False
        member._written = pack._written  # since the pack was opened, not since now
        return member

    @property
    def is_unchanged(self) -> bool:
        """Whether the file was neither written to nor cut since it was opened: reading a map past its file's end is a SIGBUS."""
        state = os.fstat(self._open)
        return (state.st_size, state.st_mtime_ns) == self._written

    def digest(self) -> str:
        """The digest of the whole member.

        Raises:
            BundleNotFound: the disk cannot be read.
        """
        try:
            return digest_of_descriptor(self._open, start=self._start, size=self.size)
        except OSError as error:
            raise BundleNotFound(f"{self._path} cannot be read: {error.strerror}.") from error

    def read(self, limit: int) -> bytes:
        """The whole member.

        Raises:
            FormatError: it is longer than ``limit`` bytes, or the file has another length than when it was opened.
        """
        if self.size > limit:
            raise FormatError(f"{self.name} is {self.size} bytes; at most {limit} are read.", field=self.name)
        return self.read_at(0, self.size)

    def read_at(self, start: int, size: int) -> bytes:
        """``size`` bytes from the member's byte ``start`` on.

        Raises:
            FormatError: the file has another length than when it was opened.
        """
        try:
            data = read_at(self._open, size, self._start + start)
        except OSError as error:
            raise BundleNotFound(f"{self._path} cannot be read: {error.strerror}.") from error
        if len(data) != size or os.fstat(self._open).st_size != self._written[0]:
            raise FormatError(f"{self._path} changed while it was read.", field=self.name)
        return data

    def pieces(self, start: int, size: int) -> Iterator[bytes]:
        """The bytes that :meth:`read_at` returns, piece by piece; raises as that does."""
        for at in range(start, start + size, _PIECE):
            yield self.read_at(at, min(_PIECE, start + size - at))

    def map(self) -> memoryview:
        """The whole member, mapped read-only for as long as this object is open.

        Raises:
            FormatError: the file became shorter, or its file system cannot map files.
        """
        if self.size == 0:
            return memoryview(b"")
        before = self._start % mmap.ALLOCATIONGRANULARITY  # a map must begin at such a multiple
        if self._map is None:
            try:
                self._map = mmap.mmap(self._open, before + self.size, access=mmap.ACCESS_READ, offset=self._start - before)
            except (ValueError, OSError) as error:
                raise FormatError(f"{self._path} cannot be mapped: {error}.", field=self.name) from error
        return memoryview(self._map)[before:]

    @property
    def _open(self) -> int:
        """The descriptor of a member that is not closed: ``mmap`` takes the -1 of a closed one for anonymous memory."""
        if self._descriptor < 0:
            raise UsageError(f"{self.name} belongs to a bundle that was closed.", hint="Open the bundle again.")
        return self._descriptor

    @property
    def engine_path(self) -> Path | None:
        """A path that opens this same file, for engines that take only paths; None where there is none, and the bytes must do.

        Windows has none: it lets few users make links, and FAISS takes paths there in another encoding than Python's.
        """
        by_descriptor = _DESCRIPTOR_DIRECTORY / str(self._open)
        if sys.platform != "win32" and by_descriptor.exists():
            return by_descriptor
        return self._path if sys.platform != "win32" and self._has_path else None

    def close(self) -> None:
        """Close the descriptor. A map stays valid until its last view is dropped."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._map = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class UnpackedMember(MemberFile):
    """A member of a pack that is unpacked into memory, which has no name and no file, when it is first read; safe to share.

    Whoever reads it gets bytes that were unpacked to the end, so that ``unpack`` has checked all of them.
    """

    def __init__(self, stored: MemberFile, size: int, unpack: Callable[[MemberFile], Iterable[bytes]]) -> None:
        """Unpack nothing yet.

        Args:
            stored: its stretch of the pack; this object closes it.
            size: of the member, bytes.
            unpack: gives its bytes from ``stored``; may raise, and then the read does.
        """
        self.name, self.size = stored.name, size
        self._path, self._start, self._has_path = stored._path, 0, False
        self._descriptor = -1
        self._map = None
        self._stored: MemberFile | None = stored
        self._unpack = unpack
        self._lock = RLock()

    @property
    def is_unchanged(self) -> bool:
        """Whether the pack is what it was, as long as the member is still to be unpacked from it."""
        with self._lock:
            return super().is_unchanged if self._stored is None else self._stored.is_unchanged

    @property
    def _open(self) -> int:
        """The descriptor of the memory.

        Raises:
            SourceError: there is no room for it.
        """
        with self._lock:
            if self._stored is not None:
                self._take(_in_memory(self.name, self._path, self._unpack(self._stored)), self.name, self._path)
                self._has_path = False
                self._stored.close()
                self._stored = None
            return super()._open

    def close(self) -> None:
        """Close whichever descriptor is open."""
        with self._lock:
            if self._stored is not None:
                self._stored.close()
                self._stored = None
            super().close()


def _in_memory(name: str, pack: Path, pieces: Iterable[bytes]) -> int:
    """A descriptor of new memory that holds these bytes."""
    with ExitStack() as undo:
        try:
            descriptor = _anonymous(name)
            undo.callback(os.close, descriptor)
            for piece in pieces:
                _write_all(descriptor, piece)
        except OSError as error:
            raise SourceError(f"{name} of {pack} cannot be unpacked: {error.strerror}.") from error
        undo.pop_all()
    return descriptor


def _anonymous(name: str) -> int:
    """A descriptor of anonymous memory, or of a temporary file where the system has none; its closing deletes it."""
    if sys.platform == "linux" and hasattr(os, "memfd_create"):
        return os.memfd_create(f"hardtack-{name}")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


_PIECE = 1 << 20
