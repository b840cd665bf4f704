"""Imports in, their target files and symbols out.

A language whose imports name files has a ``modules.py`` that lists the paths at which a module may be; the first that exists is the
target. In other languages an import names a package and a member of it, and the target is a declaration with that package. An
import without a target is *external*: its name must not be resolved to a symbol of the bundle that has the same name.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from hardtack.build.relations.exports import DEFAULT, MAX_MODULES, Exports
from hardtack.build.relations.modules import Modules
from hardtack.build.relations.packages import Packages
from hardtack.build.relations.shared_imports import SharedImports
from hardtack.build.relations.targets import EXTERNAL, Target
from hardtack.build.relations.words import OUTER_MODULE, OWN_MODULES, PATH
from hardtack.nouns.model import NAMESPACES
from hardtack.nouns.relations import OWN_MODULE, Certainty

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.projects import Project
    from hardtack.nouns.relations import Import

_VERSION: Final = re.compile(r"([^/]+?)(?:/v\d+|\.v\d+)\Z")
"""A package path that ends in a version; group 1 is the name of the package."""
_MAX_WILDCARDS: Final = 500
"""Wildcard imports of one file that are followed."""

Seen: TypeAlias = "set[tuple[object, str]]"


class ResolvedImport(NamedTuple):
    """An import and its target."""

    entry: Import
    target: Target


class Imports:
    """The imports of every file, resolved on demand and stored."""

    def __init__(self, names: SymbolNames, projects: Sequence[Project]) -> None:
        self._names = names
        modules = Modules(names, projects)
        self.module = modules.module
        self.target = cache(self._target)
        self._packages = Packages(names)
        self._shared = SharedImports(names, projects)
        self._exports = Exports(names, modules, self._packages)
        self.exported, self.included, self.has_default = self._exports.exported, self._exports.included, self._exports.has_default
        self._whole = cache(self._imported_whole)
        self.is_passed = cache(self._find_passed)
        self.named = cache(self._named)
        self.scopes, self.has_paths = self._exports.scopes, self._exports.has_paths
        self.wildcards = cache(self._wildcards)
        self.inside = cache(self._inside)
        self.behind = cache(self._behind)
        self.files_of = cache(self._files_of)

    def clear(self) -> None:
        """Drop everything. The caches of bound methods refer back to this object, and the cycle collector is off in a build."""
        self._exports.clear()
        vars(self).clear()

    def _named(self, file: int) -> Mapping[str, Sequence[ResolvedImport]]:
        """Local name -> the file's imports under that name."""
        found: dict[str, list[ResolvedImport]] = {}
        for entry in self._names.imports[file]:
            if entry.alias:
                found.setdefault(self.called(file, entry), []).append(ResolvedImport(entry, self.target(file, entry)))
        for other in self._shared.of(file):
            for name, imports in self.named(other).items():
                found.setdefault(name, []).extend(imports)
        return found

    def seen(self, file: int, scope: int, name: str) -> Sequence[ResolvedImport]:
        """The imports under a name that a position sees: those in the innermost function or namespace around it that has any.

        Args:
            file: the file.
            scope: the innermost symbol around the position, or -1.
            name: the local name.
        """
        found = self.named(file).get(name, ())
        inside = self.scopes(file) if found else {}
        if not inside:
            return found
        scopes = [inside.get(each.entry.start, -1) for each in found]
        while scope >= 0 and scope not in scopes:
            scope = self._names.symbols[scope].parent
        return [each for each, around in zip(found, scopes, strict=True) if around == scope]

    def is_unread(self, file: int, name: str) -> bool:
        """Whether a file imports a name from a module of the project that is not in the bundle: one that a build makes."""
        return any(each.target.is_external and each.entry.module.startswith(OWN_MODULES) for each in self.named(file).get(name, ()))

    def value(self, target: Target) -> tuple[int, ...]:
        """What a target is as a value: its symbols, or the default export of a module."""
        is_module = target.files and not target.symbols and target.module and self.has_default(target.files[0])
        return self.exported(target.files, DEFAULT) if is_module else target.symbols

    def called(self, file: int, entry: Import) -> str:
        """The local name of an import: its alias, or the name that the imported package declares (Go)."""
        written = entry.module.rpartition("/")[2]
        language = self._names.languages[file]
        if entry.name or entry.alias != written or language.bare_names != "package":
            return entry.alias
        packages = (self._names.files[each].package for each in self.target(file, entry).files)
        declared = next((package for package in packages if package and not package.endswith("_test")), "")
        if declared or not (match := _VERSION.search(entry.module)):
            return declared or entry.alias
        return match[1]

    def opened(self, file: int, scope: int) -> Iterator[int]:
        """Of :meth:`wildcards` the keys whose imports a position sees: innermost first, the file's top last.

        Args:
            file: the file.
            scope: the innermost symbol around the position, or -1.
        """
        wildcards = self.wildcards(file)
        while len(wildcards) > (-1 in wildcards) and scope >= 0:
            if scope in wildcards:
                yield scope
            scope = self._names.symbols[scope].parent
        if -1 in wildcards:
            yield -1

    def _wildcards(self, file: int) -> Mapping[int, Sequence[Target]]:
        """Function or namespace -> the targets of the wildcard imports in it, up to a bound; -1 for those at the file's top."""
        entries = (entry for entry in self._names.imports[file] if entry.name == "*")
        is_text = "headers" in self._names.languages[file].scoping  # what is included is read by its place
        found: dict[int, list[Target]] = {}
        for entry in islice(entries, _MAX_WILDCARDS):
            if not (target := self.target(file, entry)).is_external:
                found.setdefault(-1 if is_text else self.scopes(file).get(entry.start, -1), []).append(target)
        for other in self._shared.of(file):
            found.setdefault(-1, []).extend(self.wildcards(other).get(-1, ()))
        return found

    def unnamed(self, file: int, scope: int, name: str) -> Target | None:
        """The module that a position may call by a name that its file neither declares nor imports by itself; None for none."""
        opened = (self.inside(target, name) for each in self.opened(file, scope) for target in self.wildcards(file)[each])
        if (module := next((target for target in opened if target.module), None)) is not None:
            return module
        found = self._module_called(file, name, set()) if self.has_paths(file) else EXTERNAL
        return None if found.is_external else found

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

    def _target(self, file: int, entry: Import) -> Target:
        """The target of one import of a file."""
        found = self._led(file, entry, set())
        if not found.is_external or not entry.module or not self._names.languages[file].has_modules:
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
        if not self._names.languages[file].has_modules:
            return self._packages.imported(file, entry)
        if not entry.module:
            found = self.exported((file,), entry.name)
            return Target(symbols=found) if found else self._passed_on((file,), entry.name, seen)
        for owner in (self._module_around(file, entry, seen), self._module_called(file, entry.module, seen)):
            target = owner if owner.is_external or entry.name in ("", "*") else self._inside(owner, entry.name, seen)
            if not target.is_external:
                return target
        return EXTERNAL

    def _module_around(self, file: int, entry: Import, seen: Seen) -> Target:
        """The module of an import whose path begins in the module around it, which is written inside the file."""
        scope = self.scopes(file).get(entry.start, -1) if self.has_paths(file) else -1
        while scope >= 0 and self._names.symbols[scope].kind not in NAMESPACES:
            scope = self._names.symbols[scope].parent
        if scope < 0:
            return EXTERNAL
        owner = Target(symbols=(scope,))
        for part in entry.module.removeprefix(OWN_MODULE).split(PATH):
            owner = EXTERNAL if part in (OUTER_MODULE, "crate") else self._inside(owner, part, seen)
            if owner.is_external:
                break
        return owner

    def _module_called(self, file: int, module: str, seen: Seen) -> Target:
        """The module that a file calls so: a file, or one written inside another, or one that another passes on."""
        files, certainty = self.module(file, module)
        if files or not self.has_paths(file):
            return Target(files=files, module=module, certainty=certainty, origin=file)
        outer, _, last = module.rpartition(PATH)
        if not self._names.is_known(file, last):
            return EXTERNAL
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
        return self.below(owner.origin, owner.module, name) if owner.origin >= 0 else EXTERNAL

    def _inside_symbol(self, ordinal: int, name: str, seen: Seen) -> Target:
        if (key := (ordinal, name)) in seen:
            return EXTERNAL
        seen.add(key)
        if (behind := self._behind(ordinal, seen)) is not None:
            return self._inside(behind, name, seen)
        if found := self._names.within(ordinal).get(name, ()):
            return Target(symbols=tuple(found))
        if self._names.symbols[ordinal].kind not in NAMESPACES:
            return EXTERNAL
        return self._first(self._exports.taken_inside(ordinal, name), seen)

    def _passed_on(self, files: tuple[int, ...], name: str, seen: Seen) -> Target:
        """Where a name leads that the files of a module import and may pass on."""
        if (files, name) in seen or len(seen) >= MAX_MODULES or not self._exports.may_reexport(files, name):
            return EXTERNAL
        seen.add((files, name))
        return self._first(self._exports.taken(files, name), seen)

    def _first(self, taken: Sequence[tuple[int, Import]], seen: Seen) -> Target:
        targets = (self._led(file, entry, seen) for file, entry in taken)
        return next((target for target in targets if not target.is_external), EXTERNAL)

    def _behind(self, ordinal: int, seen: Seen | None = None) -> Target | None:
        """What an import leads to whose local name is a symbol: ``export * as a``, ``mod a;``, ``const a = require("a")``."""
        symbol = self._names.symbols[ordinal]
        entries = self._exports.imported(symbol.file).get(symbol.name, ())
        entry = next((each for each in entries if each.line == symbol.line and each.alias != "*"), None)
        if entry is None or ordinal not in self._exports.own(symbol.file, symbol.name):
            return None
        seen = set() if seen is None else seen
        found = self._led(symbol.file, entry, seen) if entry.module else self._passed_on((symbol.file,), entry.name, seen)
        return None if found.is_external or ordinal in found.symbols else found

    def below(self, file: int, module: str, name: str) -> Target:
        """The module of that name inside another."""
        joint = self._names.languages[file].joints[-1]
        whole = f"{module}{name}" if module.endswith(joint) else f"{module}{joint}{name}"
        files, certainty = self.module(file, whole)
        return Target(files=files, module=whole, certainty=certainty, origin=file) if files else EXTERNAL
