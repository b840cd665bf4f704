"""Paths in, related paths out: functions for the ``modules.py`` of languages that import files."""

from __future__ import annotations

import re
from typing import Final

_COMPUTED: Final = re.compile(r"^(?:\"|'|\$\{[^}]*\}|\$\(.*\)|\$\w+(?:::?\w+)?|@\w+@|[\\/])+")
"""A computed folder (``$DIR/``, ``${CMAKE_CURRENT_SOURCE_DIR}/``, ``$(dirname "$0")/``): it is mostly the file's own."""


def joined(folder: str, relative: str) -> str | None:
    """The path of ``relative`` from ``folder``; None if it leaves the root."""
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
    """The folder of a file and its parents, nearest first; each ends in a slash, the root is empty."""
    parts = path.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:count]) for count in range(len(parts), -1, -1)]


def without_computed(path: str) -> str:
    """The path without a computed folder at its beginning, and without quotes."""
    return _COMPUTED.sub("", path).rstrip("\"'")
