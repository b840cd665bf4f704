"""The possible paths of a file that Objective-C imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.c.modules import paths_of as included_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: those of C; ``<Yard/Crate.h>`` of a framework is a ``Crate.h`` of the repository."""
    yield from included_of(module, importer, projects)
    if "/" in module:
        yield from included_of(module.partition("/")[2], importer, projects)
