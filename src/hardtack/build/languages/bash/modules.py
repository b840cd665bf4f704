"""The possible paths of a sourced script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined, without_computed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: from the script's own folder, which most scripts use, and the ones above it.

    Bats' ``load`` leaves the extension out.
    """
    del projects  # shell scripts have no packages
    name = without_computed(module)
    for folder in folders_above(importer):
        for inner in ("", "lib/"):
            path = joined(f"{folder}{inner}", name) if name else None
            if path:
                yield from (path, f"{path}.bash", f"{path}.sh")
