"""An absolute path or glob in, the same from the top of the bundle out. No disk is read."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from hardtack.errors import UsageError

if TYPE_CHECKING:
    from hardtack.bundle.reader import Bundle

MAX_GLOB: Final = 1000
"""Characters of a glob at most; the time to compile one, and to match it, grows with its square."""
ABSOLUTE: Final = re.compile(r"/|[A-Za-z]:/")
"""The start of an absolute path with slashes."""


def from_the_top(bundle: Bundle, path: str) -> str:
    """A path relative to the top: of an absolute one what follows a directory of the bundle's, else what follows its slash."""
    slashed = path.replace("\\", "/")
    if not ABSOLUTE.match(slashed):
        return path
    normal = posixpath.normpath(f"/{slashed.lstrip('/')}" if slashed.startswith("/") else slashed)
    for directory in bundle.places():
        top = str(directory).replace("\\", "/").rstrip("/")
        if normal == top or normal.startswith(f"{top}/"):
            return normal[len(top) + 1 :] or "."
    return slashed.lstrip("/")


def spelt_glob(bundle: Bundle, glob: str) -> str:
    """A glob with slashes as separators; with a leading slash where it is absolute, or begins with ``./``.

    Raises:
        UsageError: FILE_GLOB_INVALID; it is too long.
    """
    if len(glob) > MAX_GLOB:
        raise UsageError(
            f"A glob of {len(glob)} characters is too long.",
            code="FILE_GLOB_INVALID",
            details={"file_glob": glob[:MAX_GLOB]},
            hint=f"At most {MAX_GLOB} are taken.",
        )
    slashed = glob.replace("\\", "/")
    if slashed.startswith("./"):
        return slashed[1:]
    return f"/{from_the_top(bundle, slashed)}" if ABSOLUTE.match(slashed) else slashed
