"""A file while it is downloaded: existing bytes in, the complete file, checked against its digest, out.

Bytes are hashed as they are written; those of an interrupted download are hashed when it is resumed. The file is locked while it is
written, where the file system has locks, so that two downloads do not write one file. An interrupted download stays on disk for the
next one to resume.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from hardtack import descriptors
from hardtack.errors import IntegrityError, PolicyError, SourceError
from hardtack.store.sources.source import Progress

_BUFFER: Final = 1 << 20
_ROOM: Final = 2
"""Free space that is required, in sizes of the pack: one for the pack, one for the installed bundle."""


class Partial:
    """A file while it is downloaded; a context manager that closes it."""

    def __init__(self, path: Path, *, resumes: bool) -> None:
        """Open or make the file.

        Args:
            path: the file; a link is refused.
            resumes: keep the existing bytes; otherwise they are deleted.

        Raises:
            SourceError: the disk refuses, another process writes the file, or it is no regular file.
        """
        self._path = path
        self._hash = hashlib.sha256()
        self.size = 0
        """Bytes in the file so far; the file position is always there."""
        self.restarts = 0
        """How many times bytes were thrown away."""
        self.etag = ""
        """The strong ETag of the first response, which identifies its exact bytes; empty when it had none."""
        try:
            self._descriptor = os.open(
                path, os.O_RDWR | os.O_CREAT | descriptors.NO_FOLLOW | descriptors.NO_WAIT | descriptors.BINARY, 0o600
            )
        except OSError as error:
            raise SourceError(f"{path} cannot be written: {error.strerror}.") from error
        with ExitStack() as refused:
            refused.callback(os.close, self._descriptor)
            if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                raise SourceError(f"{path} is no regular file.")
            try:
                descriptors.lock(self._descriptor)
            except BlockingIOError as error:
                raise SourceError(f"{path} is being written by another process.", is_temporary=True) from error
            except OSError:
                pass  # a file system without locks: verifying the pack finds the damage that two writers do
            if resumes:
                while data := os.read(self._descriptor, _BUFFER):
                    self._hash.update(data)
                    self.size += len(data)
            else:
                self.restart()
            refused.pop_all()

    @property
    def digest(self) -> str:
        """The digest of the bytes so far."""
        return "sha256:" + self._hash.hexdigest()

    def restart(self) -> None:
        """Delete all bytes."""
        self.restarts += self.size > 0
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        self._hash, self.size, self.etag = hashlib.sha256(), 0, ""

    def write(self, data: bytes) -> None:
        """Append ``data``.

        Raises:
            SourceError: the disk refuses.
        """
        try:
            view = memoryview(data)
            while view:
                written = os.write(self._descriptor, view)
                self._hash.update(view[:written])
                self.size += written
                view = view[written:]
        except OSError as error:
            raise SourceError(f"{self._path} cannot be written: {error.strerror}.") from error

    def check_room(self, total: int) -> None:
        """Check that the disk has room for the rest of the file and for the installed bundle.

        Raises:
            SourceError: it has not.
        """
        try:
            free = shutil.disk_usage(self._path.parent).free
        except OSError:
            return
        if free < _ROOM * total - self.size:
            raise SourceError(  # temporary: the size is what this source says, and the next one may say less
                f"There is no room for {_ROOM * total} bytes at {self._path.parent}: {free} are free.", is_temporary=True
            )

    def finish(self, *, size: int | None, digest: str, address: str) -> None:
        """Check the complete file against the promised size and digest, and sync it to disk; a wrong file is removed.

        Raises:
            IntegrityError: its size or its digest differs.
            SourceError: the disk refuses.
        """
        problem = ""
        if size is not None and size != self.size:
            problem = f"{address} gave {self.size} bytes where {size} were promised."
        elif digest and digest != self.digest:
            problem = f"{address} gave other bytes than were promised: {self.digest}, not {digest}."
        if problem:
            self.remove()
            raise IntegrityError(problem, faults=[problem], hint="Tell whoever publishes there; another source may have it right.")
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise SourceError(f"{self._path} cannot be written: {error.strerror}.") from error

    def remove(self) -> None:
        """Remove the file, so that no download resumes it."""
        with suppress(OSError):
            self._path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._descriptor)


def copy_rest(
    file: IO[bytes],
    total: int | None,
    part: Partial,
    *,
    address: str,
    limit: int,
    size: int | None,
    digest: str,
    progress: Progress | None,
) -> None:
    """Complete a partial file from an open, seekable file. If the existing bytes turn out to be wrong, all are copied again.

    Args:
        file: the complete file.
        total: its size in bytes; None when it is not known.
        part: the file to complete.
        address: the file's address for messages.
        limit: the most bytes that are accepted.
        size: the promised size in bytes; None when it is not known.
        digest: the promised digest; empty when it is not known.
        progress: called after each piece.

    Raises:
        SourceError: the disk refuses.
        IntegrityError: size or digest differ from the promise; the bytes are deleted.
        PolicyError: the file is larger than accepted.
    """
    expected = size if size is not None else total
    check_size(expected, limit, address)
    if expected is not None and part.size > expected:
        part.restart()
    part.check_room(expected or 0)
    had = part.size
    while True:
        file.seek(part.size)
        while data := file.read(_BUFFER):
            if part.size + len(data) > (limit if expected is None else expected):
                part.remove()
                raise PolicyError(f"{address} gives more than the {limit if expected is None else expected} bytes that it should.")
            part.write(data)
            if progress:
                progress(part.size, expected)
        if not (had and digest and part.digest != digest):
            break
        had = 0
        part.restart()
    part.finish(size=expected, digest=digest, address=address)


def check_size(size: int | None, limit: int, address: str) -> None:
    """Refuse a file that is too large.

    Raises:
        PolicyError: ``size`` is over ``limit``.
    """
    if size is not None and size > limit:
        raise PolicyError(f"{address} has {size} bytes, and {limit} are taken at most.")
