"""The possible paths of a sourced file of R."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: from the root, where R is mostly started, then from the sourcing file's folder upwards.

    A package has a name and no path; its own files see each other without being imported.
    """
    del projects  # no DESCRIPTION is read
    if module.lower().endswith(".r"):
        for folder in ["", *folders_above(importer)[:-1]]:
            path = joined(folder, module)
            if path is not None:
                yield path
