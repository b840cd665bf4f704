"""A type in, its members and the parts of its definition out, wherever they are written.

Parts are further symbols of the same name: Rust's ``impl`` blocks, Swift's and Dart's extensions, C#'s partial classes, reopened
classes of Ruby, Objective-C's implementations and categories. Members outside a type have its name in their own qualified names:
Go's methods with receivers, C++'s definitions, Kotlin's extensions. Where several types have that name, such a part or member
belongs to the one in its file, else to the only one in its folder, else to none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.query.lookup.symbols import symbols_within

_REOPENING = frozenset({"ruby", "objc"})
"""Languages in which two classes of one name are one class."""
_NAMED_EXTENSIONS = frozenset({"dart"})
"""Languages whose extensions have names of their own; the ``type`` of their detail is the type they extend."""
_FOREIGN_MEMBERS = frozenset({"kotlin"})
"""Languages in which a function of another package may be called as a member."""
_ANYWHERE: Final = ""
_BLOCK_BIT = 1 << list(Kind).index(Kind.BLOCK)


class TypeMembers(NamedTuple):
    """The parts and members of a type."""

    parts: tuple[int, ...]
    """Ordinals of the other symbols that define it, in path order."""
    members: tuple[int, ...]
    """Ordinals of its members: first those inside its own definition, then inside its parts, then outside of both."""


class MemberFinder:
    """Finds the parts and members of a bundle's types. What all types of one name share is read once: n of them take n steps."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._shares: dict[tuple[str, str, str], _Shares] = {}

    @cached_property
    def _blocks(self) -> Sequence[int]:
        return _blocks_of(self._bundle)

    def of(self, ordinal: int) -> TypeMembers:
        """The parts and members of the type at ``ordinal``."""
        bundle = self._bundle
        owner = bundle.symbol(ordinal)
        key = (owner.qualified_name, owner.package, bundle.file(owner.file).language)
        if key not in self._shares:
            blocks = self._blocks if key[2] in _NAMED_EXTENSIONS else ()
            self._shares[key] = _share_out(bundle, *key, blocks)
        shares, identity = self._shares[key], type_identity(bundle, ordinal)
        parts = sorted({*shares.parts[identity]} - {ordinal})
        members = [*_inside(bundle, ordinal), *(member for part in parts for member in _inside(bundle, part))]
        names = {bundle.symbol_name(member).name for member in members if bundle.symbol_name(member).kind in FUNCTIONS}
        known = set(members)
        members += [
            number for number in shares.outside[identity] if number not in known and bundle.symbol_name(number).name not in names
        ]
        return TypeMembers(tuple(parts), tuple(members))


def _inside(bundle: Bundle, ordinal: int) -> list[int]:
    """Symbols directly inside another, in source order, and the properties that its constructor's parameters declare."""
    file = bundle.file(bundle.symbol(ordinal).file)
    end, holders = bundle.symbol(ordinal).span.end, {ordinal}
    found = []
    for number in range(ordinal + 1, file.first_symbol + file.symbol_count):
        symbol = bundle.symbol(number)
        if symbol.span.start >= end:
            break
        is_promoted = symbol.parent != ordinal and symbol.kind is Kind.PROPERTY
        if symbol.parent in holders and (symbol.parent == ordinal or is_promoted):
            found.append(number)
            if symbol.kind is Kind.CONSTRUCTOR:
                holders.add(number)
    return found


class _Shares(NamedTuple):
    """Type, as :func:`type_identity` tells it -> what belongs to it."""

    parts: Mapping[Hashable, list[int]]
    """Types and blocks, the type itself among them."""
    outside: Mapping[Hashable, list[int]]
    """Functions outside of types whose qualified names make them members."""


def _share_out(bundle: Bundle, qualified_name: str, package: str, language: str, extensions: Sequence[int]) -> _Shares:
    """What belongs to each type of one qualified name, package and language; ``extensions`` are blocks with names of their own."""
    types: dict[int, Hashable] = {}
    blocks: list[int] = []
    functions: list[int] = []
    for number in symbols_within(bundle, qualified_name):
        named = bundle.symbol_name(number)
        symbol = bundle.symbol(number)
        if bundle.file(symbol.file).language != language:
            continue
        is_near = symbol.package == package
        if named.qualified_name == qualified_name and is_near and named.kind in TYPES:
            types[number] = type_identity(bundle, number)
        elif named.qualified_name == qualified_name and is_near and named.kind is Kind.BLOCK:
            blocks.append(number)
        elif named.kind in FUNCTIONS and named.qualified_name == f"{qualified_name}.{named.name}":
            is_held = symbol.parent >= 0 and bundle.symbol_name(symbol.parent).qualified_name == qualified_name
            if not is_held and (is_near or language in _FOREIGN_MEMBERS):
                functions.append(number)
    blocks += _extending(bundle, extensions, language, qualified_name.rpartition(".")[2])
    owners = _owners_of_places(bundle, types)
    shares = _Shares(defaultdict(list), defaultdict(list))
    for number, identity in types.items():
        shares.parts[identity].append(number)
    for numbers, found in ((blocks, shares.parts), (functions, shares.outside)):
        for number in numbers:
            path = _path(bundle, number)
            there = owners[_ANYWHERE] if len(owners[_ANYWHERE]) == 1 else owners.get(path) or owners.get(_folder(path)) or ()
            if len(there) == 1:
                found[next(iter(there))].append(number)
    return shares


def _owners_of_places(bundle: Bundle, types: Mapping[int, Hashable]) -> dict[str, set[Hashable]]:
    """Path of a file, of a folder, or ``_ANYWHERE`` -> the types that are there."""
    owners: dict[str, set[Hashable]] = {_ANYWHERE: set(types.values())}
    for number, identity in types.items():
        path = _path(bundle, number)
        for place in (path, _folder(path)):
            owners.setdefault(place, set()).add(identity)
    return owners


def type_identity(bundle: Bundle, ordinal: int) -> Hashable:
    """What is equal for the parts of one type, and differs between types of one language, qualified name and package."""
    symbol = bundle.symbol(ordinal)
    file = bundle.file(symbol.file)
    if file.language in _REOPENING:
        return symbol.kind, file.is_test
    return symbol.kind if "partial" in bundle.detail(ordinal).modifiers else ordinal


def _path(bundle: Bundle, ordinal: int) -> str:
    return bundle.file(bundle.symbol(ordinal).file).path


def _folder(path: str) -> str:
    """With the ``/`` at its end, so that no file has its name."""
    return f"{path.rpartition('/')[0]}/"


def _extending(bundle: Bundle, blocks: Sequence[int], language: str, name: str) -> list[int]:
    """Those of some blocks that are of a language and extend a type of this name."""
    found = []
    for number in blocks:
        symbol = bundle.symbol(number)
        if bundle.file(symbol.file).language == language and bundle.detail(number).type.partition("<")[0] == name:
            found.append(number)
    return found


def _blocks_of(bundle: Bundle) -> Sequence[int]:
    """Every block of the bundle. The kinds of each chunk tell which chunks to read."""
    chunks = (bundle.chunk(place) for place, kinds in enumerate(bundle.kinds_of_chunks) if kinds & _BLOCK_BIT)
    numbers = (number for chunk in chunks for number in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count))
    return [number for number in numbers if bundle.symbol_name(number).kind is Kind.BLOCK]
