"""The file that a path in Nix names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """The file, or the ``default.nix`` of a folder (Nix manual, "import")."""
    del projects  # Nix has no manifest
    path = joined(importer.rpartition("/")[0], module)
    if path is not None:
        yield path
        yield f"{path}/default.nix".lstrip("/")
