"""A file in, the files whose imports it has too out: C#'s ``global using``, which counts in all files of a project.

A file that declares nothing imports for others, as ``GlobalUsings.cs`` does: its own imports would serve nobody. A project is the
directory of the nearest manifest of NuGet; without one it is the whole tree.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.projects import Project


def is_sharing(names: SymbolNames, file: int) -> bool:
    """Whether a file imports for all files of its project."""
    has_rule = "shared_imports" in names.languages[file].scoping
    return has_rule and not names.files[file].symbol_count and bool(names.imports[file])


class SharedImports:
    """Finds the files of a project that import for all others."""

    def __init__(self, names: SymbolNames, projects: Sequence[Project]) -> None:
        self._names = names
        directories = {f"{each.directory}/" if each.directory else "" for each in projects if each.ecosystem == "nuget"}
        self._directories = sorted(directories, key=len, reverse=True)

    def of(self, file: int) -> Sequence[int]:
        """Ordinals of the files whose imports a file has too; it is none of them."""
        if "shared_imports" not in self._names.languages[file].scoping:
            return ()
        return [each for each in self._sharing.get(self._project(file), ()) if each != file]

    def _project(self, file: int) -> str:
        path = self._names.files[file].path
        return next((each for each in self._directories if path.startswith(each)), "")

    @cached_property
    def _sharing(self) -> Mapping[str, Sequence[int]]:
        """Directory of a project -> its files that declare nothing and import something."""
        found: dict[str, list[int]] = defaultdict(list)
        for file in range(len(self._names.files)):
            if is_sharing(self._names, file):
                found[self._project(file)].append(file)
        return found
