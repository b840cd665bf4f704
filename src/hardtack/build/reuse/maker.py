"""What makes the analysis of a file, by name: processes with the same maker make the same of the same file.

Shards and checkpoints are of a maker. A bundle is not: its manifest has fields of its own for the version, the engines and the word
rules, and its cached parses have the program's fingerprint, so ``up_to_date.py`` compares these.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from hardtack import __version__
from hardtack.build.options import engines
from hardtack.build.reuse.tool_fingerprint import tool_fingerprint
from hardtack.text import fingerprint


def maker() -> dict[str, str]:
    """Name -> version of everything that decides what is made of a file: this program, its engines, Python."""
    return {
        "hardtack": f"{__version__} ({tool_fingerprint().hex()})",
        "terms": fingerprint(),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        **engines(),
    }


def difference(found: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """The first name in which two makers differ, with both versions: ``tantivy 0.25.0, not 0.25.1``; empty if they are the same."""
    for name in sorted(found.keys() | wanted.keys(), key=lambda name: (name != "hardtack", name)):
        one, other = found.get(name, "none"), wanted.get(name, "none")
        if one != other:
            return f"{name} {one}, not {other}"
    return ""
