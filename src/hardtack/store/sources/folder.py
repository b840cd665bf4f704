"""A directory, local or mounted, as a store of plain files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from hardtack.bundle.held import held_directory
from hardtack.descriptors import open_file, replace_file
from hardtack.errors import SourceError
from hardtack.store.locking import alone
from hardtack.store.sources.partial import Partial, copy_rest
from hardtack.store.sources.pointer import document_in
from hardtack.store.sources.source import Progress

_LOCKS: Final = ("f1", "locks")
_LOCK_MODE: Final = 0o664
"""Of a lock in a folder that a group may write to."""
_ABSENT: Final = (FileNotFoundError, NotADirectoryError)


class Folder:
    """A :class:`FileStore` in a directory."""

    def __init__(self, base: Path) -> None:
        """Take the directory; nothing is read yet."""
        self._base = base
        self.name = str(base)

    def read_json(self, path: str, limit: int) -> dict[str, Any] | None:
        """See :meth:`FileStore.read_json`."""
        try:
            with self._opened(path) as file:
                data = file.read(limit + 1)
        except _ABSENT:
            return None
        except OSError as error:
            raise self._unreadable(path, error) from error
        return document_in(data, limit, str(self._base / path))

    def download(
        self, path: str, destination: Path, *, limit: int, size: int | None, digest: str, progress: Progress | None
    ) -> None:
        """See :meth:`FileStore.download`."""
        try:
            file = self._opened(path)
        except OSError as error:
            raise self._unreadable(path, error) from error
        with file, Partial(destination, resumes=bool(digest)) as part:
            copy_rest(
                file,
                os.fstat(file.fileno()).st_size,
                part,
                address=str(self._base / path),
                limit=limit,
                size=size,
                digest=digest,
                progress=progress,
            )

    def has(self, path: str) -> bool:
        """See :meth:`FileStore.has`."""
        try:
            return stat.S_ISREG((self._base / path).stat().st_mode)
        except _ABSENT:
            return False
        except OSError as error:
            raise self._unreadable(path, error) from error

    def upload(self, path: str, file: Path, progress: Progress | None) -> None:
        """See :meth:`FileStore.upload`."""
        with file.open("rb") as source:
            self._put(path, source)

    def write(self, path: str, data: bytes) -> None:
        """See :meth:`FileStore.write`."""
        self._put(path, data)

    @contextmanager
    def alone(self, path: str) -> Iterator[None]:
        """See :meth:`FileStore.alone`; a lock below the folder, for all that may write there, where the file system has locks.

        Raises:
            SourceError: another process has held it for a minute.
        """
        with held_directory(self._base, *_LOCKS) as locks, alone(locks, path, mode=_LOCK_MODE) as is_alone:
            if not is_alone:
                raise SourceError(f"{self._base / path} is being written by others.", hint="Publish again.", is_temporary=True)
            yield

    def _put(self, path: str, content: bytes | IO[bytes]) -> None:
        """Replace a file in one step: readers see the old file or the new one."""
        target = self._base / path
        try:
            with held_directory(self._base, *Path(path).parts[:-1]) as directory:
                replace_file(directory / target.name, content)  # readable by everybody: the web server runs as another user
        except OSError as error:
            raise SourceError(f"{target} cannot be written: {error.strerror}.") from error

    def _opened(self, path: str) -> IO[bytes]:
        """A regular file, open for reading. A FIFO is not waited for."""
        descriptor = open_file(self._base / path, follow=True)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise FileNotFoundError(0, "no regular file lies there")
        return os.fdopen(descriptor, "rb")

    def _unreadable(self, path: str, error: OSError) -> SourceError:
        return SourceError(
            f"{self._base / path} cannot be read: {error.strerror}.", is_temporary=isinstance(error, FileNotFoundError)
        )
