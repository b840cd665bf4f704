"""The possible paths of a file that Zig imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: a file from the importer's folder; a module by its name, in the usual layout of ``build.zig``."""
    del projects  # build.zig is a program: none is read
    if module.endswith(".zig"):
        path = joined(importer.rpartition("/")[0], module)
        if path is not None:
            yield path
        return
    for folder in folders_above(importer):
        yield from (
            f"{folder}src/{module}.zig",
            f"{folder}{module}.zig",
            f"{folder}{module}/src/root.zig",
            f"{folder}{module}/{module}.zig",
        )
