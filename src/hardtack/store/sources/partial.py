"""A file that is being downloaded: what already lies there in, the file whole and held against its digest out.

Bytes are hashed as they are written, and those of an earlier download when it is taken up again. The file is locked while it is
written, where the file system can: two downloads cannot write one file. What breaks off stays, for the next to go on from.
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

from hardtack.errors import IntegrityError, PolicyError, SourceError
from hardtack.store import descriptors
from hardtack.store.sources.source import Progress

_BUFFER: Final = 1 << 20
_ROOM: Final = 2
"""Times the size of a pack that must be free: the pack, and what is installed of it."""


class Partial:
    """One open file; a context."""

    def __init__(self, path: Path, *, resumes: bool) -> None:
        """Open or make the file.

        Args:
            path: where it lies; never a link.
            resumes: keep what lies there; else begin anew.

        Raises:
            SourceError: the disk refuses, somebody else is writing the file, or something else lies there.
        """
        self._path = path
        self._hash = hashlib.sha256()
        self.size = 0
        """Bytes that are there."""
        self.etag = ""
        """Of the first response that the bytes came with; empty when it had none, or none that means the very bytes."""
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
                pass  # a file system without locks: what two at once spoil is found when the pack is verified
            if resumes:
                while data := os.read(self._descriptor, _BUFFER):
                    self._hash.update(data)
                    self.size += len(data)
            else:
                self.restart()
            refused.pop_all()

    @property
    def digest(self) -> str:
        """Of the bytes that are there."""
        return "sha256:" + self._hash.hexdigest()

    def restart(self) -> None:
        """Forget all that is there."""
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        self._hash, self.size, self.etag = hashlib.sha256(), 0, ""

    def write(self, data: bytes) -> None:
        """Add to the end.

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
        """See that the whole file, and what will be installed of it, has room.

        Raises:
            SourceError: it has not.
        """
        try:
            free = shutil.disk_usage(self._path.parent).free
        except OSError:
            return
        if free < _ROOM * total - self.size:
            raise SourceError(f"There is no room for {_ROOM * total} bytes at {self._path.parent}: {free} are free.")

    def finish(self, *, size: int | None, digest: str, address: str) -> None:
        """Hold the whole against what was promised, and have it on the disk; what is wrong is removed.

        Raises:
            IntegrityError: its size or its digest is another.
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
        """Take the file away: nobody shall go on from what is there."""
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
    """Complete a partial file from one that is open and can be sought in; what was there and was wrong is copied anew.

    Args:
        file: where the bytes come from.
        total: how many it has; None when that is not known.
        part: where they go.
        address: of the file, for messages.
        limit: bytes that are taken at most.
        size: bytes that there must be, when that is known.
        digest: that the whole must have, when that is known.
        progress: told how far it is.

    Raises:
        SourceError: the disk refuses.
        IntegrityError: other bytes came than were promised; nothing is left of them.
        PolicyError: it is larger than is taken.
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
    """Refuse what is larger than is taken.

    Raises:
        PolicyError: it is.
    """
    if size is not None and size > limit:
        raise PolicyError(f"{address} has {size} bytes, and {limit} are taken at most.")
