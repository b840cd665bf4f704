"""Symbols of all files in, look-ups by name out: the symbol table of a build.

It is filled file by file in path order, so its ordinals are the bundle's. Symbols of one file with the same qualified name
(overloads, a declaration and its implementation) count as one: the first represents all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from sys import intern
from typing import TYPE_CHECKING, Final, TypeAlias

from hardtack.build.languages.registry import languages
from hardtack.build.relations.answers import Answers
from hardtack.build.relations.declarations import Declaration, File, dotted
from hardtack.build.relations.reach import family_of, open_kinds_of, reach_of
from hardtack.bundle.format.details import detail_of
from hardtack.bundle.format.records import KINDS
from hardtack.nouns.model import CALLABLES, NAMESPACES, PARTS, TYPES, VALUES, VARIABLES, Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hardtack.build.languages.registry import Language
    from hardtack.build.relations.parameters import Parameters
    from hardtack.bundle.format.tables import Row
    from hardtack.nouns.relations import Import

_DECLARATIONS = frozenset(Kind) - {Kind.FILE, Kind.SECTION, Kind.ELEMENT, Kind.KEY}
"""Kinds that code can name; headings, elements and keys of data may have the same words."""

Group: TypeAlias = "Mapping[str, Sequence[int]]"
"""Name -> ordinals of the symbols that have it, in order."""
_NAMELESS: Final = "."
"""The owner of members of an object without a name."""
_NOTHING: Final[Mapping[str, Sequence[int]]] = {}


def _home_of(file: File) -> str:
    """A key that is equal for files that see each other's declarations by bare names."""
    reach, has_modules = reach_of(file.language)
    if reach == "everywhere":
        return ""
    if reach == "package":
        return f"{file.path.rpartition('/')[0]} {file.package}" if has_modules else dotted(file.package)
    return file.path


