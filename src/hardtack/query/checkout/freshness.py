"""A stored file and a checkout in, whether the checkout still has that very text out. Reads one file, writes nothing."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Literal

from hardtack.bundle.format.records import FileRecord

Freshness = Literal["fresh", "changed", "deleted", "unknown"]


def freshness_of(file: FileRecord, checkout: Path | None) -> Freshness:
    """Whether ``checkout`` holds the file as it was indexed; ``unknown`` without a checkout, or where it cannot be read."""
    if checkout is None:
        return "unknown"
    descriptor = _opened(file, checkout)
    if isinstance(descriptor, str):
        return descriptor
    data = _read(descriptor, file.size)
    if data is None or len(data) != file.size:
        return "changed"
    blob_id = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()
    return "fresh" if blob_id == file.blob_id else "changed"


def bytes_in(file: FileRecord, checkout: Path, most: int) -> bytes | None:
    """What a checkout has at the file's path; None where there is no such regular file, or it has more than ``most`` bytes."""
    descriptor = _opened(file, checkout)
    return None if isinstance(descriptor, str) else _read(descriptor, most)


def _opened(file: FileRecord, checkout: Path) -> int | Literal["deleted", "unknown"]:
    """A descriptor of what is at the place of a stored file, or why there is none. No link is followed, nothing waited for."""
    root = Path(os.path.realpath(checkout))  # unlike Path.resolve, it bears a link that leads to itself
    path = root / file.path
    if not Path(os.path.realpath(path.parent)).is_relative_to(root):
        return "unknown"
    try:
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return "deleted"
    except OSError:
        return "unknown"


def _read(descriptor: int, most: int) -> bytes | None:
    """All of a regular file of at most so many bytes, which is closed; None of any other."""
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_size > most:
            return None
        with open(descriptor, "rb", closefd=False) as opened:
            data = opened.read(most + 1)
        return data if len(data) <= most else None
    finally:
        os.close(descriptor)
