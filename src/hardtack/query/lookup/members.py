"""A type in, its members and the parts of its definition out, wherever they are written.

Parts are further symbols of the same name: Rust's ``impl`` blocks, Swift's and Dart's extensions, C#'s partial classes, reopened
classes of Ruby, Objective-C's implementations and categories. Members outside a type have its name in their own qualified names:
Go's methods with receivers, C++'s definitions, Kotlin's extensions. Where several types have that name, such a part or member
belongs to the one in its file, else to the only one in its folder, else to none.
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
"""Languages whose extensions have names of their own; the ``type`` of their detail is the type they extend."""
_FOREIGN_MEMBERS = frozenset({"kotlin"})
"""Languages in which a function of another package may be called as a member."""
_BLOCK_BIT = 1 << list(Kind).index(Kind.BLOCK)


class TypeMembers(NamedTuple):
    """The parts and members of a type."""

    parts: tuple[int, ...]
    """Ordinals of the other symbols that define it, in path order."""
    members: tuple[int, ...]
    """Ordinals of its members: first those inside its own definition, then inside its parts, then outside of both."""


def members_of(bundle: Bundle, ordinal: int) -> TypeMembers:
    """The parts and members of the type at ``ordinal``."""
    owner = bundle.symbol(ordinal)
    inside = _inside(bundle, ordinal)
    namesakes, outside = _elsewhere(bundle, ordinal, owner)
    rivals = {number for number in namesakes if bundle.symbol_name(number).kind in TYPES and not are_parts(bundle, ordinal, number)}
    parts = [number for number in namesakes if number not in rivals and _belongs_to(bundle, number, ordinal, rivals)]
    if bundle.file(owner.file).language in _NAMED_EXTENSIONS:
        parts += [number for number in _extensions(bundle, owner) if _belongs_to(bundle, number, ordinal, rivals)]
    members = [*inside, *(member for part in sorted(parts) for member in _inside(bundle, part))]
    names = {bundle.symbol_name(member).name for member in members if bundle.symbol_name(member).kind in FUNCTIONS}
    known = set(members)
    members += [
        number
        for number in outside
        if number not in known and bundle.symbol_name(number).name not in names and _belongs_to(bundle, number, ordinal, rivals)
    ]
    return TypeMembers(tuple(sorted(parts)), tuple(members))


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


def _elsewhere(bundle: Bundle, ordinal: int, owner: SymbolRecord) -> tuple[list[int], list[int]]:
    """Types and blocks with the owner's name, and functions outside of them whose qualified names make them its members."""
    namesakes: list[int] = []
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
                namesakes.append(number)
        elif named.kind in FUNCTIONS and named.qualified_name == f"{owner.qualified_name}.{named.name}":
            is_held = symbol.parent >= 0 and bundle.symbol_name(symbol.parent).qualified_name == owner.qualified_name
            if not is_held and (symbol.package == owner.package or language in _FOREIGN_MEMBERS):
                outside.append(number)
    return namesakes, outside


def are_parts(bundle: Bundle, ordinal: int, other: int) -> bool:
    """Whether two types of one language, qualified name and package are parts of one type."""
    if bundle.symbol_name(other).kind is not bundle.symbol_name(ordinal).kind:
        return False
    file, other_file = (bundle.file(bundle.symbol(number).file) for number in (ordinal, other))
    if file.language in _REOPENING:
        return file.is_test == other_file.is_test
    return all("partial" in bundle.detail(number).modifiers for number in (ordinal, other))


def _belongs_to(bundle: Bundle, number: int, ordinal: int, rivals: Iterable[int]) -> bool:
    """Whether a symbol outside a type belongs to it, and not to one of the ``rivals`` of the same name."""
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
    """Blocks of the same language, of any name, that extend a type of this name."""
    language = bundle.file(owner.file).language
    found = []
    for number in _blocks(bundle):
        symbol = bundle.symbol(number)
        if bundle.file(symbol.file).language == language and bundle.detail(number).type.partition("<")[0] == owner.name:
            found.append(number)
    return found


def _blocks(bundle: Bundle) -> Sequence[int]:
    """Every block of the bundle. The kinds of each chunk tell which chunks to read."""
    chunks = (bundle.chunk(place) for place, kinds in enumerate(bundle.kinds_of_chunks) if kinds & _BLOCK_BIT)
    numbers = (number for chunk in chunks for number in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count))
    return [number for number in numbers if bundle.symbol_name(number).kind is Kind.BLOCK]
