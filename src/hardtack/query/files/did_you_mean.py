"""A path that a bundle does not have in, the most similar paths that it has out, for an error to suggest."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

_MAX_SUGGESTIONS: Final = 5
_MAX_COMPARED: Final = 300
"""Names that are compared letter by letter."""
_LEAST_SIMILARITY: Final = 0.7
"""By :mod:`difflib`'s ratio: ``error.py`` has 0.94 with ``errors.py`` and 0.62 with ``prose.py``."""
_MAX_PATH: Final = 4096
"""Characters of the longest path that gets suggestions."""


def nearest_paths(path: str, paths: Sequence[str]) -> list[str]:
    """Five of ``paths`` at most, best first: those with the same file name, else those with a similar name in the same directory.

    Args:
        path: canonical.
        paths: ascending.
    """
    if len(path) > _MAX_PATH:
        return []
    name = path.rpartition("/")[2].lower()
    same = [other for other in paths if other.lower().endswith(name) and other.rpartition("/")[2].lower() == name]
    if same:
        return sorted(same, key=lambda other: (-_common_end(path, other), other))[:_MAX_SUGGESTIONS]
    by_name: dict[str, str] = {}
    for other in _nearby(path, paths):
        by_name.setdefault(other.rpartition("/")[2].lower(), other)
    compared = [*by_name][:_MAX_COMPARED]
    return [by_name[near] for near in difflib.get_close_matches(name, compared, n=_MAX_SUGGESTIONS, cutoff=_LEAST_SIMILARITY)]


def _common_end(path: str, other: str) -> int:
    """Number of components, from the last, that two paths have in common, in any case."""
    count = 0
    for one, two in zip(reversed(path.lower().split("/")), reversed(other.lower().split("/")), strict=False):
        if one != two:
            break
        count += 1
    return count


def _nearby(path: str, paths: Sequence[str]) -> list[str]:
    """The paths below the deepest directory of ``path`` that exists, those with the fewest components first."""
    folder, below = path.rpartition("/")[0], paths
    while folder:
        at, end = bisect_left(paths, f"{folder}/"), bisect_left(paths, f"{folder}0")  # "0" is the character after "/"
        if at < end:
            below = paths[at:end]
            break
        folder = folder.rpartition("/")[0]
    return sorted(below, key=lambda other: other.count("/"))
