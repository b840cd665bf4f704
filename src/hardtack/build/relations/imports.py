"""Imports in, their target files and symbols out.

A language whose imports name files has a ``modules.py`` that lists the paths at which a module may be; the first that exists is the
target. In other languages an import names a package and a member of it, and the target is a declaration with that package. An
import without a target is *external*: its name must not be resolved to a symbol of the bundle that has the same name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from hardtack.build.languages.registry import languages, modules_of
from hardtack.build.relations.names import dotted
from hardtack.nouns.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardtack.build.relations.names import File, SymbolNames
    from hardtack.nouns.projects import Project
    from hardtack.nouns.relations import Import

_VERSION = re.compile(r"([^/]+?)(?:/v\d+|\.v\d+)\Z")
"""A package path that ends in a version; group 1 is the name of the package."""
_MAX_MODULES = 100
"""Modules that are searched for a name that they may re-export."""
_MAX_WILDCARDS = 500
"""Wildcard imports of one file that are followed."""
_MAX_PATHS = 100
"""Maximum number of paths that are tried for one module."""


class Target(NamedTuple):
    """The target of an import. Empty when it is outside the bundle."""

    symbols: tuple[int, ...] = ()
    files: tuple[int, ...] = ()
    """The module's files if the target is a module; else the files that hold the symbols."""
    package: str = ""
    """Dotted, if the target is a package."""
    module: str = ""
    """As it is written, to find a module below it."""
    certainty: Certainty = Certainty.EXACT

    @property
    def is_external(self) -> bool:
        """Whether it is outside the bundle."""
        return not (self.symbols or self.files or self.package)


_EXTERNAL = Target()


class ResolvedImport(NamedTuple):
    """An import and its target."""

    entry: Import
    target: Target


class _FileOfModule(NamedTuple):
    """A file, and all files of its module."""

    file: int
    module: tuple[int, ...]


class _Reach(NamedTuple):
    """The files of a module and those from which it re-exports everything, directly or not."""

    files: tuple[_FileOfModule, ...]
    """The module's own first, then nearest first."""
    reexported: frozenset[str]
    """The names that any of them re-exports one by one."""


def _origin_of(file: File) -> tuple[str, str]:
    """A key that is equal for files in which the same module name has the same target."""
    is_by_file = "file_modules" in languages()[file.language].scoping
    return file.language, file.path if is_by_file else file.path.rpartition("/")[0]


def _ending(folder: str, filename: str) -> str:
    """The last two parts of a path: the folder's name and the file's."""
    return f"{folder[folder.rfind('/') + 1 :]}/{filename}"


