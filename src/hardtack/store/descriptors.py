"""Opening and locking files that another process may have put there: flags for ``os.open``, and flock(2).

Windows lacks most of these flags, opens no directory and has no flock: a flag that is missing is 0, and nothing can be locked.
Python closes each descriptor on exec by itself (PEP 446), so O_CLOEXEC is not named.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
"""Opening a FIFO that nobody writes to would wait for ever."""
BINARY: Final = getattr(os, "O_BINARY", 0)
"""Without it, Windows turns CR LF into LF."""

READ: Final = os.O_RDONLY | NO_FOLLOW | NO_WAIT | BINARY
"""To read a file that may be anything: a link is refused, and a FIFO is not waited for."""
CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY
"""To write a file that must not exist yet."""


def open_directory(path: Path) -> int:
    """A descriptor of a directory, to be locked; a link is refused. -1 on Windows, which opens no directory.

    Raises:
        OSError: there is no directory, or it may not be opened.
    """
    if sys.platform == "win32":
        return -1
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | NO_FOLLOW)


def lock(descriptor: int, *, wait: bool = False) -> None:
    """Lock an open file or directory until it is closed or this process ends.

    Args:
        descriptor: of the file or directory.
        wait: for as long as another process holds the lock.

    Raises:
        BlockingIOError: another process holds the lock.
        OSError: the file system has no locks, or the system has none.
    """
    if sys.platform == "win32":
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
