"""The possible paths of included files and added folders in CMake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined, without_computed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FORMS = ("", ".cmake", "/CMakeLists.txt")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: a file, a module without its extension, a folder's ``CMakeLists.txt`` (CMake, "include")."""
    del projects  # CMake has no manifest
    name = without_computed(module)
    for folder in folders_above(importer):
        for inner in ("", "cmake/", "cmake/modules/"):
            path = joined(f"{folder}{inner}", name) if name else None
            if path:
                yield from (f"{path}{form}" for form in _FORMS)
