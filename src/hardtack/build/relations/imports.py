"""What files import in, the files and symbols of the bundle that it means out.

A language whose imports name files has a ``modules.py`` that says at which paths a module may lie; what is there decides. In the
others an import names a package and what is taken from it, and the declarations' own packages decide. What leads nowhere is
*external*: knowing that a name comes from outside keeps it from being taken for a namesake inside.
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
"""The name of a package whose path ends in its version."""
_MOST_MODULES = 100
"""How many modules that may hand a name on are asked for it."""
_MOST_OPEN = 500
"""Modules that one file takes everything from."""
_MOST_PATHS = 100
"""Paths that are tried for one module."""


class Target(NamedTuple):
    """What an import means. Empty when that lies outside the bundle."""

    symbols: tuple[int, ...] = ()
    files: tuple[int, ...] = ()
    """The module's files, when it is a module; else those that hold the symbols."""
    package: str = ""
    """Dotted, when it is a package."""
    module: str = ""
    """As it is written, so that a module below it can be asked for."""
    certainty: Certainty = Certainty.EXACT

    @property
    def is_external(self) -> bool:
        """Whether it lies outside the bundle."""
        return not (self.symbols or self.files or self.package)


_EXTERNAL = Target()


class _Reach(NamedTuple):
    """The files that a module takes everything from, and these from others."""

    places: tuple[tuple[int, tuple[int, ...]], ...]
    """Each with the module that it is of; nearest first, the module's own before them."""
    handed_on: frozenset[str]
    """SymbolNames that any of them hands on by itself."""


def _origin_of(file: File) -> tuple[str, str]:
    """What all files have in common that mean the same module by a name."""
    is_by_file = "file_modules" in languages()[file.language].scoping
    return file.language, file.path if is_by_file else file.path.rpartition("/")[0]


def _ending(folder: str, filename: str) -> str:
    """A file's name and that of the folder that holds it."""
    return f"{folder[folder.rfind('/') + 1 :]}/{filename}"


