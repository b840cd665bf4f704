"""The possible paths of a module of Terraform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """The module's folder, for a local path; others come from a registry (Terraform, "Module Sources")."""
    del projects  # Terraform has no manifest of its own
    if module.startswith(("./", "../")):
        path = joined(importer.rpartition("/")[0], module)
        if path is not None:
            yield f"{path}/"
