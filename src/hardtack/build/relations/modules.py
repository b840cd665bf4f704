"""The name of a module in, its files out, where the language has a ``modules.py`` that lists the paths at which it may be."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from hardtack.build.languages.registry import languages, modules_of
from hardtack.nouns.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.declarations import File
    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.projects import Project

_MAX_PATHS = 100
"""Maximum number of paths that are tried for one module."""


def _origin_of(file: File) -> tuple[str, str]:
    """A key that is equal for files in which the same module name has the same target."""
    is_by_file = "file_modules" in languages()[file.language].scoping
    return file.language, file.path if is_by_file else file.path.rpartition("/")[0]


def _ending(folder: str, filename: str) -> str:
    """The last two parts of a path: the folder's name and the file's."""
    return f"{folder[folder.rfind('/') + 1 :]}/{filename}"


class Modules:
    """The files of modules, found on demand and stored."""

    def __init__(self, names: SymbolNames, projects: Sequence[Project]) -> None:
        self._names = names
        self._projects = projects
        self._by_path = {file.path: ordinal for ordinal, file in enumerate(names.files)}
        self._folders: dict[str, list[int]] = defaultdict(list)
        self._by_ending: dict[str, list[int]] = defaultdict(list)
        """By the last two parts of a path: hundreds of files may have the same name, ``mod.rs`` or ``index.ts``."""
        for ordinal, file in enumerate(names.files):
            folder, _, filename = file.path.rpartition("/")
            self._folders[f"{folder}/"].append(ordinal)
            self._by_ending[_ending(folder, filename)].append(ordinal)
        self._origins = [_origin_of(file) for file in names.files]
        self._modules: dict[tuple[tuple[str, str], str], tuple[tuple[int, ...], Certainty]] = {}

    def module(self, file: int, module: str) -> tuple[tuple[int, ...], Certainty]:
        """The files of the module that a file calls by that name, and the certainty."""
        key = (self._origins[file], module)
        if (found := self._modules.get(key)) is None:
            entry = self._names.files[file]
            found = self._modules[key] = self._find(file, entry.language, entry.path, module)
        return found

    def _find(self, file: int, language: str, path: str, module: str) -> tuple[tuple[int, ...], Certainty]:
        family = self._names.family(file)
        tried: list[str] = []
        for candidate in modules_of(languages()[language])(module, path, self._projects):
            place = candidate.removeprefix("./")
            if place.endswith("/"):
                folder = tuple(each for each in self._folders.get(place, ()) if self._names.family(each) == family)
                if folder:
                    return folder, Certainty.EXACT
            elif (found := self._by_path.get(place)) is not None:
                return (found,), Certainty.EXACT
            tried.append(place)
            if len(tried) >= _MAX_PATHS:
                break
        return self._by_its_end(tried, module)

    def _by_its_end(self, tried: Sequence[str], module: str) -> tuple[tuple[int, ...], Certainty]:
        """The only file whose path ends with one of those that were tried, since the import root may be any folder."""
        if module.startswith("."):
            return (), Certainty.EXACT
        for place in tried:
            folder, _, filename = place.rpartition("/")
            if folder and filename:
                alike = self._by_ending.get(_ending(folder, filename), ())
                fits = [each for each in alike if self._names.files[each].path.endswith(f"/{place}")]
                if len(fits) == 1:
                    return (fits[0],), Certainty.LIKELY
        return (), Certainty.EXACT