class Imports:
    """The imports of every file, resolved on demand and stored."""

    def __init__(self, names: SymbolNames, projects: Sequence[Project]) -> None:
        self._names = names
        self._projects = projects
        self._by_path = {file.path: ordinal for ordinal, file in enumerate(names.files)}
        self._folders: dict[str, list[int]] = defaultdict(list)
        self._by_ending: dict[str, list[int]] = defaultdict(list)
        """By the last two parts of a path: hundreds of files may have the same name, ``mod.rs`` or ``index.ts``."""
        self._packages: dict[str, set[str]] = defaultdict(set)
        self._above: dict[str, set[str]] = defaultdict(set)
        """The packages and all that enclose them, with or without files."""
        for ordinal, file in enumerate(names.files):
            folder, _, filename = file.path.rpartition("/")
            self._folders[f"{folder}/"].append(ordinal)
            self._by_ending[_ending(folder, filename)].append(ordinal)
            if file.package:
                self._packages[names.family(ordinal)].add(dotted(file.package))
        for family, packages in self._packages.items():
            for package in packages:
                ends = (at for at, sign in enumerate(package) if sign == ".")
                self._above[family].update((package, *(package[:end] for end in ends)))
        self._origins = [_origin_of(file) for file in names.files]
        self._modules: dict[tuple[tuple[str, str], str], tuple[tuple[int, ...], Certainty]] = {}
        self._reexports = cache(self._find_reexports)
        self._reach = cache(self._reached)
        self.named = cache(self._named)
        self.open = cache(self._open)
        self.exported = cache(self._exported)
        self.included = cache(self._included)
        self._default = cache(self._marked_default)
        self.files_of = cache(self._files_of)

    def clear(self) -> None:
        """Drop everything. The caches of bound methods refer back to this object, and the cycle collector is off in a build."""
        vars(self).clear()

    def _named(self, file: int) -> Mapping[str, Sequence[ResolvedImport]]:
        """Local name -> the file's imports under that name."""
        found: dict[str, list[ResolvedImport]] = {}
        for entry in self._names.imports[file]:
            if entry.alias:
                found.setdefault(self.called(file, entry), []).append(ResolvedImport(entry, self.target(file, entry)))
        return found

    def called(self, file: int, entry: Import) -> str:
        """The local name of an import: its alias, or the name that the imported package declares (Go)."""
        written = entry.module.rpartition("/")[2]
        language = languages()[self._names.files[file].language]
        if entry.name or entry.alias != written or language.bare_names != "package":
            return entry.alias
        packages = (self._names.files[each].package for each in self.target(file, entry).files)
        declared = next((package for package in packages if package and not package.endswith("_test")), "")
        if declared or not (match := _VERSION.search(entry.module)):
            return declared or entry.alias
        return match[1]

    def _open(self, file: int) -> Sequence[Target]:
        """The targets of the file's wildcard imports."""
        targets = (self.target(file, entry) for entry in self._names.imports[file] if entry.name == "*")
        return [target for target in islice(targets, _MAX_WILDCARDS) if not target.is_external]

    def _files_of(self, file: int) -> frozenset[int]:
        """The files from which the file imports something."""
        return frozenset(each for entry in self._names.imports[file] for each in self.target(file, entry).files)

    def target(self, file: int, entry: Import) -> Target:
        """The target of one import of a file."""
        if not entry.module:
            return Target(symbols=self.exported((file,), entry.name))
        if not languages()[self._names.files[file].language].has_modules:
            return self._in_packages(file, entry)
        files, certainty = self.module(file, entry.module)
        if entry.name in ("", "*"):
            return Target(files=files, module=entry.module, certainty=certainty)
        if found := self.exported(files, entry.name):
            holders = tuple(dict.fromkeys(self._names.symbols[ordinal].file for ordinal in found))
            return Target(symbols=found, files=holders, certainty=certainty)
        below = self.below(file, entry.module, entry.name)
        # The module exists but does not declare the name: it may be made at run time, so the module's files are the target.
        return below if not below.is_external else Target(files=files, module="", certainty=certainty)

    def _exported(self, files: tuple[int, ...], name: str) -> tuple[int, ...]:
        """The symbols that a module of these files exports under a name: its own, or re-exported ones, nearest first."""
        reach = self._reach(files)
        if reach is None or name == "default" or name in reach.reexported:
            return self._followed(files, name)
        for entry in reach.files:
            if self._names.at_top(entry.file, name):
                return self._declared(entry.module, name)
        return ()

    def _reached(self, files: tuple[int, ...]) -> _Reach | None:
        """The files in which to look for a name that a module of these files re-exports with everything else.

        The search is the same for all names, and a C header may include a hundred others, so it is done once. None if something is
        re-exported from a package, whose members are looked up by name.
        """
        order = [files]
        seen = {files}
        for holders in order:
            if len(order) >= _MAX_MODULES:
                break
            for each in holders:
                for entry in self._reexports(each).get("*", ()):
                    if entry.module and not languages()[self._names.files[each].language].has_modules:
                        return None
                    following = self.module(each, entry.module)[0] if entry.module else (each,)
                    if following not in seen:
                        seen.add(following)
                        order.append(following)
        reached = tuple(_FileOfModule(each, holders) for holders in order for each in holders)
        return _Reach(reached, frozenset(name for entry in reached for name in self._reexports(entry.file)))

    def _included(self, file: int) -> frozenset[int]:
        """The files that a file includes, directly or not, up to a bound."""
        reach = self._reach((file,))
        return frozenset(entry.file for entry in reach.files) - {file} if reach is not None else frozenset()

    def _followed(self, files: tuple[int, ...], name: str) -> tuple[int, ...]:
        """As :meth:`_exported`, if names are re-exported one by one, perhaps under another name."""
        waiting = {(files, name): None}
        order = [(files, name)]
        spare: tuple[int, ...] = ()
        for holders, wanted in order:
            own, taken = self._declared(holders, wanted), self._taken(holders, wanted)
            if found := tuple(each for each in own if not self._is_taken(each, taken)):
                return found
            spare = spare or own
            for each, entry in taken if len(order) < _MAX_MODULES else ():
                if entry.module and not languages()[self._names.files[each].language].has_modules:
                    if found := self._in_packages(each, entry).symbols:
                        return found
                    continue
                following = (self.module(each, entry.module)[0] if entry.module else (each,), entry.name)
                if entry.name and following not in waiting:
                    waiting[following] = None
                    order.append(following)
        return spare

    def _declared(self, files: Sequence[int], name: str) -> tuple[int, ...]:
        """The top-level symbols of that name in the files; for ``default`` those that are marked so."""
        found = tuple(ordinal for each in files for ordinal in self._names.at_top(each, name))
        return found or (tuple(ordinal for each in files for ordinal in self._default(each)) if name == "default" else ())

    def _taken(self, files: Sequence[int], name: str) -> list[tuple[int, Import]]:
        """The imports through which files may re-export a name: those of the name first, then wildcards."""
        exact = [(each, entry) for each in files for entry in self._reexports(each).get(name, ())]
        every = [(each, entry) for each in files for entry in self._reexports(each).get("*", ())] if name != "default" else []
        return exact + [(each, entry._replace(name=name, alias=name)) for each, entry in every]

    def _is_taken(self, ordinal: int, taken: Sequence[tuple[int, Import]]) -> bool:
        """Whether a symbol is only the name under which an import re-exports something."""
        symbol = self._names.symbols[ordinal]
        return any(symbol.line == entry.line and symbol.file == each for each, entry in taken if entry.alias != entry.name)

    def _find_reexports(self, file: int) -> Mapping[str, Sequence[Import]]:
        """Name -> the file's imports that other files may import from it; wildcard imports under ``*``."""
        found: dict[str, list[Import]] = {}
        for entry in self._names.imports[file]:
            if entry.name == "*" or entry.alias:
                found.setdefault("*" if entry.name == "*" else entry.alias, []).append(entry)
        return found

    def _marked_default(self, file: int) -> Sequence[int]:
        """The symbols that a file marks as its default export."""
        entry = self._names.files[file]
        return [
            ordinal
            for ordinal in range(entry.first_symbol, entry.first_symbol + entry.symbol_count)
            if (detail := self._names.symbols[ordinal].detail) is not None and "default" in detail.modifiers
        ]

    def below(self, file: int, module: str, name: str) -> Target:
        """The module of that name inside another."""
        joint = languages()[self._names.files[file].language].joints[-1]
        whole = f"{module}{name}" if module.endswith(joint) else f"{module}{joint}{name}"
        files, certainty = self.module(file, whole)
        return Target(files=files, module=whole, certainty=certainty) if files else _EXTERNAL

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

    def _in_packages(self, file: int, entry: Import) -> Target:
        """The target of an import of a package or of one of its members."""
        package = dotted(entry.module)
        is_package = package in self._packages[self._names.family(file)]
        if entry.name in ("", "*"):
            owner = tuple(self._names.full(file, package))  # a type, all of whose members are imported
            return Target(symbols=owner, package=package if is_package else "", module=entry.module)
        symbols = tuple(self._names.full(file, f"{package}.{entry.name}".strip(".")))
        if not symbols:
            below = f"{package}.{entry.name}".strip(".")
            return Target(package=below) if below in self._above[self._names.family(file)] else _EXTERNAL
        return Target(symbols=symbols, files=tuple(dict.fromkeys(self._names.symbols[ordinal].file for ordinal in symbols)))
