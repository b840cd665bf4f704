"""The possible paths of a Swift module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("Sources/", "Source/", "src/", "Tests/", "")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """The folder of the module's target (PackageDescription, "Target.path"), searched from each folder above the importer."""
    del projects  # Package.swift is a program: none is read
    name = module.partition(".")[0]
    yield from (f"{folder}{inner}{name}/" for folder in folders_above(importer) for inner in _FOLDERS)
