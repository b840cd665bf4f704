"""The files of a module and a name in, the symbols that the module exports under the name out: its own, and what it re-exports.

A module *takes* a name when it imports it in a way that lets others import it from there: one by one, or everything that another
module has.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.relations.import_scopes import import_scopes
from hardtack.nouns.model import NAMESPACES, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardtack.build.relations.modules import Modules
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.packages import Packages
    from hardtack.nouns.relations import Import

DEFAULT: Final = "default"
"""The name of what a module exports as its value."""
MAX_MODULES: Final = 100
"""Modules that are searched for a name that they may re-export."""


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


class Exports:
    """What modules export, found on demand and stored."""

    def __init__(self, names: SymbolNames, modules: Modules, packages: Packages) -> None:
        self._names = names
        self._modules = modules
        self._packages = packages
        self.exported = cache(self._exported)
        self.included = cache(self._included)
        self.scopes = cache(partial(import_scopes, names))
        self.imported = cache(self._by_name)
        self._reexports = cache(self._find_reexports)
        self._reach = cache(self._reached)
        self._default = cache(self._marked_default)

    def clear(self) -> None:
        """Drop everything. The caches of bound methods refer back to this object, and the cycle collector is off in a build."""
        vars(self).clear()

    def has_default(self, file: int) -> bool:
        """Whether a module may be a value itself in the file's language, its default export."""
        return "default_exports" in self._names.languages[file].scoping

    def has_paths(self, file: int) -> bool:
        """Whether the file's language names a module, and what is inside it, by a path: ``crate::a::b``."""
        return "module_paths" in self._names.languages[file].scoping

    def _is_module(self, file: int) -> bool:
        """Whether a file is a module by itself, and a namespace inside it another."""
        return self.has_default(file) or self.has_paths(file)

    def may_reexport(self, files: tuple[int, ...], name: str) -> bool:
        """Whether any of the files of a module, or of those whose exports it has all, takes a name from elsewhere."""
        reach = self._reach(files)
        # Headers that include each other pass on what they declare alone; asking each of them for each name took seconds.
        return reach is None or name in reach.reexported

    def _exported(self, files: tuple[int, ...], name: str) -> tuple[int, ...]:
        """The symbols that a module of these files exports under a name: its own, or re-exported ones, nearest first."""
        reach = self._reach(files)
        if reach is None or name == DEFAULT or name in reach.reexported:
            return self._followed(files, name)
        for entry in reach.files:
            if self.own(entry.file, name):
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
            if len(order) >= MAX_MODULES:
                break
            for each in holders:
                for entry in self._reexports(each).get("*", ()):
                    if entry.module and not self._names.languages[each].has_modules:
                        return None
                    following = self._source_of(each, entry)
                    if following not in seen:
                        seen.add(following)
                        order.append(following)
        reached = tuple(_FileOfModule(each, holders) for holders in order for each in holders)
        return _Reach(reached, frozenset(name for entry in reached for name in self._reexports(entry.file)))

    def _source_of(self, file: int, entry: Import) -> tuple[int, ...]:
        """The files from which a file imports something; itself where it exports a name of its own."""
        return self._modules.module(file, entry.module)[0] if entry.module else (file,)

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
            own, taken = self._declared(holders, wanted), self.taken(holders, wanted)
            if found := tuple(each for each in own if not self._is_taken(each, taken)):
                return found
            spare = spare or own
            for each, entry in taken if len(order) < MAX_MODULES else ():
                if entry.module and not self._names.languages[each].has_modules:
                    if found := self._packages.imported(each, entry).symbols:
                        return found
                    continue
                following = (self._source_of(each, entry), entry.name)
                if entry.name and following not in waiting:
                    waiting[following] = None
                    order.append(following)
        return spare

    def _declared(self, files: Sequence[int], name: str) -> tuple[int, ...]:
        """The top-level symbols of that name in the files; for ``default`` those that are marked so."""
        found = tuple(ordinal for each in files for ordinal in self.own(each, name))
        return found or (tuple(ordinal for each in files for ordinal in self._default(each)) if name == DEFAULT else ())

    def own(self, file: int, name: str) -> Sequence[int]:
        """The symbols that a file gives others under a name: those at its top, or what it sets as its exports (CommonJS)."""
        top = self._names.at_top(file, name)
        if self._is_module(file):
            top = self._names.once(self._outside_namespaces, top)
        if not self.has_default(file):
            return top
        owner, member = ("module", "exports") if name == DEFAULT else ("module.exports", name)
        assigned = self._names.owned(file, owner).get(member, ()) or self._names.owned(file, "exports").get(name, ())
        return assigned or top

    def _outside_namespaces(self, ordinals: Sequence[int]) -> Sequence[int]:
        symbols = self._names.symbols
        return [each for each in ordinals if symbols[each].parent < 0 and symbols[each].kind is not Kind.BLOCK]

    def taken(self, files: Sequence[int], name: str) -> list[tuple[int, Import]]:
        """The imports through which files may re-export a name: those of the name first, then wildcards."""
        exact = [(each, entry) for each in files for entry in self._reexports(each).get(name, ())]
        every = [(each, entry) for each in files for entry in self._reexports(each).get("*", ())] if name != DEFAULT else []
        return exact + [(each, entry._replace(name=name, alias=name)) for each, entry in every]

    def taken_inside(self, ordinal: int, name: str) -> list[tuple[int, Import]]:
        """As :meth:`taken`, by a module that is written inside a file."""
        file = self._names.symbols[ordinal].file
        found = [each for each in self.imported(file).get(name, ()) if self.scopes(file).get(each.start) == ordinal]
        every = [each for each in self.imported(file).get("*", ()) if self.scopes(file).get(each.start) == ordinal]
        return [(file, each) for each in (*found, *(each._replace(name=name, alias=name) for each in every))]

    def _is_taken(self, ordinal: int, taken: Sequence[tuple[int, Import]]) -> bool:
        """Whether a symbol is only the name under which an import re-exports something."""
        symbol = self._names.symbols[ordinal]
        return any(symbol.line == entry.line and symbol.file == each for each, entry in taken if entry.alias != entry.name)

    def _find_reexports(self, file: int) -> Mapping[str, Sequence[Import]]:
        """Of :meth:`imported` what other files may import from a file: what it imports in a function last."""
        scopes = self.scopes(file)
        if not scopes:
            return self.imported(file)
        kept = {-1, *scopes.values()}
        if self._is_module(file):
            kept = {each for each in kept if each < 0 or self._names.symbols[each].kind not in NAMESPACES}
        found: dict[str, list[Import]] = {}
        for name, entries in self.imported(file).items():
            if own := [each for each in entries if scopes.get(each.start, -1) in kept]:
                found[name] = sorted(own, key=lambda each: each.start in scopes)
        return found

    def _by_name(self, file: int) -> Mapping[str, Sequence[Import]]:
        """Name -> the file's imports under that name; wildcard imports under ``*``."""
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
