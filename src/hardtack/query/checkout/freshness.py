"""A stored file and a checkout in, whether the checkout has the same bytes out. Reads one file, writes nothing."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Literal

from hardtack.bundle.format.records import FileRecord
from hardtack.descriptors import open_file

Freshness = Literal["fresh", "changed", "deleted", "unknown"]


def freshness_of(file: FileRecord, checkout: Path | None) -> Freshness:
    """Whether ``checkout`` has the file as it was indexed; ``unknown`` without a checkout, or if the file cannot be read."""
    if checkout is None:
        return "unknown"
    descriptor = _opened(file, checkout)
    if isinstance(descriptor, str):
        return descriptor
    data = read_regular(descriptor, file.size)
    if data is None or len(data) != file.size:
        return "changed"
    blob_id = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()
    return "fresh" if blob_id == file.blob_id else "changed"


def current_bytes(file: FileRecord, checkout: Path, limit: int) -> bytes | None:
    """The bytes that a checkout has at a file's path; None if that is no regular file, or has more than ``limit`` bytes."""
    descriptor = _opened(file, checkout)
    return None if isinstance(descriptor, str) else read_regular(descriptor, limit)


def _opened(file: FileRecord, checkout: Path) -> int | Literal["deleted", "unknown"]:
    """A descriptor of what a checkout has at a file's path, or the freshness if there is none."""
    root = Path(os.path.realpath(checkout))  # Path.resolve raises for a link to itself
    path = root / file.path
    # open_file guards the last component only; a link in another one must not lead out of the checkout.
    if not Path(os.path.realpath(path.parent)).is_relative_to(root):
        return "unknown"
    try:
        return open_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return "deleted"
    except OSError:
        return "unknown"


def read_regular(descriptor: int, limit: int) -> bytes | None:
    """All bytes of an open file, and close it; None if it is no regular file, or has more than ``limit`` bytes."""
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_size > limit:
            return None
        with open(descriptor, "rb", closefd=False) as opened:
            data = opened.read(limit + 1)  # it may have grown since fstat
        return data if len(data) <= limit else None
    finally:
        os.close(descriptor)
