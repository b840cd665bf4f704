"""A stored file and a checkout in, whether the checkout still has that very text out. Reads one file, writes nothing."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Literal

from hardtack.bundle.records import FileRecord

Freshness = Literal["fresh", "changed", "deleted", "unknown"]


def freshness_of(file: FileRecord, checkout: Path | None) -> Freshness:
    """Whether ``checkout`` holds the file as it was indexed; ``unknown`` without a checkout, or where it cannot be read."""
    if checkout is None:
        return "unknown"
    root = Path(os.path.realpath(checkout))  # unlike Path.resolve, it bears a link that leads to itself
    path = root / file.path
    if not Path(os.path.realpath(path.parent)).is_relative_to(root):
        return "unknown"
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return "deleted"
    except OSError:
        return "unknown"
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_size != file.size:
            return "changed"
        with open(descriptor, "rb", closefd=False) as opened:
            data = opened.read()
    finally:
        os.close(descriptor)
    blob_id = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()
    return "fresh" if blob_id == file.blob_id else "changed"
