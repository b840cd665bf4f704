"""The symbols of all files in, look-ups by name out: what resolving a name asks.

Filled file by file while a build runs, in path order, so that ordinals here are the bundle's. Symbols of one file that share a
qualified name (overloads, a declaration and its implementation) stand for each other: the first of them stands for all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from hardtack.build.languages.registry import languages
from hardtack.bundle.format.details import detail_of
from hardtack.bundle.format.records import KINDS
from hardtack.nouns.model import CALLABLES, NAMESPACES, TYPES, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.bundle.format.tables import Row
    from hardtack.nouns.details import Detail
    from hardtack.nouns.relations import Import

VARIABLES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
PARTS = frozenset({Kind.FIELD, Kind.PROPERTY, Kind.METHOD, Kind.ENUM_MEMBER})
"""Kinds that are reached through what they are part of, be it an anonymous type or object inside a function."""
VALUES = VARIABLES | {Kind.FIELD, Kind.PROPERTY}
_DECLARATIONS = frozenset(Kind) - {Kind.FILE, Kind.SECTION, Kind.ELEMENT, Kind.KEY}
"""What code can name; headings, elements and keys of data share words with it."""
_JOINTS = re.compile(r"[\\.:>?!&#$/-]+")

Group: TypeAlias = "Mapping[str, Sequence[int]]"
"""Name -> ordinals of the symbols that have it, in order."""
_NAMELESS: Final = "."
"""The owner of what belongs to an object without a name."""
_NOTHING: Final[Mapping[str, Sequence[int]]] = {}


class Declaration(NamedTuple):
    """What resolving a name needs to know of one symbol."""

    file: int
    """Ordinal of its file."""
    kind: Kind
    name: str
    qualified_name: str
    package: str
    parent: int
    """Ordinal of the innermost enclosing symbol, or -1."""
    line: int
    """Of its name."""
    detail: Detail | None


class File(NamedTuple):
    """What resolving a name needs to know of one file."""

    path: str
    language: str
    package: str
    """As it declares first; empty when its language declares none."""
    first_symbol: int
    symbol_count: int


@lru_cache(maxsize=1 << 16)
def dotted(name: str) -> str:
    """A qualified name, however its language joins it, joined by dots."""
    return _JOINTS.sub(".", name).strip(".")


@cache
def _family_of(language: str) -> str:
    return languages()[language].family


@cache
def _reach_of(language: str) -> tuple[str, bool]:
    entry = languages()[language]
    return entry.bare_names, entry.has_modules


def _home_of(file: File) -> str:
    """How far bare names of a file reach."""
    reach, has_modules = _reach_of(file.language)
    if reach == "everywhere":
        return ""
    if reach == "package":
        return file.path.rpartition("/")[0] if has_modules else dotted(file.package)
    return file.path


@cache
def _open_kinds_of(language: str) -> frozenset[str]:
    return frozenset(languages()[language].open_kinds)


class SymbolNames:
    """Every declaration of a bundle, by name."""

    def __init__(self) -> None:
        self.files: list[File] = []
        self.symbols: list[Declaration] = []
        self.imports: list[Sequence[Import]] = []
        """By ordinal of the file."""
        self.first: list[int] = []
        """By ordinal of the symbol: the one that stands for it and its namesakes."""
        self._families: list[str] = []
        self._homes: list[str] = []
        """Both by ordinal of the file."""
        self._by_name: dict[str, dict[str, list[int]]] = defaultdict(dict)
        """By family and name."""
        self._owned: dict[tuple[str, str, str], dict[str, list[int]]] = {}
        self._within: dict[int, Group] = {}
        """What has been asked for since the last file."""
        self._tops: dict[tuple[int, str], list[int]] = defaultdict(list)
        self._members: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._is_top: list[bool] = []
        self._full: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._attributes: set[tuple[str, str]] = set()
        self._alternates: dict[tuple[str, str, str, str], int] = {}

    def add(
        self, path: str, language: str, package: str, symbols: Sequence[Row], details: Sequence[Row], imported: Sequence[Import]
    ) -> None:
        """Take the next file, its rows as a worker sent them."""
        file, base = len(self.files), len(self.symbols)
        self.files.append(File(path, language, package, base, len(symbols)))
        self.imports.append(imported)
        self._within.clear()
        self._families.append(_family_of(language))
        self._homes.append(_home_of(self.files[-1]))
        detail_by_index = dict(map(detail_of, details))
        firsts: dict[str, int] = {}
        for index, row in enumerate(symbols):
            _, kind, name, qualified, *_, line, _, _, own_package, parent = row
            detail = detail_by_index.get(index)
            symbol = Declaration(
                file=file,
                kind=KINDS[kind],
                name=name,
                qualified_name=qualified,
                package=own_package,
                parent=parent + base if parent >= 0 else -1,
                line=line,
                detail=detail,
            )
            self.symbols.append(symbol)
            self._is_top.append(self._stands_outside(symbol))
            first = firsts.setdefault(qualified, base + index)
            self.first.append(first if first < base + index else self._first(base + index, symbol))
            # Of overloads the first is enough; what else is declared again (a type's parts) is looked through whole.
            if symbol.kind in _DECLARATIONS and (symbol.kind not in CALLABLES or self.first[-1] == base + index):
                self._enter(base + index, symbol)
            if detail is not None:
                self._attributes.update((_family_of(language), each.name) for each in detail.attributes)

    def _first(self, ordinal: int, symbol: Declaration) -> int:
        """The symbol that stands for one and its namesakes in other files.

        Where a package is a folder it declares a name once: those that declare it again are for other platforms. Types may be
        declared in parts, or opened again, and so may namespaces.
        """
        entry = self.files[symbol.file]
        reach, has_modules = _reach_of(entry.language)
        is_platform = reach == "package" and has_modules and symbol.kind is not Kind.PACKAGE
        is_part = symbol.kind in TYPES and symbol.detail is not None and "partial" in symbol.detail.modifiers
        is_open = reach == "everywhere" and (
            symbol.kind in NAMESPACES or (symbol.kind in TYPES and "reopened" in languages()[entry.language].scoping)
        )
        if not (is_platform or is_part or is_open):
            return ordinal
        key = (_family_of(entry.language), self.home(symbol.file), symbol.package, symbol.qualified_name)
        return self._alternates.setdefault(key, ordinal)

    def _stands_outside(self, symbol: Declaration) -> bool:
        """Whether a symbol is a member of nothing but packages and namespaces."""
        if symbol.parent >= 0:
            return self.symbols[symbol.parent].kind in NAMESPACES and self._is_top[symbol.parent]
        if symbol.qualified_name != symbol.name:
            return False
        # Parts of an object that has no name have no name before theirs either.
        return symbol.kind not in PARTS or (
            symbol.kind is Kind.METHOD and "members" in languages()[self.files[symbol.file].language].scoping
        )

    def _enter(self, ordinal: int, symbol: Declaration) -> None:
        family = self.family(symbol.file)
        if self._is_top[ordinal]:
            self._tops[symbol.file, symbol.name].append(ordinal)
        elif symbol.parent < 0 or self._is_reached(symbol, self.symbols[symbol.parent].kind):
            self._members[family, symbol.name].append(ordinal)
        self._by_name[family].setdefault(symbol.name, []).append(ordinal)
        owner = symbol.qualified_name[: -len(symbol.name)].rstrip(".")
        if not owner and symbol.parent < 0 and not self._is_top[ordinal]:
            owner = _NAMELESS
        self._owned.setdefault((family, self.home(symbol.file), owner), {}).setdefault(symbol.name, []).append(ordinal)
        if symbol.parent >= 0 and symbol.kind in _open_kinds_of(self.files[symbol.file].language):
            beside = owner.rpartition(".")[0]
            self._owned.setdefault((family, self.home(symbol.file), beside), {}).setdefault(symbol.name, []).append(ordinal)
            if self._is_top[symbol.parent]:
                self._tops[symbol.file, symbol.name].append(ordinal)
        full = f"{dotted(symbol.package)}.{symbol.qualified_name}".strip(".")
        self._full[family, full].append(ordinal)

    def _is_reached(self, symbol: Declaration, parent: Kind) -> bool:
        """Whether a symbol inside another is reached through a value or a type, and is no variable or function of a function's."""
        if symbol.kind in PARTS:
            return True
        return parent not in CALLABLES | NAMESPACES and not (symbol.kind in VARIABLES and parent in VALUES)

    def family(self, file: int) -> str:
        """The family of the file's language."""
        return self._families[file]

    def home(self, file: int) -> str:
        """How far bare names of the file reach: the same text for all files that see each other's declarations."""
        return self._homes[file]

    def at_home(self, file: int) -> Group:
        """What stands at the top of the file, and of all files that see each other with it."""
        return self.owned(file, "")

    def owned(self, file: int, owner: str) -> Group:
        """What is declared on the type of that qualified name, as seen from a file."""
        return self._owned.get((self._families[file], self._homes[file], owner), _NOTHING)

    def at_top(self, file: int, name: str) -> Sequence[int]:
        """The symbols of that name at the top of the file, or in a package or namespace that it opens."""
        return self._tops.get((file, name), ())

    def is_top(self, ordinal: int) -> bool:
        """Whether a symbol is a member of nothing but packages and namespaces."""
        return self._is_top[ordinal]

    def members_named(self, family: str, name: str) -> Sequence[int]:
        """Every symbol of that name, in the languages of a family, that is reached through a value or a type."""
        return self._members.get((family, name), ())

    def is_attribute(self, file: int, name: str) -> bool:
        """Whether instances of any type have something of that name that is no symbol: what ``self.name = ...`` gives them."""
        return (self.family(file), name) in self._attributes

    def named(self, file: int, name: str) -> Sequence[int]:
        """Every symbol of that name in the languages that the file's sees."""
        return self.all_named(file).get(name, ())

    def all_named(self, file: int) -> Group:
        """Every symbol in the languages that the file's sees."""
        return self._by_name.get(self._families[file], _NOTHING)

    def within(self, ordinal: int) -> Group:
        """What is declared inside a symbol, wherever its language lets that be done."""
        group = self._within.get(ordinal)
        if group is None:
            symbol = self.symbols[ordinal]
            group = self._within[ordinal] = self.owned(symbol.file, symbol.qualified_name)
        return group

    def full(self, file: int, name: str) -> Sequence[int]:
        """The symbols of that name with its package before it, joined by dots."""
        return self._full.get((self.family(file), name), ())

    def one_of(self, ordinals: Sequence[int]) -> int:
        """The symbol that stands for all of ``ordinals``; -1 when they are several."""
        firsts = {self.first[ordinal] for ordinal in ordinals}
        return firsts.pop() if len(firsts) == 1 else -1

    def owner(self, ordinal: int) -> int:
        """The type that a symbol which stands outside is declared on; -1 for none."""
        symbol = self.symbols[ordinal]
        owner = symbol.qualified_name[: -len(symbol.name)].rstrip(".")
        if not owner or symbol.parent >= 0:
            return -1
        outer, _, name = owner.rpartition(".")
        candidates = self.owned(symbol.file, outer).get(name, ())
        return next((each for each in candidates if self.symbols[each].kind in TYPES | NAMESPACES), -1)
