"""Opening, reading, locking and keeping files that another process may have put there: what each system can do of it.

Windows lacks most flags of ``os.open``, reads at no offset, opens no directory, and has neither flock(2) nor modes: a flag that is
missing is 0, and what cannot be done is left out, as each function says. Python closes each descriptor on exec by itself (PEP 446),
so O_CLOEXEC and O_NOINHERIT are not named.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from threading import Lock
from typing import Final

if sys.platform != "win32":
    import fcntl

NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
"""Opening a FIFO that nobody writes to would wait for ever."""
BINARY: Final = getattr(os, "O_BINARY", 0)
"""Without it, Windows turns CR LF into LF."""

CREATE: Final = os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY
"""To make a file that must not exist yet; with O_WRONLY or O_RDWR."""

_POSITION: Final = Lock()


def open_file(path: Path, *, follow: bool = False) -> int:
    """A descriptor of a file that may be anything, to be read: a FIFO is not waited for, and a link is refused.

    Args:
        path: what ``os.fstat`` says of it is up to the caller.
        follow: open what a link leads to.

    Raises:
        OSError: it may not be opened, or is a link.
    """
    # Windows' open follows links. One that is there is refused; one that takes the file's place after this look is followed.
    if sys.platform == "win32" and not follow and path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return os.open(path, os.O_RDONLY | NO_WAIT | BINARY | (0 if follow else NO_FOLLOW))


def read_file(path: Path, most: int, *, follow: bool = False) -> bytes:
    """All bytes of a regular file that may be anything: nothing is waited for, and what was opened is what is checked.

    Args:
        path: a link is refused, unless ``follow`` is set.
        most: bytes that are read.
        follow: open what a link leads to.

    Raises:
        OSError: there is no file, it may not be opened, it is a link or no regular file, or it has more bytes;
            ``strerror`` says which.
    """
    descriptor = open_file(path, follow=follow)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise OSError(errno.EFBIG, f"it is larger than {most} bytes", str(path))
        return data
    finally:
        os.close(descriptor)


def read_at(descriptor: int, size: int, start: int) -> bytes:
    """At most ``size`` bytes of an open file from its byte ``start`` on; empty at its end. Safe to call in many threads.

    Windows moves the file's position for it, so nothing else may read there by position.
    """
    if sys.platform == "win32":
        with _POSITION:  # of one open file, which its duplicated descriptors share
            os.lseek(descriptor, start, os.SEEK_SET)
            return os.read(descriptor, size)
    else:
        return os.pread(descriptor, size, start)


def open_directory(path: Path, *, follow: bool = False) -> int:
    """A descriptor of a directory, to be locked or synced; a link is refused. -1 on Windows, which opens no directory.

    Args:
        path: of the directory.
        follow: open what a link leads to.

    Raises:
        OSError: there is no directory, or it may not be opened.
    """
    if sys.platform == "win32":
        return -1
    else:
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | (0 if follow else NO_FOLLOW))


def lock(descriptor: int, *, wait: bool = False, shared: bool = False) -> None:
    """Lock an open file or directory until it is closed or this process ends.

    Args:
        descriptor: of the file or directory.
        wait: for as long as another process holds the lock.
        shared: others may hold the lock in this way too.

    Raises:
        BlockingIOError: another process holds the lock.
        OSError: the file system has no locks, or the system has none.
    """
    if sys.platform != "win32":
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    else:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def set_mode(descriptor: int, mode: int) -> None:
    """Set the mode of an open file. Windows has read-only at most, which would keep the file from being deleted."""
    if sys.platform != "win32":
        os.fchmod(descriptor, mode)


def sync_directory(path: Path) -> None:
    """Make the entries of a directory durable, as far as the system can."""
    descriptor = open_directory(path, follow=True)
    if descriptor >= 0:
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
