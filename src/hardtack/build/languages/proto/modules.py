"""The possible paths of an imported file of Protocol Buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("", "proto/", "protos/", "src/", "src/main/proto/", "api/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: an import starts at one of the compiler's folders, mostly one above the importer's."""
    del projects  # where the compiler starts is an option of its command line
    yield from (f"{folder}{inner}{module}" for folder in folders_above(importer) for inner in _FOLDERS)
