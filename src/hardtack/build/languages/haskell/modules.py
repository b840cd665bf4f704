"""The possible paths of a Haskell module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("", "src/", "lib/", "app/", "test/", "tests/", "library/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: dots are folders (GHC User's Guide, "The search path"), from each folder above the importer."""
    del projects  # no cabal file is read
    name = module.replace(".", "/")
    for folder in folders_above(importer):
        yield from (f"{folder}{inner}{name}.hs" for inner in _FOLDERS)
