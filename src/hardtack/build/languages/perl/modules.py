"""The possible paths of a Perl module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("lib/", "", "t/lib/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: double colons are folders (perlfunc, "require"), from each folder above the importer."""
    del projects  # no distribution's metadata are read
    is_path = "/" in module or module.endswith((".pl", ".pm", ".t"))
    name = module if is_path else f"{module.replace('::', '/')}.pm"
    for folder in folders_above(importer):
        for inner in _FOLDERS:
            path = joined(f"{folder}{inner}", name)
            if path is not None:
                yield path