class Imports:
    """The imports of every file, resolved when they are asked for."""

    def __init__(self, names: SymbolNames, projects: Sequence[Project]) -> None:
        self._names = names
        self._projects = projects
        self._by_path = {file.path: ordinal for ordinal, file in enumerate(names.files)}
        self._folders: dict[str, list[int]] = defaultdict(list)
        self._by_ending: dict[str, list[int]] = defaultdict(list)
        """Of the last two parts of a path: a file's name alone is ``mod.rs`` or ``index.ts`` for hundreds."""
        self._packages: dict[str, set[str]] = defaultdict(set)
        self._above: dict[str, set[str]] = defaultdict(set)
        """The packages and those around them, be there files of those or not."""
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
        self._handed_on = cache(self._hands_on)
        self._reach = cache(self._reached)
        self.named = cache(self._named)
        self.open = cache(self._open)
        self.exported = cache(self._exported)
        self._default = cache(self._marked_default)
        self.files_of = cache(self._files_of)

    def clear(self) -> None:
        """Let go of everything, which what is remembered refers back to."""
        vars(self).clear()

    def _named(self, file: int) -> Mapping[str, Sequence[tuple[Import, Target]]]:
        """What the file imports, by what it calls it there."""
        found: dict[str, list[tuple[Import, Target]]] = {}
        for entry in self._names.imports[file]:
            if entry.alias:
                found.setdefault(self.called(file, entry), []).append((entry, self.target(file, entry)))
        return found

    def called(self, file: int, entry: Import) -> str:
        """What a file calls an import: a package that states no alias by the name that it declares (Go)."""
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
        """The modules and packages all of whose names the file sees."""
        targets = (self.target(file, entry) for entry in self._names.imports[file] if entry.name == "*")
        return [target for target in islice(targets, _MOST_OPEN) if not target.is_external]

    def _files_of(self, file: int) -> frozenset[int]:
        """The files that the file imports something from."""
        return frozenset(each for entry in self._names.imports[file] for each in self.target(file, entry).files)

    def target(self, file: int, entry: Import) -> Target:
        """What one import of a file means."""
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
        # A module that is there and whose name is not found may make it in a way no grammar sees: then its files are all we know.
        return below if not below.is_external else Target(files=files, module="", certainty=certainty)

    def _exported(self, files: tuple[int, ...], name: str) -> tuple[int, ...]:
        """The symbols that a module of these files offers under a name: its own, or what it hands on from others, nearest first."""
        reach = self._reach(files)
        if reach is None or name == "default" or name in reach.handed_on:
            return self._followed(files, name)
        for each, holders in reach.places:
            if self._names.at_top(each, name):
                return self._declared(holders, name)
        return ()

    def _reached(self, files: tuple[int, ...]) -> _Reach | None:
        """Where a name is looked for that a module of these files offers, and nothing on the way hands on by itself.

        A header takes in a hundred others, and each of its names is asked for; the way through them is the same for all. None where
        something is taken from a package: what that holds is asked for by name.
        """
        order = [files]
        seen = {files}
        for holders in order:
            if len(order) >= _MOST_MODULES:
                break
            for each in holders:
                for entry in self._handed_on(each).get("*", ()):
                    if entry.module and not languages()[self._names.files[each].language].has_modules:
                        return None
                    following = self.module(each, entry.module)[0] if entry.module else (each,)
                    if following not in seen:
                        seen.add(following)
                        order.append(following)
        places = tuple((each, holders) for holders in order for each in holders)
        return _Reach(places, frozenset(name for each, _ in places for name in self._handed_on(each)))

    def _followed(self, files: tuple[int, ...], name: str) -> tuple[int, ...]:
        """The same where names are handed on one by one, perhaps under another name."""
        waiting = {(files, name): None}
        order = [(files, name)]
        spare: tuple[int, ...] = ()
        for holders, wanted in order:
            own, taken = self._declared(holders, wanted), self._taken(holders, wanted)
            if found := tuple(each for each in own if not self._is_taken(each, taken)):
                return found
            spare = spare or own
            for each, entry in taken if len(order) < _MOST_MODULES else ():
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
        """The symbols of that name at the top of files; for ``default`` what they mark as such."""
        found = tuple(ordinal for each in files for ordinal in self._names.at_top(each, name))
        return found or (tuple(ordinal for each in files for ordinal in self._default(each)) if name == "default" else ())

    def _taken(self, files: Sequence[int], name: str) -> list[tuple[int, Import]]:
        """The imports through which files may hand a name on: those of the name first, then those of everything."""
        exact = [(each, entry) for each in files for entry in self._handed_on(each).get(name, ())]
        every = [(each, entry) for each in files for entry in self._handed_on(each).get("*", ())] if name != "default" else []
        return exact + [(each, entry._replace(name=name, alias=name)) for each, entry in every]

    def _is_taken(self, ordinal: int, taken: Sequence[tuple[int, Import]]) -> bool:
        """Whether a symbol is but the name by which an import hands something on."""
        symbol = self._names.symbols[ordinal]
        return any(symbol.line == entry.line and symbol.file == each for each, entry in taken if entry.alias != entry.name)

    def _hands_on(self, file: int) -> Mapping[str, Sequence[Import]]:
        """What a file imports and others may import from it, by name; ``*`` for modules all of whose names it takes."""
        found: dict[str, list[Import]] = {}
        for entry in self._names.imports[file]:
            if entry.name == "*" or entry.alias:
                found.setdefault("*" if entry.name == "*" else entry.alias, []).append(entry)
        return found

    def _marked_default(self, file: int) -> Sequence[int]:
        """What a file exports as its default: the symbol that says so."""
        entry = self._names.files[file]
        return [
            ordinal
            for ordinal in range(entry.first_symbol, entry.first_symbol + entry.symbol_count)
            if (detail := self._names.symbols[ordinal].detail) is not None and "default" in detail.modifiers
        ]

    def below(self, file: int, module: str, name: str) -> Target:
        """The module of that name below another."""
        joint = languages()[self._names.files[file].language].joints[-1]
        whole = f"{module}{name}" if module.endswith(joint) else f"{module}{joint}{name}"
        files, certainty = self.module(file, whole)
        return Target(files=files, module=whole, certainty=certainty) if files else _EXTERNAL

    def module(self, file: int, module: str) -> tuple[tuple[int, ...], Certainty]:
        """The files of a module, as one of the bundle's files names it, and how sure that is."""
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
            if len(tried) >= _MOST_PATHS:
                break
        return self._by_its_end(tried, module)

    def _by_its_end(self, tried: Sequence[str], module: str) -> tuple[tuple[int, ...], Certainty]:
        """The one file whose path ends like one of those tried: the root that it is imported from is not known here."""
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
        """The declarations of the package that an import names."""
        package = dotted(entry.module)
        is_package = package in self._packages[self._names.family(file)]
        if entry.name in ("", "*"):
            owner = tuple(self._names.full(file, package))  # all the members of a type
            return Target(symbols=owner, package=package if is_package else "", module=entry.module)
        symbols = tuple(self._names.full(file, f"{package}.{entry.name}".strip(".")))
        if not symbols:
            below = f"{package}.{entry.name}".strip(".")
            return Target(package=below) if below in self._above[self._names.family(file)] else _EXTERNAL
        return Target(symbols=symbols, files=tuple(dict.fromkeys(self._names.symbols[ordinal].file for ordinal in symbols)))
