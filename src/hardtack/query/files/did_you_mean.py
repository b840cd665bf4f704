"""A path that is not there in, the nearest ones that are out: for an error to suggest."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

_SUGGESTED: Final = 5
_MOST_COMPARED: Final = 300
"""Names that are compared letter by letter."""
_LEAST_LIKE: Final = 0.7
"""Of :mod:`difflib`'s measure: ``error.py`` is 0.94 like ``errors.py`` and 0.62 like ``prose.py``."""
_LONGEST: Final = 4096
"""Characters of a path that could be misspelt for one that is there."""


def nearest_paths(path: str, paths: Sequence[str]) -> list[str]:
    """At most five of ``paths``, the nearest first: those of the same name, else those of a like name near where it would lie.

    Args:
        path: canonical.
        paths: ascending.
    """
    if len(path) > _LONGEST:
        return []
    name = path.rpartition("/")[2].lower()
    same = [other for other in paths if other.lower().endswith(name) and other.rpartition("/")[2].lower() == name]
    if same:
        return sorted(same, key=lambda other: (-_shared_end(path, other), other))[:_SUGGESTED]
    by_name: dict[str, str] = {}
    for other in _around(path, paths):
        by_name.setdefault(other.rpartition("/")[2].lower(), other)
    compared = [*by_name][:_MOST_COMPARED]
    return [by_name[near] for near in difflib.get_close_matches(name, compared, n=_SUGGESTED, cutoff=_LEAST_LIKE)]


def _shared_end(path: str, other: str) -> int:
    """How many components, from the last, two paths have in common, in any case."""
    count = 0
    for one, two in zip(reversed(path.lower().split("/")), reversed(other.lower().split("/")), strict=False):
        if one != two:
            break
        count += 1
    return count


def _around(path: str, paths: Sequence[str]) -> list[str]:
    """Those of ``paths`` below the deepest directory on the way to ``path`` that any of them is in, the least deep first."""
    folder, below = path.rpartition("/")[0], paths
    while folder:
        at, end = bisect_left(paths, f"{folder}/"), bisect_left(paths, f"{folder}0")
        if at < end:
            below = paths[at:end]
            break
        folder = folder.rpartition("/")[0]
    return sorted(below, key=lambda other: other.count("/"))
