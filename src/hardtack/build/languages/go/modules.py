"""The possible paths of a Go package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """The folder of the package, by the longest module path that it begins with (Go Modules Reference, "Module paths")."""
    prefixes = [pair for project in projects if project.ecosystem == "go" for pair in project.prefixes]
    for prefix, folder in sorted(prefixes, key=lambda pair: -len(pair[0])):
        if module == prefix:
            yield folder or "/"
        elif module.startswith(f"{prefix}/"):
            yield f"{folder}{module.removeprefix(prefix)[1:]}/"
    del importer  # Go has no relative imports in modules
