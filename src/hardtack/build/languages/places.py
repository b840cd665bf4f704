"""A path in, the places around it out: what the ``modules.py`` of languages share that import files rather than names."""

from __future__ import annotations

import re
from typing import Final

_COMPUTED: Final = re.compile(r"^(?:\"|'|\$\{[^}]*\}|\$\(.*\)|\$\w+(?:::?\w+)?|@\w+@|[\\/])+")
"""A folder that a program computes (``$DIR/``, ``${CMAKE_CURRENT_SOURCE_DIR}/``, ``$(dirname "$0")/``): mostly the file's own."""


def joined(folder: str, relative: str) -> str | None:
    """The path that ``relative`` leads to from ``folder``; None where it leaves the root."""
    parts = folder.rstrip("/").split("/") if folder.rstrip("/") else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def folders_above(path: str) -> list[str]:
    """The folder of a file and the ones around it, the nearest first; each ends in a slash, the root is empty."""
    parts = path.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:count]) for count in range(len(parts), -1, -1)]


def without_computed(path: str) -> str:
    """The path without a folder in front that is computed, and without quotes around it."""
    return _COMPUTED.sub("", path).rstrip("\"'")
