"""A type or a method in, its subtypes or the methods that override it out, direct and indirect.

Subtypes are found by following the stored relations from type to type. A method is overridden by the method of its name on a
subtype of its own type. A name that no symbol has (a base class from a library) is matched with the supertypes as they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from hardtack.bundle.format.records import SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Certainty, Relation, RelationKind
from hardtack.query.lookup.references import (
    ALL_KINDS,
    HERITAGE,
    first_of,
    groups_of,
    left_out_note,
    relations_to,
    unresolved_relations,
)
from hardtack.query.lookup.symbols import FoundSymbols, look_up, symbols_named
from hardtack.query.request.analysis import qualified

_DEEPEST = 100
"""Steps from a type that are followed: no hierarchy that people write is so deep."""
_MEMBERS = FUNCTIONS | {Kind.PROPERTY, Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT}
_CERTAINTIES = tuple(Certainty)
_Members = dict[str, list[tuple[int, SymbolRecord]]]


class Implementation(NamedTuple):
    """One symbol that implements another."""

    symbol: int
    """Ordinal of the type or method."""
    relation: RelationKind
    """The relation of it, or of its type, to the next type on the way to the target."""
    certainty: Certainty
    """The certainty of the least certain step on that way."""
    target: int
    """Ordinal of the implemented symbol; -1 if it is not in the bundle."""
    depth: int
    """Steps to the target, 1 for a direct subtype."""
    through: tuple[int, ...]
    """Ordinals of the types between, the nearest to the target first."""


class Implementations(NamedTuple):
    """The symbols of a name, and what implements them."""

    symbols: FoundSymbols
    found: tuple[Implementation, ...]
    """By target, then in path order; those without a target last."""
    note: str
    """Says that the build has left some out; empty if it has not."""


def implementations(bundle: Bundle, name: str, *, package: str = "", owner: str = "") -> Implementations:
    """Everything that inherits, implements, embeds or uses the types of that name, or overrides the methods.

    Args:
        bundle: where to look.
        name: a name, or the last parts of a qualified one: of a symbol, or of a supertype as it is written.
        package: only symbols of this package or namespace, or of one that ends in it.
        owner: only members of a type of this name.
    """
    symbols = look_up(bundle, name, ALL_KINDS, package=package, owner=owner)
    written = [] if package or owner else unresolved_relations(bundle, name, HERITAGE, any_case=not symbols.ordinals)
    last = qualified(name.strip()).rpartition(".")[2]
    if written and not any(bundle.symbol_name(ordinal).name == last for ordinal in symbols.ordinals):
        symbols = replace(symbols, ordinals=())  # the written supertype, not a symbol whose name differs in case
    if types := tuple(ordinal for ordinal in symbols.ordinals if bundle.symbol_name(ordinal).kind in TYPES):
        symbols = replace(symbols, ordinals=types)  # A type's name does not mean members and imports called like it.
    found = implementations_of(bundle, symbols.ordinals)
    is_type = any(bundle.symbol_name(ordinal).kind in TYPES for ordinal in symbols.ordinals)
    if is_type or not symbols.ordinals:
        found += _subtypes(bundle, -1, written)
    once = {(each.target, each.symbol): each for each in reversed(found)}
    ordered = sorted(once.values(), key=lambda each: (each.target < 0, each.target, each.symbol))
    too_deep = f"What is more than {_DEEPEST} steps away is left out." if any(each.depth == _DEEPEST for each in ordered) else ""
    note = " ".join(filter(None, (_note_of(bundle, symbols.ordinals), too_deep)))
    return Implementations(symbols, tuple(ordered), note)


def implementations_of(bundle: Bundle, ordinals: Iterable[int]) -> list[Implementation]:
    """As :func:`implementations`, of symbols by their ordinals."""
    found: list[Implementation] = []
    members = lru_cache(partial(_members_named, bundle))  # several targets share a name
    for target in groups_of(bundle, ordinals):
        if bundle.symbol_name(target).kind in _MEMBERS:
            found += _overrides(bundle, target, members)
        else:
            found += _subtypes(bundle, target, relations_to(bundle, target))
    return found


def _note_of(bundle: Bundle, ordinals: Iterable[int]) -> str:
    """One sentence if what implements one of the symbols, or its type, was followed only in part."""
    types = {_owner_of(bundle, bundle.symbol(each)) if bundle.symbol_name(each).kind in _MEMBERS else each for each in ordinals}
    return left_out_note(bundle, (each for each in types if each >= 0))


def _subtypes(bundle: Bundle, target: int, relations: Iterable[Relation]) -> Iterator[Implementation]:
    """The subtypes of ``target``, nearest first, level by level; ``relations`` are those to the target itself."""
    level = [Implementation(each.source, each.kind, each.certainty, target, 1, ()) for each in relations if _is_heritage(each)]
    seen = {target}
    while level and level[0].depth <= _DEEPEST:
        next_level: list[Implementation] = []
        for each in level:
            first = _type_of(bundle, each.symbol)
            if first in seen:
                continue
            seen.add(first)
            yield each
            next_level += [
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
        level = next_level


def _is_heritage(relation: Relation) -> bool:
    return relation.kind in HERITAGE and relation.source >= 0


def _members_named(bundle: Bundle, name: str) -> _Members:
    """Qualified name of a type -> its members of exactly that name."""
    owned: _Members = {}
    for ordinal in symbols_named(bundle, name, _MEMBERS):
        symbol = bundle.symbol(ordinal)
        if symbol.name == name:
            owned.setdefault(symbol.qualified_name.rpartition(".")[0], []).append((ordinal, symbol))
    return owned


def _overrides(bundle: Bundle, target: int, members: Callable[[str], _Members]) -> Iterator[Implementation]:
    """The members of the target's name on the subtypes of its type."""
    member = bundle.symbol(target)
    owner = _owner_of(bundle, member)
    if owner < 0:
        return
    owned = members(member.name)
    for each in _subtypes(bundle, owner, relations_to(bundle, owner)):
        type_ = bundle.symbol(each.symbol)
        for ordinal, symbol in owned.get(type_.qualified_name, ()):
            if _is_near(bundle, type_, symbol):
                yield each._replace(symbol=ordinal, target=target)


