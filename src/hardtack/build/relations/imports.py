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
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hardtack.build.languages.registry import languages
from hardtack.build.relations.modules import Modules
from hardtack.build.relations.names import dotted
from hardtack.build.relations.words import OWN_MODULES
from hardtack.nouns.model import NAMESPACES
from hardtack.nouns.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.projects import Project
    from hardtack.nouns.relations import Import

_VERSION = re.compile(r"([^/]+?)(?:/v\d+|\.v\d+)\Z")
"""A package path that ends in a version; group 1 is the name of the package."""
_MAX_MODULES = 100
"""Modules that are searched for a name that they may re-export."""
_MAX_WILDCARDS = 500
"""Wildcard imports of one file that are followed."""


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
    origin: int = -1
    """The file in which the module is written so."""

    @property
    def is_external(self) -> bool:
        """Whether it is outside the bundle."""
        return not (self.symbols or self.files or self.package)


_EXTERNAL = Target()
_DEFAULT = "default"
PATH = "::"
"""Joins a module and one inside it where modules may be written inside a file and passed on by other names."""
Seen: TypeAlias = "set[tuple[object, str]]"


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


class Imports:
    """The imports of every file, resolved on demand and stored."""

    def __init__(self, names: SymbolNames, projects: Sequence[Project]) -> None:
        self._names = names
        self.module = Modules(names, projects).module
        self._packages: dict[str, set[str]] = defaultdict(set)
        self._above: dict[str, set[str]] = defaultdict(set)
        """The packages and all that enclose them, with or without files."""
        for ordinal, file in enumerate(names.files):
            if file.package:
                self._packages[names.family(ordinal)].add(dotted(file.package))
        for family, packages in self._packages.items():
            for package in packages:
                ends = (at for at, sign in enumerate(package) if sign == ".")
                self._above[family].update((package, *(package[:end] for end in ends)))
        self._reexports = cache(self._find_reexports)
        self._reach = cache(self._reached)
        self._whole = cache(self._imported_whole)
        self.is_passed = cache(self._find_passed)
        self.named = cache(self._named)
        self.wildcards = cache(self._wildcards)
        self.open = cache(self._open)
        self.exported = cache(self._exported)
        self.included = cache(self._included)
        self._default = cache(self._marked_default)
        self.inside = cache(self._inside)
        self.behind = cache(self._behind)
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

    def is_unread(self, file: int, name: str) -> bool:
        """Whether a file imports a name from a module of the project that is not in the bundle: one that a build makes."""
        return any(each.target.is_external and each.entry.module.startswith(OWN_MODULES) for each in self.named(file).get(name, ()))

    def value(self, target: Target) -> tuple[int, ...]:
        """What a target is as a value: its symbols, or the default export of a module."""
        is_module = target.files and not target.symbols and target.module and self.has_default(target.files[0])
        return self.exported(target.files, _DEFAULT) if is_module else target.symbols

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
        return [each.target for each in self.wildcards(file)]

    def _wildcards(self, file: int) -> Sequence[ResolvedImport]:
        entries = (entry for entry in self._names.imports[file] if entry.name == "*")
        found = (ResolvedImport(entry, self.target(file, entry)) for entry in islice(entries, _MAX_WILDCARDS))
        return [each for each in found if not each.target.is_external]

    def unnamed(self, file: int, name: str) -> Target | None:
        """The module that a file may call by a name that it neither declares nor imports by itself; None if there is none."""
        opened = (self.inside(target, name) for target in self.open(file))
        if (module := next((target for target in opened if target.module), None)) is not None:
            return module
        found = self._module_called(file, name, set()) if self.has_paths(file) else _EXTERNAL
        return None if found.is_external else found

    def has_paths(self, file: int) -> bool:
        """Whether the file's language names a module, and what is inside it, by a path: ``crate::a::b``."""
        language = languages()[self._names.files[file].language]
        return language.has_modules and PATH in language.joints

    def _files_of(self, file: int) -> frozenset[int]:
        """The files from which the file imports something."""
        return frozenset(each for entry in self._names.imports[file] for each in self.target(file, entry).files)

    def _find_passed(self, file: int, symbol: int) -> bool:
        """Whether a module that the file imports as a whole passes a symbol on: ``import click`` has ``click.Context``."""
        name = self._names.symbols[symbol].name
        return any(symbol in self.exported(files, name) for files in self._whole(file))

    def _imported_whole(self, file: int) -> Sequence[tuple[int, ...]]:
        """The files of each module that a file imports as a whole."""
        targets = (self.target(file, entry) for entry in self._names.imports[file] if entry.name in ("", "*"))
        return tuple(dict.fromkeys(target.files for target in targets if target.files))

    def target(self, file: int, entry: Import) -> Target:
        """The target of one import of a file."""
        found = self._led(file, entry, set())
        if not found.is_external or not entry.module or not languages()[self._names.files[file].language].has_modules:
            return found
        # The module exists but does not declare the name: it may be made at run time, so the module's files are the target.
        files, certainty = self.module(file, entry.module)
        return Target(files=files, certainty=certainty)

    # -- names that modules pass on ------------------------------------------------------------------------------------------

    def _led(self, file: int, entry: Import, seen: Seen) -> Target:
        """Where an import leads: to symbols, or to a module that another may have passed on; external if nowhere.

        Args:
            file: the file that states it.
            entry: the import.
            seen: what was asked on the way, of which modules; passing on goes in circles.
        """
        if not languages()[self._names.files[file].language].has_modules:
            return self._in_packages(file, entry)
        if not entry.module:
            found = self.exported((file,), entry.name)
            return Target(symbols=found) if found else self._passed_on((file,), entry.name, seen)
        owner = self._module_called(file, entry.module, seen)
        return owner if entry.name in ("", "*") else self._inside(owner, entry.name, seen)

    def _module_called(self, file: int, module: str, seen: Seen) -> Target:
        """The module that a file calls so: a file, or one written inside another, or one that another passes on."""
        files, certainty = self.module(file, module)
        if files or PATH not in languages()[self._names.files[file].language].joints:
            return Target(files=files, module=module, certainty=certainty, origin=file)
        outer, _, last = module.rpartition(PATH)
        if not self._names.is_known(file, last):
            return _EXTERNAL
        owner = self._module_called(file, outer, seen) if outer else Target(files=(file,), module="self", origin=file)
        return owner if owner.is_external else self._inside(owner, last, seen)

    def _inside(self, owner: Target, name: str, seen: Seen | None = None) -> Target:
        """What a module, or a symbol that others are inside, has under a name: its own or passed on; external for nothing."""
        seen = set() if seen is None else seen
        if owner.symbols:
            return self._inside_symbol(owner.symbols[0], name, seen)
        if found := self.exported(owner.files, name):
            holders = tuple(dict.fromkeys(self._names.symbols[ordinal].file for ordinal in found))
            return Target(symbols=found, files=holders, certainty=owner.certainty)
        passed = self._passed_on(owner.files, name, seen)
        if not passed.is_external:
            return passed if owner.certainty is Certainty.EXACT else passed._replace(certainty=owner.certainty)
        return self.below(owner.origin, owner.module, name) if owner.origin >= 0 else _EXTERNAL

    def _inside_symbol(self, ordinal: int, name: str, seen: Seen) -> Target:
        if (key := (ordinal, name)) in seen:
            return _EXTERNAL
        seen.add(key)
        if (behind := self._behind(ordinal, seen)) is not None:
            return self._inside(behind, name, seen)
        if found := self._names.within(ordinal).get(name, ()):
            return Target(symbols=tuple(found))
        symbol = self._names.symbols[ordinal]
        if symbol.kind not in NAMESPACES:
            return _EXTERNAL
        taken = self._taken((symbol.file,), name)
        return self._first([each for each in taken if symbol.line <= each[1].line <= symbol.end_line], seen)

    def _passed_on(self, files: tuple[int, ...], name: str, seen: Seen) -> Target:
        """Where a name leads that the files of a module import and may pass on."""
        reach = self._reach(files)
        # Headers that include each other pass on what they declare alone; asking each of them for each name took seconds.
        if (files, name) in seen or len(seen) >= _MAX_MODULES or (reach is not None and name not in reach.reexported):
            return _EXTERNAL
        seen.add((files, name))
        return self._first(self._taken(files, name), seen)

    def _first(self, taken: Sequence[tuple[int, Import]], seen: Seen) -> Target:
        targets = (self._led(file, entry, seen) for file, entry in taken)
        return next((target for target in targets if not target.is_external), _EXTERNAL)

    def _behind(self, ordinal: int, seen: Seen | None = None) -> Target | None:
        """What an import leads to whose local name is a symbol: ``export * as a``, ``mod a;``, ``const a = require("a")``."""
        symbol = self._names.symbols[ordinal]
        entries = self._reexports(symbol.file).get(symbol.name, ())
        entry = next((each for each in entries if each.line == symbol.line and each.alias != "*"), None)
        if entry is None or ordinal not in self._own(symbol.file, symbol.name):
            return None
        seen = set() if seen is None else seen
        found = self._led(symbol.file, entry, seen) if entry.module else self._passed_on((symbol.file,), entry.name, seen)
        return None if found.is_external or ordinal in found.symbols else found

    def below(self, file: int, module: str, name: str) -> Target:
        """The module of that name inside another."""
        joint = languages()[self._names.files[file].language].joints[-1]
        whole = f"{module}{name}" if module.endswith(joint) else f"{module}{joint}{name}"
        files, certainty = self.module(file, whole)
        return Target(files=files, module=whole, certainty=certainty, origin=file) if files else _EXTERNAL

    def _exported(self, files: tuple[int, ...], name: str) -> tuple[int, ...]:
        """The symbols that a module of these files exports under a name: its own, or re-exported ones, nearest first."""
        reach = self._reach(files)
        if reach is None or name == _DEFAULT or name in reach.reexported:
            return self._followed(files, name)
        for entry in reach.files:
            if self._own(entry.file, name):
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
        found = tuple(ordinal for each in files for ordinal in self._own(each, name))
        return found or (tuple(ordinal for each in files for ordinal in self._default(each)) if name == _DEFAULT else ())

    def _own(self, file: int, name: str) -> Sequence[int]:
        """The symbols that a file gives others under a name: those at its top, or what it sets as its exports (CommonJS)."""
        if not self.has_default(file):
            return self._names.at_top(file, name)
        owner, member = ("module", "exports") if name == _DEFAULT else ("module.exports", name)
        assigned = self._names.owned(file, owner).get(member, ()) or self._names.owned(file, "exports").get(name, ())
        return assigned or self._names.at_top(file, name)

    def has_default(self, file: int) -> bool:
        """Whether a module may be a value itself in the file's language, its default export."""
        return "default_exports" in languages()[self._names.files[file].language].scoping

    def _taken(self, files: Sequence[int], name: str) -> list[tuple[int, Import]]:
        """The imports through which files may re-export a name: those of the name first, then wildcards."""
        exact = [(each, entry) for each in files for entry in self._reexports(each).get(name, ())]
        every = [(each, entry) for each in files for entry in self._reexports(each).get("*", ())] if name != _DEFAULT else []
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
