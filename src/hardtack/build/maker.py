"""This program in, 32 bytes that name it out: what another made is taken over only from one that would have made the same.

A changed extractor, query, word rule or weight must never be mixed with rows of the one before it, and nobody remembers to raise a
number for each. So the name is a digest of all that decides what a file is made into: sources, tables and the encoder's weights.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]
_FOLDERS: Final = ("build", "bundle", "encoders")
"""Of the package; besides, the modules at its top."""
_LEFT_OUT: Final = frozenset({".pyc", ".md"})


@cache
def maker() -> bytes:
    """SHA-256 of the program as far as it decides what is made of a file."""
    state = hashlib.sha256()
    paths = [*_PACKAGE.glob("*.py"), *(path for folder in _FOLDERS for path in (_PACKAGE / folder).rglob("*"))]
    for path in sorted(paths, key=lambda path: path.relative_to(_PACKAGE).as_posix()):
        if path.suffix not in _LEFT_OUT and path.is_file():
            name = path.relative_to(_PACKAGE).as_posix().encode()
            state.update(b"%b\0%b" % (name, hashlib.sha256(path.read_bytes()).digest()))
    return state.digest()
