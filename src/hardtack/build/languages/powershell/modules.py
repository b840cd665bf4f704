"""The possible paths of a script or module of PowerShell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined, without_computed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_EXTENSIONS = ("", ".psm1", ".ps1", ".psd1")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: from the importing script's folder and the ones above it; a module may be a folder of its name."""
    del projects  # PowerShell's manifests are scripts
    name = without_computed(module.replace("\\", "/"))
    for folder in folders_above(importer):
        path = joined(folder, name) if name else None
        if path:
            yield from (f"{path}{extension}" for extension in _EXTENSIONS)
            yield f"{path}/{path.rpartition('/')[2]}.psm1"