class Namesakes:
    """The functions of a name by their qualified names, read once for each name. Not to be shared between threads."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._named: dict[str, dict[str, list[int]]] = {}

    def __call__(self, name: str, qualified_name: str) -> Sequence[int]:
        """The functions of that name and qualified name."""
        if name not in self._named:
            found = self._named[name] = {}
            for each in symbols_named(self._bundle, name, FUNCTIONS):
                found.setdefault(self._bundle.symbol_name(each).qualified_name, []).append(each)
        return self._named[name].get(qualified_name, ())


def overridden(
    bundle: Bundle, method: int, first: Callable[[int], int] | None = None, namesakes: Namesakes | None = None
) -> Iterator[tuple[int, Certainty]]:
    """The methods that a method overrides or implements, on the supertypes of its type, nearest first, each with its certainty.

    Args:
        bundle: where to look.
        method: ordinal.
        first: :func:`first_of` of the bundle, or a :class:`FirstSymbols` where many are asked for.
        namesakes: shared where many are asked for.
    """
    namesakes = namesakes or Namesakes(bundle)
    member = bundle.symbol(method)
    is_inside = member.parent >= 0 and bundle.symbol_name(member.parent).kind in TYPES
    owner = first(member.parent) if first and is_inside else _owner_of(bundle, member)
    level, seen = [(owner, Certainty.EXACT)] if owner >= 0 else [], {owner}
    while level:
        above: list[tuple[int, Certainty]] = []
        for type_, certainty in level:
            for relation in bundle.related.relations_from(type_):
                if relation.kind in HERITAGE and relation.target >= 0 and relation.target not in seen:
                    seen.add(relation.target)
                    above.append((relation.target, max(certainty, relation.certainty, key=_CERTAINTIES.index)))
        for type_, certainty in above:
            supertype = bundle.symbol(type_)
            for each in namesakes(member.name, f"{supertype.qualified_name}.{member.name}"):
                if _is_near(bundle, supertype, bundle.symbol(each)):
                    yield first(each) if first else first_of(bundle, each), certainty
        level = above


def _owner_of(bundle: Bundle, member: SymbolRecord) -> int:
    """The first symbol of the type that a member belongs to; -1 if there is none.

    The qualified name of a method outside its type (Go, Rust, C++) names the type: one in the method's file, else in its folder.
    """
    if member.parent >= 0 and bundle.symbol_name(member.parent).kind in TYPES:
        return first_of(bundle, member.parent)
    scope = member.qualified_name.rpartition(".")[0]
    return _type_near(bundle, scope, member) if scope else -1


def _type_of(bundle: Bundle, ordinal: int) -> int:
    """The first symbol of the type that a symbol declares or, like ``extension Stall: Sells``, extends."""
    symbol = bundle.symbol(ordinal)
    type_ = _type_near(bundle, symbol.qualified_name, symbol) if symbol.kind is Kind.BLOCK else -1
    return type_ if type_ >= 0 else first_of(bundle, ordinal)


def _type_near(bundle: Bundle, name: str, near: SymbolRecord) -> int:
    """The type of that qualified name in the file of ``near``, else in its folder and package; -1 if there is none."""
    found = [
        (symbol.file != near.file, ordinal)
        for ordinal in symbols_named(bundle, name.rpartition(".")[2], TYPES)
        if (symbol := bundle.symbol(ordinal)).qualified_name == name and _is_near(bundle, symbol, near)
    ]
    return first_of(bundle, min(found)[1]) if found else -1


def _is_near(bundle: Bundle, type_: SymbolRecord, member: SymbolRecord) -> bool:
    """Whether a member is in the file, or in the folder and package, of a type."""
    if type_.file == member.file:
        return True
    folders = {bundle.file(file).path.rpartition("/")[0] for file in (type_.file, member.file)}
    return type_.package == member.package and len(folders) == 1
