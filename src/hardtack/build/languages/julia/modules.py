"""The possible paths of an included file or a module of Julia."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first. ``include`` starts at the including file's folder; a package's module is in the file of its name."""
    del projects  # no Project.toml is read
    if module.endswith(".jl"):
        path = joined(importer.rpartition("/")[0], module)
        if path is not None:
            yield path
        return
    name = module.lstrip(".").partition(".")[0]
    for folder in folders_above(importer):
        yield from (
            f"{folder}{inner}.jl"
            for inner in (name, f"src/{name}", f"{name}/{name}", f"{name}/src/{name}", f"{name}.jl/src/{name}")
        )
