"""This program's files in, 32 bytes that identify it out: a build reuses only what the same program has made.

Rows of a changed extractor, query, word rule or weight must never be mixed with older ones, and a version number for each would be
forgotten. The fingerprint is a digest of everything that decides how a file is indexed: sources, tables and the encoder's weights.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[2]
_FOLDERS: Final = ("build", "bundle", "encoders", "nouns", "text")
"""Folders of the package that are hashed, besides the modules at its top."""
_LEFT_OUT: Final = (".pyc", ".md")


@cache
def tool_fingerprint() -> bytes:
    """SHA-256 of those parts of the program that decide how a file is indexed."""
    state = hashlib.sha256()
    top = os.fspath(_PACKAGE)
    folders: list[tuple[str, list[str], list[str]]] = [(top, [], [each.name for each in os.scandir(top) if each.is_file()])]
    for folder in _FOLDERS:
        folders += os.walk(os.path.join(top, folder))  # noqa: PTH118  (Path objects would double the time)
    files = (f"{folder}/{name}" for folder, _, names in folders for name in names if not name.endswith(_LEFT_OUT))
    for path in sorted(files):
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        state.update(b"%b\0%d\0" % (path[len(top) :].encode(), len(data)))
        state.update(data)
    return state.digest()
