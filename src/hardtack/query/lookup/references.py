"""Symbols in, the places that refer to them out: every one the bundle knows of, and how sure each is.

A use belongs to a symbol when building found that it means the symbol. Uses of the same name of which that could not be told
follow, marked ``possible`` and with no target: they are listed, not guessed at. Symbols of one file with the same qualified name
(overloads, a declaration and its definition) are one group; its references are filed under its first, and asking for any gives all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Kind
from hardtack.nouns.relations import Certainty, Relation, RelationKind
from hardtack.query.lookup.symbols import NamedSymbols, look_up, so_called
from hardtack.query.request.analysis import qualified
from hardtack.query.request.globs import path_predicate

EVERYTHING = frozenset(Kind)
HERITAGE = frozenset({RelationKind.INHERITS, RelationKind.IMPLEMENTS, RelationKind.EMBEDS, RelationKind.USES})
"""How a type rests on another."""

_HEADER_LINES = 20
"""How far below its name the head of a type may still name what it rests on."""

_WRITTEN = re.compile(r"[\w$@]+(?:(?:::|->|[.#\\/])[\w$@]+)*")


class Site(NamedTuple):
    """One place that refers to a symbol."""

    file: int
    """Ordinal of the file."""
    line: int
    start: int
    """First byte of the name in the file's text; -1 where only the line is known."""
    relation: RelationKind
    certainty: Certainty
    source: int
    """Ordinal of the innermost symbol that holds it, of the type that inherits; -1 at a file's top."""
    target: int
    """Ordinal of the first symbol of the group that is meant; -1 when it is one of several, or none of the bundle's."""


class Caller(NamedTuple):
    """One symbol, or one file outside its symbols, and where it calls one target."""

    file: int
    source: int
    """Ordinal of the calling symbol; -1 for the top of the file."""
    target: int
    calls: tuple[Site, ...]
    """In order of line."""


class Found(NamedTuple):
    """What a name was found to mean, and what of it was asked for."""

    symbols: NamedSymbols
    sites: tuple[Site, ...]
    """By target, then file and place; those without a target last."""


def references(bundle: Bundle, name: str, *, package: str = "", owner: str = "") -> Found:
    """Every place that refers to the symbols of that name: uses, calls, and what inherits, implements, embeds or imports them.

    A name that no symbol has may still be written as a supertype or in an import: then the places are those, without a target.

    Args:
        bundle: where to look.
        name: a name, or the end of a qualified one.
        package: only symbols of this package or namespace, or of one that ends in it.
        owner: only members of a type of this name.
    """
    symbols = look_up(bundle, name, EVERYTHING, package=package, owner=owner)
    if symbols.ordinals:
        return Found(symbols, tuple(_references(bundle, groups_of(bundle, symbols.ordinals))))
    written = [] if package or owner else naming(bundle, name, frozenset(RelationKind), any_case=True)
    return Found(symbols, tuple(map(_site, written)))


def callers(bundle: Bundle, name: str, *, package: str = "", owner: str = "") -> Found:
    """The places that call the symbols of that name; arguments as for :func:`references`.

    A type is called where it is instantiated, and so is its constructor.
    """
    found = references(bundle, name, package=package, owner=owner)
    sites = [*found.sites, *_instantiations(bundle, groups_of(bundle, found.symbols.ordinals))]
    return found._replace(sites=tuple(site for site in sites if site.relation is RelationKind.CALLS))


def by_caller(sites: Iterable[Site]) -> tuple[Caller, ...]:
    """Calls put together by what they call and where they stand: by target, file and first line."""
    ordered = sorted(sites, key=lambda site: (*_by_target(site), site.file, site.source, site.line, site.start))
    callers = [
        Caller(file, source, target, tuple(calls))
        for (target, file, source), calls in groupby(ordered, key=lambda site: (site.target, site.file, site.source))
    ]
    return tuple(sorted(callers, key=lambda caller: (*_by_target(caller), caller.file, caller.calls[0].line, caller.source)))


def site_filter(bundle: Bundle, least: Certainty, paths: Sequence[str] = ()) -> Callable[[Certainty, int], bool]:
    """Whether something is at least so certain, and in a file that any of the globs matches; no glob is any file."""
    matches, rank = path_predicate(paths) if paths else None, tuple(Certainty).index
    return lambda certainty, file: rank(certainty) <= rank(least) and (matches is None or matches(bundle.file(file).path))


def groups_of(bundle: Bundle, ordinals: Iterable[int]) -> tuple[int, ...]:
    """The first of each symbol's group, each once, in order."""
    firsts: dict[str, dict[int, int]] = {}
    groups = set()
    for ordinal in ordinals:
        name, file = bundle.symbol_name(ordinal).qualified_name, bundle.symbol(ordinal).file
        if name not in firsts:
            firsts[name] = {bundle.symbol(each).file: each for each in reversed(so_called(bundle, name))}
        groups.add(firsts[name].get(file, ordinal))
    return tuple(sorted(groups))


