"""A stored file and a checkout in, whether the checkout has the same bytes out. Reads one file, writes nothing."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from hardtack.bundle.format.records import FileRecord
from hardtack.descriptors import open_file

Freshness = Literal["fresh", "changed", "deleted", "unknown"]

_WORKING_TREE_CODECS: Final = (
    *("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp932", "shift_jis", "euc_jp", "gb18030", "gb2312", "big5", "cp950", "cp949"),
    *("euc_kr", "iso8859-1", "iso8859-15", "iso8859-2", "koi8-r", *(f"cp{number}" for number in range(1250, 1259))),
)
"""What git may be asked to write to the working tree (``working-tree-encoding``)."""


def freshness_of(file: FileRecord, checkout: Path | None, text_of: Callable[[FileRecord], bytes] | None = None) -> Freshness:
    """Whether ``checkout`` has the file as it was indexed; ``unknown`` without a checkout, or if the file cannot be read.

    Args:
        file: of a bundle.
        checkout: a checkout.
        text_of: the stored text of a file. With it, a file is fresh too if git stores it in UTF-8 and the checkout has the same
            text in another encoding.
    """
    if checkout is None:
        return "unknown"
    descriptor = _opened(file, checkout)
    if isinstance(descriptor, str):
        return descriptor
    data = read_regular(descriptor, file.size if text_of is None else 4 * (file.size + 1))  # in UTF-32, with a mark
    if data is None:
        return "changed"
    if len(data) == file.size and hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest() == file.blob_id:
        return "fresh"
    is_same = text_of is not None and file.encoding == "utf-8" and _is_in_another_encoding(data, text_of(file))
    return "fresh" if is_same else "changed"


def _is_in_another_encoding(data: bytes, text: bytes) -> bool:
    """Whether ``data`` is ``text`` in one of the encodings that a working tree may have; False if it is UTF-8 itself."""
    try:
        data.decode("utf-8")
        if b"\0" not in data:
            return False
    except UnicodeDecodeError:
        pass
    wanted = text.decode("utf-8", "replace")
    for codec in _WORKING_TREE_CODECS:
        with suppress(UnicodeError):
            if data.decode(codec).removeprefix("\ufeff") == wanted:
                return True
    return False


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
