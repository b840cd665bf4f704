"""The possible paths of an included file: C, C++ and Objective-C."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("", "include/", "src/", "inc/", "lib/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: from the includer's own folder (C17 6.10.2), then from those above it and their header folders."""
    del projects  # none tells where C looks
    if "." not in module.rpartition("/")[2]:
        return  # a header of the C++ library, or a module
    for folder in folders_above(importer):
        for inner in _FOLDERS:
            path = joined(f"{folder}{inner}", module)
            if path is not None:
                yield path
