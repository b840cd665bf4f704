"""A type in, everything that belongs to it out, wherever it is written: parts of its definition, and members outside of it.

Parts are further symbols of the same name: Rust's ``impl`` blocks, Swift's and Dart's extensions, partial classes of C#, classes
that Ruby opens again, Objective-C's implementations and categories. Members outside say in their names whose they are: Go's methods
by receiver, C++'s definitions, Kotlin's extensions. Where several types of one name could own such a thing it is the one in its
file, else the only one in its folder; what several could own besides is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hardtack.bundle.format.records import SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind

_REOPENING = frozenset({"ruby", "objc"})
"""Languages in which two classes of one name are one class."""
_NAMED_EXTENSIONS = frozenset({"dart"})
"""Languages whose extensions have names of their own: what they extend is their type."""
_FOREIGN_MEMBERS = frozenset({"kotlin"})
"""Languages in which a function of another package may be called as a member."""
_BLOCK_BIT = 1 << list(Kind).index(Kind.BLOCK)


class TypeMembers(NamedTuple):
    """What belongs to a type."""

    parts: tuple[int, ...]
    """Ordinals of the other symbols that define it, in path order."""
    members: tuple[int, ...]
    """Ordinals of what it holds: first what its own definition does, then that of its parts, then what is written outside."""


def members_of(bundle: Bundle, ordinal: int) -> TypeMembers:
    """Everything that belongs to a type."""
    owner = bundle.symbol(ordinal)
    inside = _inside(bundle, ordinal)
    alike, outside = _elsewhere(bundle, ordinal, owner)
    rivals = {number for number in alike if bundle.symbol_name(number).kind in TYPES and not are_parts(bundle, ordinal, number)}
    parts = [number for number in alike if number not in rivals and _is_whose(bundle, number, ordinal, rivals)]
    if bundle.file(owner.file).language in _NAMED_EXTENSIONS:
        parts += [number for number in _extensions(bundle, owner) if _is_whose(bundle, number, ordinal, rivals)]
    members = [*inside, *(member for part in sorted(parts) for member in _inside(bundle, part))]
    names = {bundle.symbol_name(member).name for member in members if bundle.symbol_name(member).kind in FUNCTIONS}
    known = set(members)
    members += [
        number
        for number in outside
        if number not in known and bundle.symbol_name(number).name not in names and _is_whose(bundle, number, ordinal, rivals)
    ]
    return TypeMembers(tuple(sorted(parts)), tuple(members))


def _inside(bundle: Bundle, ordinal: int) -> list[int]:
    """Symbols directly inside another, in source order, and the properties that parameters of its constructor declare."""
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


def _elsewhere(bundle: Bundle, ordinal: int, owner: SymbolRecord) -> tuple[list[int], list[int]]:
    """Types and blocks of the same name, and functions that are called as its members are but lie in none of them."""
    alike: list[int] = []
    outside: list[int] = []
    language = bundle.file(owner.file).language
    for number in bundle.symbols_within(owner.qualified_name):
        named = bundle.symbol_name(number)
        if number == ordinal or (named.kind not in FUNCTIONS and named.kind not in TYPES and named.kind is not Kind.BLOCK):
            continue
        symbol = bundle.symbol(number)
        if bundle.file(symbol.file).language != language:
            continue
        if named.qualified_name == owner.qualified_name and named.kind not in FUNCTIONS:
            if symbol.package == owner.package:
                alike.append(number)
        elif named.kind in FUNCTIONS and named.qualified_name == f"{owner.qualified_name}.{named.name}":
            is_held = symbol.parent >= 0 and bundle.symbol_name(symbol.parent).qualified_name == owner.qualified_name
            if not is_held and (symbol.package == owner.package or language in _FOREIGN_MEMBERS):
                outside.append(number)
    return alike, outside


def are_parts(bundle: Bundle, ordinal: int, other: int) -> bool:
    """Whether two types of one language, qualified name and package are written to be one type."""
    if bundle.symbol_name(other).kind is not bundle.symbol_name(ordinal).kind:
        return False
    file, others = (bundle.file(bundle.symbol(number).file) for number in (ordinal, other))
    if file.language in _REOPENING:
        return file.is_test == others.is_test
    return all("partial" in bundle.detail(number).modifiers for number in (ordinal, other))


def _is_whose(bundle: Bundle, number: int, ordinal: int, rivals: Iterable[int]) -> bool:
    """Whether something outside belongs to the type and to none of those that are called like it."""
    owners = [ordinal, *rivals]
    if len(owners) == 1:
        return True
    place = bundle.file(bundle.symbol(number).file).path
    paths = [bundle.file(bundle.symbol(owner).file).path for owner in owners]
    in_file = [owner for owner, path in zip(owners, paths, strict=True) if path == place]
    in_folder = [owner for owner, path in zip(owners, paths, strict=True) if _folder(path) == _folder(place)]
    return (in_file or in_folder) == [ordinal]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _extensions(bundle: Bundle, owner: SymbolRecord) -> list[int]:
    """Blocks of the same language and any name that say they extend a type of this name."""
    language = bundle.file(owner.file).language
    found = []
    for number in _blocks(bundle):
        symbol = bundle.symbol(number)
        if bundle.file(symbol.file).language == language and bundle.detail(number).type.partition("<")[0] == owner.name:
            found.append(number)
    return found


def _blocks(bundle: Bundle) -> Sequence[int]:
    """Every block of the bundle; chunks without one are not looked at."""
    chunks = (bundle.chunk(place) for place, kinds in enumerate(bundle.kinds_of_chunks) if kinds & _BLOCK_BIT)
    numbers = (number for chunk in chunks for number in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count))
    return [number for number in numbers if bundle.symbol_name(number).kind is Kind.BLOCK]
