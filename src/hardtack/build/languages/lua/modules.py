"""The possible paths of a Lua module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("", "src/", "lua/", "lib/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: dots are folders (Lua manual, ``package.path``), from the outermost folder above the importer on."""
    del projects  # no rockspec is read
    if module.endswith(".lua"):
        yield from (f"{folder}{module.removeprefix('./')}" for folder in folders_above(importer))
        return
    name = module.replace(".", "/")
    for folder in reversed(folders_above(importer)):
        for inner in _FOLDERS:
            yield from (f"{folder}{inner}{name}.lua", f"{folder}{inner}{name}/init.lua")
