"""What is about to be done in, the right to do it alone out, for as long as others can be waited for.

A lock saves work: twenty who want one bundle fetch it once. Nothing goes wrong without it, so the work is done all the same
where there can be no lock, and when whoever holds it takes too long, which is said.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from hardtack.store import descriptors

WAIT: Final = 60.0
"""Seconds to wait for another process, before going on without the lock."""
_HOLDER_LIMIT: Final = 20


@contextmanager
def alone(locks: Path, what: str, *, wait: float = WAIT, notice: Callable[[str], None] | None = None) -> Iterator[bool]:
    """Do ``what`` while no other process does; False inside when another was at it all the time. Where no locks are, nobody is.

    Args:
        locks: the directory of locks.
        what: names the work; what has one name is done by one at a time.
        wait: seconds to wait for another.
        notice: is told, in one sentence, when another is not waited for any longer.
    """
    from filelock import FileLock, Timeout

    place = locks / hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
    holder = place.with_suffix(".holder")
    lock = FileLock(f"{place}.lock", timeout=wait, mode=0o644)
    try:
        lock.acquire()
    except (Timeout, OSError, NotImplementedError) as error:
        if notice and isinstance(error, Timeout):
            who = _holder_of(holder) or "of an unknown number"
            notice(f"Process {who} has not finished after {wait:.0f} seconds; going on without waiting for it ({what}).")
        yield not isinstance(error, Timeout)
        return
    try:
        with suppress(OSError):
            holder.write_text(f"{os.getpid()}\n", encoding="ascii")
        yield True
    finally:
        lock.release()


def _holder_of(path: Path) -> str:
    with suppress(OSError, ValueError):
        descriptor = os.open(path, descriptors.READ)
        try:
            number = os.read(descriptor, _HOLDER_LIMIT).decode("ascii").strip()
            return number if number.isdecimal() else ""
        finally:
            os.close(descriptor)
    return ""
