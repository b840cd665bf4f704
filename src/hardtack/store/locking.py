"""A lock that one process holds while it pulls, installs or collects.

The lock only saves work: twenty processes that want one bundle fetch it once. Results are right without it, so the work is done all
the same where there are no locks, and when the holder takes too long, which is reported.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Final

from hardtack.descriptors import BINARY, NO_FOLLOW, open_file, set_mode

WAIT: Final = 60.0
"""Seconds to wait for another process before going on without the lock."""
_REPLACE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NO_FOLLOW | BINARY
_HOLDER_LIMIT: Final = 20
"""Bytes that are read of the file with the holder's process id."""


@contextmanager
def alone(
    locks: Path, what: str, *, wait: float = WAIT, notice: Callable[[str], None] | None = None, mode: int = 0o644
) -> Iterator[bool]:
    """Hold the lock named ``what``; the value is False if another process kept it for all of ``wait``.

    Where the file system has no locks, the value is True.

    Args:
        locks: the directory of lock files.
        what: names the work.
        wait: seconds to wait for another process.
        notice: called with one sentence when waiting is given up.
        mode: of the lock file: who may write to it may wait for it.
    """
    from filelock import FileLock, Timeout

    place = locks / hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
    holder = place.with_suffix(".holder")
    lock = FileLock(f"{place}.lock", timeout=wait, mode=mode)
    try:
        lock.acquire()
    except (Timeout, OSError, NotImplementedError) as error:
        if notice and isinstance(error, Timeout):
            who = _holder_of(holder) or "of an unknown number"
            notice(f"Process {who} has not finished after {wait:.0f} seconds; going on without waiting for it ({what}).")
        yield not isinstance(error, Timeout)
        return
    try:
        with suppress(OSError), FileIO(os.open(holder, _REPLACE, 0o600), "wb") as file:
            set_mode(file.fileno(), mode)  # whatever the umask
            file.write(b"%d\n" % os.getpid())
        yield True
    finally:
        lock.release()


def _holder_of(path: Path) -> str:
    with suppress(OSError, ValueError):
        descriptor = open_file(path)
        try:
            number = os.read(descriptor, _HOLDER_LIMIT).decode("ascii").strip()
            return number if number.isdecimal() else ""
        finally:
            os.close(descriptor)
    return ""
