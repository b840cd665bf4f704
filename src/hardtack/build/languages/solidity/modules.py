"""The possible paths of a Solidity source unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("", "contracts/", "src/", "lib/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first (Solidity documentation, "Import Path Resolution").

    A path that begins with a package's name is searched as it is written, then without the name and its scope, as remappings do.
    """
    del projects  # remappings are the compiler's settings
    if module.startswith("."):
        path = joined(importer.rpartition("/")[0], module)
        if path is not None:
            yield path
        return
    parts = module.split("/")
    rests = ["/".join(parts[count:]) for count in range(min(3, len(parts)))]
    for folder in folders_above(importer):
        yield from (f"{folder}{inner}{rest}" for rest in rests for inner in _FOLDERS)