def first_of(bundle: Bundle, ordinal: int) -> int:
    """The first symbol of the file that has the same qualified name: references are filed under it."""
    symbol = bundle.symbol(ordinal)
    return next(iter(so_called(bundle, symbol.qualified_name, file=symbol.file)), ordinal)


def naming(bundle: Bundle, name: str, kinds: Collection[RelationKind], *, any_case: bool) -> list[Relation]:
    """The relations that end outside the bundle, or at none that could be told, and whose other end is called ``name``.

    What is written without its package (``Component``) is called what the file imports under that name (``react.Component``).

    Args:
        bundle: where to look.
        name: the whole of what it is called, or its end.
        kinds: of relations that count.
        any_case: take what is called so in another case if nothing is in this.
    """
    wanted = qualified(name.strip())
    called: list[tuple[Relation, str]] = []
    for relation in bundle.related.unresolved(wanted.rpartition(".")[2]):
        if relation.kind in kinds:
            called.append((relation, f".{_whole_name(bundle, relation)}"))
    found = [relation for relation, full in called if full.endswith(f".{wanted}")]
    if found or not any_case:
        return found
    return [relation for relation, full in called if full.lower().endswith(f".{wanted.lower()}")]


def _whole_name(bundle: Bundle, relation: Relation) -> str:
    """What a relation's other end is called, its first part as the file imports it."""
    full = as_named(relation)
    if relation.kind is RelationKind.IMPORTS:
        return full
    first, dot, rest = full.partition(".")
    return f"{qualified(imported_name(bundle, relation.file, first))}{dot}{rest}"


def imported_name(bundle: Bundle, file: int, written: str) -> str:
    r"""The whole name of what a file writes in short, by what it imports under that name; else as it is written.

    Joined as the import joins it: ``Illuminate\Database\Eloquent\Model`` for ``Model``.
    """
    for relation in bundle.related.relations_of_file(file):
        if relation.kind is RelationKind.IMPORTS and written and as_named(relation).endswith(f".{written}"):
            return relation.name.replace(" ", "\\" if "\\" in relation.name else ".")
    return written


def as_named(relation: Relation) -> str:
    """What a relation's other end is called, joined by dots, without its type arguments."""
    if relation.kind is RelationKind.IMPORTS:
        return qualified(relation.name.replace(" ", "."))
    match = _WRITTEN.search(relation.name)
    return qualified(match[0]) if match else relation.name


def _references(bundle: Bundle, groups: Sequence[int]) -> Iterator[Site]:
    wanted = set(groups)
    filed: dict[int, list[Site]] = {}
    untold: list[Site] = []
    for name in dict.fromkeys(bundle.symbol_name(group).name for group in groups):
        for each in bundle.related.references_of(name):
            if each.target in wanted or each.target < 0:
                site = Site(each.file, each.line, each.start, _kind(is_call=each.is_call), each.certainty, each.source, each.target)
                (filed.setdefault(each.target, []) if each.target >= 0 else untold).append(site)
    for group in groups:
        yield from _with_relations(filed.get(group, []), bundle.related.relations_to(group))
    yield from untold


def _instantiations(bundle: Bundle, groups: Sequence[int]) -> Iterator[Site]:
    """For each constructor the places that refer to its type, as if they did to it."""
    for group in groups:
        symbol = bundle.symbol(group)
        if symbol.kind is Kind.CONSTRUCTOR and symbol.parent >= 0:
            type_ = first_of(bundle, symbol.parent)
            yield from (site._replace(target=group) for site in _references(bundle, [type_]) if site.target == type_)


def _with_relations(sites: list[Site], relations: Iterable[Relation]) -> list[Site]:
    """The sites and relations of one target, in order: a use that is what a relation rests on says so, and is not there twice."""
    free: dict[tuple[int, int], list[int]] = {}
    for number, site in enumerate(sites):
        if site.relation is RelationKind.REFERENCES:
            free.setdefault((site.file, site.source), []).append(number)
    alone = []
    for relation in relations:
        near = free.get((relation.file, relation.source), [])
        number = next((each for each in near if 0 <= sites[each].line - relation.line <= _HEADER_LINES), -1)
        if number < 0:
            alone.append(_site(relation))
        else:
            near.remove(number)
            sites[number] = sites[number]._replace(relation=relation.kind)
    return sorted([*sites, *alone], key=lambda site: (site.file, site.line, site.start))


def _site(relation: Relation) -> Site:
    return Site(relation.file, relation.line, -1, relation.kind, relation.certainty, relation.source, relation.target)


def _kind(*, is_call: bool) -> RelationKind:
    return RelationKind.CALLS if is_call else RelationKind.REFERENCES


def _by_target(thing: Site | Caller) -> tuple[bool, int]:
    return thing.target < 0, thing.target
