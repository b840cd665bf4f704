"""A type or a method in, what implements it out: directly, or through others.

What rests on a type is followed from relation to relation, so an answer is complete as far as the relations are. A method is
implemented by the method of its name on a type that rests on its own. A name that no symbol has (a base class from a library) is
looked for as it is written where types say what they rest on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from hardtack.bundle.format.records import SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Certainty, Relation, RelationKind
from hardtack.query.lookup.references import EVERYTHING, HERITAGE, first_of, groups_of, naming
from hardtack.query.lookup.symbols import NamedSymbols, look_up, named
from hardtack.query.request.analysis import qualified

_MEMBERS = FUNCTIONS | {Kind.PROPERTY, Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT}
_CERTAINTIES = tuple(Certainty)
_Members = dict[str, list[tuple[int, SymbolRecord]]]


class Implementation(NamedTuple):
    """One symbol that implements another."""

    symbol: int
    """Ordinal of the type or method."""
    relation: RelationKind
    """How it, or its type, rests on what comes before it on the way to the target."""
    certainty: Certainty
    """Of the least certain step on that way."""
    target: int
    """Ordinal of what is implemented; -1 when that is none of the bundle's."""
    depth: int
    """Steps to the target: 1 when it rests on it directly."""
    through: tuple[int, ...]
    """Ordinals of the types between, the nearest to the target first."""


class Implementations(NamedTuple):
    """What a name was found to mean, and what implements it."""

    symbols: NamedSymbols
    found: tuple[Implementation, ...]
    """By target, then in order of file and place."""


def implementations(bundle: Bundle, name: str, *, package: str = "", owner: str = "") -> Implementations:
    """Everything that inherits, implements, embeds or uses the types of that name, and for methods what overrides them.

    Args:
        bundle: where to look.
        name: a name, or the end of a qualified one; of a symbol, or as supertypes are written.
        package: only symbols of this package or namespace, or of one that ends in it.
        owner: only members of a type of this name.
    """
    symbols = look_up(bundle, name, EVERYTHING, package=package, owner=owner)
    written = [] if package or owner else naming(bundle, name, HERITAGE, any_case=not symbols.ordinals)
    last = qualified(name.strip()).rpartition(".")[2]
    if written and not any(bundle.symbol_name(ordinal).name == last for ordinal in symbols.ordinals):
        symbols = NamedSymbols(ordinals=())  # what is written so is no symbol's name in another case
    if types := tuple(ordinal for ordinal in symbols.ordinals if bundle.symbol_name(ordinal).kind in TYPES):
        symbols = NamedSymbols(ordinals=types)  # A type's name does not mean members and imports called like it.
    found: list[Implementation] = []
    members = lru_cache(partial(_members_called, bundle))  # namesakes are looked for once
    for target in groups_of(bundle, symbols.ordinals):
        if bundle.symbol_name(target).kind in _MEMBERS:
            found += _of_member(bundle, target, members)
        else:
            found += _above(bundle, target, bundle.related.relations_to(target))
    is_type = any(bundle.symbol_name(ordinal).kind in TYPES for ordinal in symbols.ordinals)
    if is_type or not symbols.ordinals:
        found += _above(bundle, -1, written)
    once = {(each.target, each.symbol): each for each in reversed(found)}
    return Implementations(symbols, tuple(sorted(once.values(), key=lambda each: (each.target < 0, each.target, each.symbol))))


def _above(bundle: Bundle, target: int, relations: Iterable[Relation]) -> Iterator[Implementation]:
    """What rests on ``target``, nearest first; ``relations`` are those that end at it."""
    level = [Implementation(each.source, each.kind, each.certainty, target, 1, ()) for each in relations if _is_heritage(each)]
    seen = {target}
    while level:
        above: list[Implementation] = []
        for each in level:
            first = _type_of(bundle, each.symbol)
            if first in seen:
                continue
            seen.add(first)
            yield each
            above += [
                Implementation(
                    relation.source,
                    relation.kind,
                    max(relation.certainty, each.certainty, key=_CERTAINTIES.index),
                    target,
                    each.depth + 1,
                    (*each.through, each.symbol),
                )
                for relation in bundle.related.relations_to(first)
                if _is_heritage(relation)
            ]
        level = above


def _is_heritage(relation: Relation) -> bool:
    return relation.kind in HERITAGE and relation.source >= 0


def _members_called(bundle: Bundle, name: str) -> _Members:
    """The members of exactly that name, by what they are members of."""
    owned: _Members = {}
    for ordinal in named(bundle, name, _MEMBERS):
        symbol = bundle.symbol(ordinal)
        if symbol.name == name:
            owned.setdefault(symbol.qualified_name.rpartition(".")[0], []).append((ordinal, symbol))
    return owned


def _of_member(bundle: Bundle, target: int, members: Callable[[str], _Members]) -> Iterator[Implementation]:
    """The members of the target's name on the types that rest on its own."""
    member = bundle.symbol(target)
    owner = owner_of(bundle, member)
    if owner < 0:
        return
    owned = members(member.name)
    for each in _above(bundle, owner, bundle.related.relations_to(owner)):
        type_ = bundle.symbol(each.symbol)
        for ordinal, symbol in owned.get(type_.qualified_name, ()):
            if _is_near(bundle, type_, symbol):
                yield each._replace(symbol=ordinal, target=target)


def owner_of(bundle: Bundle, member: SymbolRecord) -> int:
    """The first symbol of the type that a member is declared in or on; -1 for none.

    Methods that stand outside their type (Go, Rust, C++) say by their qualified name whose they are: the type of that name in
    their file, else in their folder.
    """
    if member.parent >= 0 and bundle.symbol_name(member.parent).kind in TYPES:
        return first_of(bundle, member.parent)
    scope = member.qualified_name.rpartition(".")[0]
    return _called(bundle, scope, member) if scope else -1


def _type_of(bundle: Bundle, ordinal: int) -> int:
    """The first symbol of the type that a symbol declares or, as ``extension Stall: Sells`` does, adds to."""
    symbol = bundle.symbol(ordinal)
    type_ = _called(bundle, symbol.qualified_name, symbol) if symbol.kind is Kind.BLOCK else -1
    return type_ if type_ >= 0 else first_of(bundle, ordinal)


def _called(bundle: Bundle, name: str, near: SymbolRecord) -> int:
    """The type of that qualified name that something near it may belong to; -1 for none."""
    found = [
        (symbol.file != near.file, ordinal)
        for ordinal in named(bundle, name.rpartition(".")[2], TYPES)
        if (symbol := bundle.symbol(ordinal)).qualified_name == name and _is_near(bundle, symbol, near)
    ]
    return first_of(bundle, min(found)[1]) if found else -1


def _is_near(bundle: Bundle, type_: SymbolRecord, member: SymbolRecord) -> bool:
    """Whether a member may belong to a type that its qualified name says it is of: the same file, or folder and package."""
    if type_.file == member.file:
        return True
    folders = {bundle.file(file).path.rpartition("/")[0] for file in (type_.file, member.file)}
    return type_.package == member.package and len(folders) == 1
