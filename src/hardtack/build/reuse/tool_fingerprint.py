"""This program in, 32 bytes that name it out: what another made is taken over only from one that would have made the same.

A changed extractor, query, word rule or weight must never be mixed with rows of the one before it, and nobody remembers to raise a
number for each. So the name is a digest of all that decides what a file is made into: sources, tables and the encoder's weights.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[2]
_FOLDERS: Final = ("build", "bundle", "encoders", "nouns", "text")
"""Of the package; besides, the modules at its top."""
_LEFT_OUT: Final = (".pyc", ".md")


@cache
def maker() -> bytes:
    """SHA-256 of the program as far as it decides what is made of a file."""
    state = hashlib.sha256()
    top = os.fspath(_PACKAGE)
    folders: list[tuple[str, list[str], list[str]]] = [(top, [], [each.name for each in os.scandir(top) if each.is_file()])]
    for folder in _FOLDERS:
        folders += os.walk(os.path.join(top, folder))  # noqa: PTH118  (half of the time goes into paths that are objects)
    files = (f"{folder}/{name}" for folder, _, names in folders for name in names if not name.endswith(_LEFT_OUT))
    for path in sorted(files):
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        state.update(b"%b\0%d\0" % (path[len(top) :].encode(), len(data)))
        state.update(data)
    return state.digest()