class SymbolNames:
    """Every declaration of a bundle, by name."""

    def __init__(self) -> None:
        self.files: list[File] = []
        self.symbols: list[Declaration] = []
        self.imports: list[Sequence[Import]] = []
        self.languages: list[Language] = []
        """Both by ordinal of the file."""
        self.first: list[int] = []
        """By ordinal of the symbol: the one that represents it and its namesakes."""
        self._families: list[str] = []
        self._homes: list[str] = []
        """Both by ordinal of the file."""
        self._by_name: dict[str, dict[str, list[int]]] = defaultdict(dict)
        """By family and name."""
        self._owned: dict[tuple[str, str, str], dict[str, list[int]]] = {}
        self._within: dict[int, Group] = {}
        """A cache of :meth:`within`, cleared with each file."""
        self._tops: dict[tuple[int, str], list[int]] = defaultdict(list)
        self._members: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._is_top: list[bool] = []
        self._full: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._attributes: set[tuple[str, str]] = set()
        self._renamed: dict[str, set[str]] = defaultdict(set)
        self._aliases: dict[str, set[str]] = defaultdict(set)
        self._alternates: dict[tuple[str, str, str, str], int] = {}
        self._overloads: dict[int, list[int]] = {}
        self._answers = Answers()
        self.once, self.forget = self._answers.of, self._answers.clear
        self._owners: dict[int, int] = {}
        self._joined: dict[int, list[int]] = {}
        """By the symbol that represents others of other files: all of them."""
        self._namesakes: set[int] = set()
        """Types whose qualified name another type has too."""
        self._bodiless: set[int] = set()
        self.parameters: dict[int, Parameters] = {}
        """What :mod:`parameters` has found so far, by function."""

    def add(
        self,
        path: str,
        language: str,
        package: str,
        symbols: Sequence[Row],
        details: Sequence[Row],
        imported: Sequence[Import],
        hidden: Collection[int] = (),
    ) -> None:
        """Add the next file, with the rows of its :class:`IndexedFile`; its ``hidden`` symbols only code around them can name."""
        file, base = len(self.files), len(self.symbols)
        self.files.append(File(path, language, package, base, len(symbols)))
        self.imports.append(imported)
        self.languages.append(languages()[language])
        self._aliases[family_of(language)].update(entry.alias for entry in imported)
        self._renamed[family_of(language)].update(entry.alias for entry in imported if entry.alias != entry.name)
        self._within.clear()
        self._families.append(family_of(language))
        self._homes.append(_home_of(self.files[-1]))
        detail_by_index = dict(map(detail_of, details))
        firsts: dict[tuple[str, str, bool, bool], int] = {}
        may_overload = "overloads" in self.languages[file].scoping
        for index, row in enumerate(symbols):
            _, kind, name, qualified, start, end, _, end_line, *_, line, signature, _, own_package, parent = row
            detail = detail_by_index.get(index)
            symbol = Declaration(
                file=file,
                kind=KINDS[kind],
                name=intern(name),
                qualified_name=qualified,
                package=intern(own_package),
                parent=parent + base if parent >= 0 else -1,
                line=line,
                end_line=end_line,
                detail=detail,
            )
            self.symbols.append(symbol)
            if end - start <= len(signature) + 1:  # no more than the signature and a semicolon
                self._bodiless.add(base + index)
            self._is_top.append(index not in hidden and self._is_outside(symbol))
            if index in hidden:
                self.first.append(base + index)
                self._by_name[family_of(language)].setdefault(name, []).append(base + index)
                continue
            first = firsts.setdefault((qualified, own_package, symbol.kind in CALLABLES, symbol.kind in NAMESPACES), base + index)
            self.first.append(self.first[first] if first < base + index else self._first(base + index, symbol))
            if may_overload and self.first[-1] != base + index and symbol.kind in CALLABLES:
                self._overloads.setdefault(self.first[-1], [self.first[-1]]).append(base + index)
            # The first overload represents all; of other repeated declarations (parts of a type) each may have other members.
            if symbol.kind in _DECLARATIONS and (symbol.kind not in CALLABLES or self.first[-1] == base + index):
                self._enter(base + index, symbol)
            if detail is not None:
                self._attributes.update((family_of(language), each.name) for each in detail.attributes)

    def _first(self, ordinal: int, symbol: Declaration) -> int:
        """The symbol that represents one and its namesakes in other files.

        If a package is a folder, it declares a name once for each platform. Types and namespaces may be declared in several parts.
        """
        entry = self.files[symbol.file]
        reach, has_modules = reach_of(entry.language)
        is_platform = reach == "package" and has_modules and symbol.kind is not Kind.PACKAGE
        is_part = symbol.kind in TYPES and symbol.detail is not None and "partial" in symbol.detail.modifiers
        is_open = reach == "everywhere" and (
            symbol.kind in NAMESPACES or (symbol.kind in TYPES and "reopened" in self.languages[symbol.file].scoping)
        )
        if not (is_platform or is_part or is_open):
            return ordinal
        key = (family_of(entry.language), self.home(symbol.file), symbol.package, symbol.qualified_name)
        return self._alternates.setdefault(key, ordinal)

    def _is_outside(self, symbol: Declaration) -> bool:
        """Whether a symbol is a member only of packages and namespaces; the preprocessor knows no members."""
        if self._is_directive(symbol):
            return True
        if symbol.parent >= 0:
            return self.symbols[symbol.parent].kind in NAMESPACES and self._is_top[symbol.parent]
        if symbol.qualified_name != symbol.name:
            return symbol.kind is Kind.NAMESPACE  # namespace outer::inner
        # A member of an object without a name has no qualifier either.
        scoping = self.languages[symbol.file].scoping
        return symbol.kind not in PARTS or (symbol.kind is Kind.METHOD and "members" in scoping)

    def _is_directive(self, symbol: Declaration) -> bool:
        return symbol.kind is Kind.MACRO and "headers" in self.languages[symbol.file].scoping

    def _enter(self, ordinal: int, symbol: Declaration) -> None:
        family = self.family(symbol.file)
        if self._is_top[ordinal]:
            self._tops[symbol.file, symbol.name].append(ordinal)
        elif symbol.parent < 0 or self._is_reached(symbol, self.symbols[symbol.parent].kind):
            self._members[family, symbol.name].append(ordinal)
        self._by_name[family].setdefault(symbol.name, []).append(ordinal)
        owner = "" if self._is_directive(symbol) else symbol.qualified_name[: -len(symbol.name)].rstrip(".")
        if not owner and symbol.parent < 0 and not self._is_top[ordinal]:
            owner = _NAMELESS
        self._owned.setdefault((family, self.home(symbol.file), owner), {}).setdefault(symbol.name, []).append(ordinal)
        if symbol.parent >= 0 and symbol.kind in open_kinds_of(self.files[symbol.file].language):
            beside = owner.rpartition(".")[0]
            self._owned.setdefault((family, self.home(symbol.file), beside), {}).setdefault(symbol.name, []).append(ordinal)
            if self._is_top[symbol.parent]:
                self._tops[symbol.file, symbol.name].append(ordinal)
        package = dotted(symbol.package)
        if symbol.kind not in NAMESPACES or dotted(symbol.qualified_name) != package:  # what declares a package is not inside it
            self._full[family, f"{package}.{symbol.qualified_name}".strip(".")].append(ordinal)

    def _is_reached(self, symbol: Declaration, parent: Kind) -> bool:
        """Whether a symbol inside another is reached through a value or a type, and is not local to a function."""
        if symbol.kind in PARTS:
            return True
        return parent not in CALLABLES | NAMESPACES and not (symbol.kind in VARIABLES and parent in VALUES)

    def family(self, file: int) -> str:
        """The family of the file's language."""
        return self._families[file]

    def home(self, file: int) -> str:
        """A key that is equal for all files that see each other's declarations by bare names."""
        return self._homes[file]

    def at_home(self, file: int) -> Group:
        """The top-level symbols of the file and of all files with the same home."""
        return self.owned(file, "")

    def owned(self, file: int, owner: str) -> Group:
        """The members of the type with that qualified name, as seen from a file."""
        return self._owned.get((self._families[file], self._homes[file], owner), _NOTHING)

    def at_top(self, file: int, name: str) -> Sequence[int]:
        """The top-level symbols of that name in the file, or in a package or namespace that it declares."""
        return self._tops.get((file, name), ())

    def is_top(self, ordinal: int) -> bool:
        """Whether a symbol is a member only of packages and namespaces."""
        return self._is_top[ordinal]

    def members_named(self, family: str, name: str) -> Sequence[int]:
        """Every symbol of that name, in the languages of a family, that is reached through a value or a type."""
        return self._members.get((family, name), ())

    def is_attribute(self, file: int, name: str) -> bool:
        """Whether any type of the file's language family has an attribute of that name, as ``self.name = ...`` sets it."""
        return (self.family(file), name) in self._attributes

    def renamed(self, file: int) -> Collection[str]:
        """Names that files of the file's language family give what they import, and by which others may ask them for it."""
        return self._renamed[self._families[file]]

    def is_known(self, file: int, name: str) -> bool:
        """Whether any file of the file's language family declares the name, or imports something under it."""
        return name in self.all_named(file) or name in self._aliases[self._families[file]]

    def named(self, file: int, name: str) -> Sequence[int]:
        """Every symbol of that name in the file's language family."""
        return self.all_named(file).get(name, ())

    def all_named(self, file: int) -> Group:
        """Every symbol in the file's language family, by name."""
        return self._by_name.get(self._families[file], _NOTHING)

    def within(self, ordinal: int) -> Group:
        """The members of a symbol, wherever they are declared."""
        group = self._within.get(ordinal)
        if group is None:
            symbol = self.symbols[ordinal]
            group = self.owned(symbol.file, symbol.qualified_name)
            if ordinal in self._namesakes:
                group = {name: own for name, some in group.items() if (own := self._held(some, self.first[ordinal]))}
            self._within[ordinal] = group
        return group

    def full(self, file: int, name: str) -> Sequence[int]:
        """The symbols with that full name: package and qualified name, joined by dots."""
        return self._full.get((self.family(file), name), ())

    def one_of(self, ordinals: Sequence[int]) -> int:
        """The symbol that represents all of ``ordinals``; -1 if there are several."""
        return self.once(self._represented, ordinals)

    def _represented(self, ordinals: Sequence[int]) -> int:
        one = self.first[ordinals[0]] if ordinals else -1
        return one if all(self.first[ordinal] == one for ordinal in ordinals) else -1

    def overloads(self, ordinal: int) -> Sequence[int]:
        """All functions that a symbol represents, itself first; nothing if it is the only one."""
        return self._overloads.get(ordinal, ())

    def without(self, ordinals: Sequence[int], kinds: frozenset[Kind]) -> Sequence[int]:
        """Those of ``ordinals`` that are of no such kind."""
        return self.once(self._others, ordinals, kinds)

    def _others(self, ordinals: Sequence[int], kinds: frozenset[Kind]) -> Sequence[int]:
        return [ordinal for ordinal in ordinals if self.symbols[ordinal].kind not in kinds]

    def owner(self, ordinal: int) -> int:
        """The type on which a symbol outside of it is declared, as methods in Go; -1 for none."""
        if (known := self._owners.get(ordinal)) is not None:
            return known
        symbol = self.symbols[ordinal]
        outer, _, name = symbol.qualified_name[: -len(symbol.name)].rstrip(".").rpartition(".")
        if not name or symbol.parent >= 0:
            return -1
        candidates = self.owned(symbol.file, outer).get(name, ())
        return next((each for each in candidates if self.symbols[each].kind in TYPES | NAMESPACES), -1)

    # -- what is declared in several files (:mod:`declared`) -----------------------------------------------------------------

    def represent(self, firsts: Mapping[int, int]) -> None:
        """Have symbols represent those that represented others so far, and all of these."""
        for ordinal, first in enumerate(self.first):
            if (now := firsts.get(first, first)) != first:
                self.first[ordinal] = now
        joined = frozenset(firsts.values())
        self._joined = {}
        for ordinal, first in enumerate(self.first):
            if first in joined or first in self._joined:
                self._joined.setdefault(first, []).append(ordinal)

    def joined(self, ordinal: int) -> Sequence[int]:
        """The symbol and all that are the same, in this file and others."""
        return self._joined.get(self.first[ordinal], (ordinal,))

    def set_owner(self, ordinal: int, owner: int) -> None:
        """Say on which type or namespace a symbol outside of it is declared."""
        self._owners[ordinal] = owner

    def tell_apart(self, types: Iterable[int]) -> None:
        """Have each of several types of one qualified name no members but its own."""
        alike: dict[tuple[str, str], list[int]] = defaultdict(list)
        for each in types:
            alike[self.family(self.symbols[each].file), self.symbols[each].qualified_name].append(each)
        for some in alike.values():
            if len({self.first[each] for each in some}) > 1:
                self._namesakes.update(some)
        self._within.clear()

    def is_namesake(self, ordinal: int) -> bool:
        """Whether another type has the qualified name of this one."""
        return ordinal in self._namesakes

    def holder(self, ordinal: int) -> int:
        """The symbol that represents the type which declares a symbol, or on which it is declared; -1 for none."""
        symbol = self.symbols[ordinal]
        owner = self._owners.get(ordinal, symbol.parent)
        if owner >= 0 and self.symbols[owner].kind is Kind.BLOCK:
            owner = self._owners.get(owner, -1)
        return self.first[owner] if owner >= 0 and self.symbols[owner].kind in TYPES else -1

    def _held(self, ordinals: Sequence[int], holder: int) -> Sequence[int]:
        return [each for each in ordinals if self.holder(each) in (holder, -1)]

    def is_bodiless(self, ordinal: int) -> bool:
        """Whether the source of a symbol is surely no more than its signature."""
        return ordinal in self._bodiless
