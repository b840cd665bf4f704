"""The possible paths of an OCaml module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("", "src/", "lib/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: a file is a module (OCaml manual, "Separate compilation").

    The part before a dot is the module's library, or a file that holds the module.
    """
    del projects  # no dune file is read
    parts = [part[:1].lower() + part[1:] for part in module.split(".")]
    names = ["/".join(parts), f"{parts[0]}/src/{parts[-1]}", parts[-1], f"{parts[-1]}/{parts[-1]}", *reversed(parts[:-1])]
    for folder in folders_above(importer):
        for inner in _FOLDERS:
            yield from (f"{folder}{inner}{name}{suffix}" for name in dict.fromkeys(names) for suffix in (".ml", ".mli"))
