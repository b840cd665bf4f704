"""Symbols in, all places in the bundle that refer to them out, each with its certainty.

The build resolved each use to a symbol where it could. Uses of the same name that it could not resolve follow, with the certainty
``possible`` and without a target. Symbols of one file with one qualified name (overloads, a declaration and its definition) are a
reference group: their references are stored under the first of them, and a look-up of any of them gives all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Certainty, Reference, Relation, RelationKind
from hardtack.query.lookup.declarations import Declared, declarations_of
from hardtack.query.lookup.symbols import FoundSymbols, look_up, symbols_qualified
from hardtack.query.request.analysis import qualified
from hardtack.query.request.globs import path_predicate
from hardtack.query.request.top import spelt_glob

ALL_KINDS = frozenset(Kind)
HERITAGE = frozenset({RelationKind.INHERITS, RelationKind.IMPLEMENTS, RelationKind.EMBEDS, RelationKind.USES})
"""The relations of a type to its supertypes."""

_LEFT_OUT = "More types may implement it: of types that implement or embed very many others, only some relations are kept."
_CALLING = HERITAGE | {RelationKind.CALLS}
_VALUES = frozenset({Kind.FUNCTION, Kind.METHOD})
"""Kinds that are called, and so are passed on as values."""
_HEADER_LINES = 20
"""Lines below a type's name in which its header may still name its supertypes."""

_QUALIFIED_NAME = re.compile(r"[\w$@]+(?:(?:::|->|[.#\\/])[\w$@]+)*")

ReadReferences = Callable[[str], Sequence[Reference]]


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
    """Ordinal of the innermost symbol around the place, or of the type that inherits; -1 at the top level of a file."""
    target: int
    """Ordinal of the first symbol of the reference group; -1 if it is not resolved, or not in the bundle."""


class Caller(NamedTuple):
    """One symbol, or one file outside its symbols, and where it calls one target or names it as a value."""

    file: int
    source: int
    """Ordinal of the calling symbol; -1 for the top level of the file."""
    target: int
    calls: tuple[Site, ...]
    """In order of line."""


class References(NamedTuple):
    """The symbols of a name, and the places that refer to them."""

    symbols: FoundSymbols
    sites: tuple[Site, ...]
    """By target, file and line; those without a target last."""


def references(bundle: Bundle, name: str, *, package: str = "", owner: str = "") -> References:
    """Every place that uses, calls, inherits, implements, embeds or imports the symbols of that name.

    For a name that no symbol has, the places that write it as a supertype or in an import, without a target.

    Args:
        bundle: where to look.
        name: a name, or the last parts of a qualified one.
        package: only symbols of this package or namespace, or of one that ends in it.
        owner: only members of a type of this name.
    """
    symbols = look_up(bundle, name, ALL_KINDS, package=package, owner=owner)
    if symbols.ordinals:
        return References(symbols, tuple(_references(bundle, groups_of(bundle, symbols.ordinals))))
    written = [] if package or owner else unresolved_relations(bundle, name, frozenset(RelationKind), any_case=True)
    return References(symbols, tuple(map(_site, written)))


def callers(bundle: Bundle, name: str, *, package: str = "", owner: str = "") -> References:
    """The places that call the symbols of that name, build on the types or name the functions as values; arguments as before.

    An instantiation is a call of the type, and of its constructor. A function that is named without being called may be called
    wherever the value goes; an import is no such place.
    """
    found = references(bundle, name, package=package, owner=owner)
    return found._replace(sites=_calling(bundle, found.sites, groups_of(bundle, found.symbols.ordinals)))


def calls_of(bundle: Bundle, groups: Sequence[int], read: ReadReferences | None = None) -> tuple[Site, ...]:
    """As :func:`callers`, of reference groups by the ordinals of their first symbols; a name that is not resolved is no call.

    Args:
        bundle: where to look.
        groups: ordinals.
        read: gives the references of a name; from the bundle unless it is given, to be kept where many are asked for.
    """
    return _calling(bundle, [site for site in _references(bundle, groups, read) if site.target >= 0], groups)


def namings_of(bundle: Bundle, groups: Sequence[int], read: ReadReferences | None = None) -> tuple[Site, ...]:
    """The places that name types for a value or a declaration, or read or set fields and variables; no imports.

    Args:
        bundle: where to look.
        groups: ordinals of reference groups.
        read: as of :func:`calls_of`.
    """
    sites = [site for site in _references(bundle, groups, read) if site.target >= 0 and site.relation is RelationKind.REFERENCES]
    imported = {(file, line) for file in {site.file for site in sites} for line in _import_lines(bundle, file)}
    return tuple(site for site in sites if (site.file, site.line) not in imported)


def function_around(bundle: Bundle, ordinal: int) -> int:
    """The innermost function or type that a symbol is or lies in; the symbol itself where it lies in none, or -1 is given.

    The innermost symbol around a place may be a local variable (``found = look(name)``), which calls nothing of its own.
    """
    around = ordinal
    while around >= 0 and bundle.symbol_name(around).kind not in FUNCTIONS:
        if bundle.symbol_name(around).kind in TYPES:
            return ordinal  # a field, whose default is made when the type is
        around = bundle.symbol(around).parent
    return around if around >= 0 else ordinal


def _calling(bundle: Bundle, referring: Iterable[Site], groups: Sequence[int]) -> tuple[Site, ...]:
    """Those of the places that refer to the groups which call them, and those that instantiate the types of constructors."""
    sites = [*referring, *_instantiations(bundle, groups)]
    named = {site for site in sites if _is_value(bundle, site)}
    imported = {(file, line) for file in {site.file for site in named} for line in _import_lines(bundle, file)}
    return tuple(site for site in sites if site.relation in _CALLING or (site in named and (site.file, site.line) not in imported))


def _is_value(bundle: Bundle, site: Site) -> bool:
    """Whether a place names a function or method without calling it."""
    is_named = site.relation is RelationKind.REFERENCES and site.target >= 0
    return is_named and bundle.symbol_name(site.target).kind in _VALUES


def _import_lines(bundle: Bundle, file: int) -> Iterator[int]:
    for relation in bundle.related.relations_of_file(file):
        if relation.kind is RelationKind.IMPORTS:
            yield relation.line


def by_caller(sites: Iterable[Site]) -> tuple[Caller, ...]:
    """Calls grouped by target and calling symbol; ordered by target, file and first line."""
    ordered = sorted(sites, key=lambda site: (*_by_target(site), site.file, site.source, site.line, site.start))
    callers = [
        Caller(file, source, target, tuple(calls))
        for (target, file, source), calls in groupby(ordered, key=lambda site: (site.target, site.file, site.source))
    ]
    return tuple(sorted(callers, key=lambda caller: (*_by_target(caller), caller.file, caller.calls[0].line, caller.source)))


def site_filter(bundle: Bundle, least: Certainty, paths: Sequence[str] = ()) -> Callable[[Certainty, int], bool]:
    """A test of a certainty and a file's ordinal: is it at least as certain, in a file that a glob matches. No globs: any file."""
    matches = path_predicate([spelt_glob(bundle, path) for path in paths]) if paths else None
    rank = tuple(Certainty).index
    return lambda certainty, file: rank(certainty) <= rank(least) and (matches is None or matches(bundle.file(file).path))


def groups_of(bundle: Bundle, ordinals: Iterable[int]) -> tuple[int, ...]:
    """The first symbol of each symbol's reference group, each once, ascending."""
    firsts: dict[str, dict[int, int]] = {}
    groups = set()
    for ordinal in ordinals:
        name, file = bundle.symbol_name(ordinal).qualified_name, bundle.symbol(ordinal).file
        if name not in firsts:
            firsts[name] = {bundle.symbol(each).file: each for each in reversed(symbols_qualified(bundle, name))}
        groups.add(firsts[name].get(file, ordinal))
    return tuple(sorted(groups))


def first_of(bundle: Bundle, ordinal: int) -> int:
    """The first symbol of a symbol's reference group."""
    symbol = bundle.symbol(ordinal)
    return next(iter(symbols_qualified(bundle, symbol.qualified_name, file=symbol.file)), ordinal)


class FirstSymbols:
    """As :func:`first_of`, for very many symbols: reads the names of each file once. Not to be shared between threads."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._of_file: dict[int, dict[str, int]] = {}

    def __call__(self, ordinal: int) -> int:
        """The first symbol of a symbol's reference group."""
        name, file = self._bundle.symbol_name(ordinal).qualified_name, self._bundle.symbol(ordinal).file
        if file not in self._of_file:
            record = self._bundle.file(file)
            ordinals = range(record.first_symbol, record.first_symbol + record.symbol_count)
            self._of_file[file] = {self._bundle.symbol_name(each).qualified_name: each for each in reversed(ordinals)}
        return self._of_file[file][name]


def left_out_note(bundle: Bundle, types: Iterable[int]) -> str:
    """One sentence if the build left out relations to one of these types; else empty."""
    facts = (fact for each in types for fact in bundle.related.facts_of(each))
    return _LEFT_OUT if any(fact.key == "left_out" for fact in facts) else ""


def relations_to(bundle: Bundle, symbol: int) -> list[Relation]:
    """The relations whose target is a symbol, in order of file and line.

    Interfaces of the same methods, where they and their implementers are many, are related to each other, and the implementers to
    one of them alone (FORMAT.md, 4.7). Then those to the others are among the result, and those between them are not.
    """
    found: list[Relation] = []
    equals = {symbol: None}
    waiting = [symbol]
    for each in waiting:
        implementing = bundle.related.relations_to(each)
        implemented = {relation.target for relation in bundle.related.relations_from(each) if _is_by_methods(relation)}
        mutual = {relation.source: None for relation in implementing if _is_by_methods(relation) and relation.source in implemented}
        waiting += (source for source in mutual if source not in equals)
        equals |= mutual
        found += implementing if each == symbol else filter(_is_by_methods, implementing)
    if len(equals) == 1:
        return found
    return sorted(
        (relation._replace(target=symbol) for relation in found if relation.source not in equals),
        key=lambda relation: (relation.file, relation.line, relation.source),
    )


def _is_by_methods(relation: Relation) -> bool:
    """Whether it may be one that follows from methods alone, as in Go."""
    return relation.kind is RelationKind.IMPLEMENTS and relation.certainty is Certainty.EXACT and relation.target >= 0


def unresolved_relations(bundle: Bundle, name: str, kinds: Collection[RelationKind], *, any_case: bool) -> list[Relation]:
    """The relations to ``name`` whose target is not resolved, or not in the bundle.

    A name written without its package (``Component``) counts as what the file imports under that name (``react.Component``).

    Args:
        bundle: where to look.
        name: the qualified name of the target, or its last parts.
        kinds: kinds of relations to give.
        any_case: ignore case if there is no match otherwise.
    """
    wanted = qualified(name.strip())
    named: list[tuple[Relation, str]] = []
    for relation in bundle.related.unresolved(wanted.rpartition(".")[2]):
        if relation.kind in kinds:
            named.append((relation, f".{_full_target_name(bundle, relation)}"))
    found = [relation for relation, full in named if full.endswith(f".{wanted}")]
    if found or not any_case:
        return found
    return [relation for relation, full in named if full.lower().endswith(f".{wanted.lower()}")]


def _full_target_name(bundle: Bundle, relation: Relation) -> str:
    """The name of a relation's target, its first part replaced by what the file imports under it."""
    written = _target_name(relation)
    if relation.kind is RelationKind.IMPORTS:
        return written
    first, dot, rest = written.partition(".")
    return f"{qualified(imported_name(bundle, relation.file, first))}{dot}{rest}"


def imported_name(bundle: Bundle, file: int, written: str) -> str:
    r"""The full name that a file imports under a short one; the short name itself if it imports none.

    With the separators of the import: ``Illuminate\Database\Eloquent\Model`` for ``Model``.
    """
    for relation in bundle.related.relations_of_file(file):
        if relation.kind is RelationKind.IMPORTS and written and _target_name(relation).endswith(f".{written}"):
            return relation.name.replace(" ", "\\" if "\\" in relation.name else ".")
    return written


def _target_name(relation: Relation) -> str:
    """The name of a relation's target as it is written, joined by dots, without type arguments."""
    if relation.kind is RelationKind.IMPORTS:
        return qualified(relation.name.replace(" ", "."))
    match = _QUALIFIED_NAME.search(relation.name)
    return qualified(match[0]) if match else relation.name


def _references(bundle: Bundle, groups: Sequence[int], read: ReadReferences | None = None) -> Iterator[Site]:
    read = read or bundle.related.references_of
    declared = declarations_of(bundle, groups)
    wanted = _members_of(bundle, groups) | declared.keys()
    resolved: dict[int, list[Site]] = {}
    unresolved: list[Site] = []
    for name in dict.fromkeys(bundle.symbol_name(group).name for group in groups):
        for each in read(name):
            if each.target in wanted or each.target < 0:
                kind = RelationKind.CALLS if each.is_call else RelationKind.REFERENCES
                site = Site(each.file, each.line, each.start, kind, each.certainty, each.source, each.target)
                (resolved.setdefault(each.target, []) if each.target >= 0 else unresolved).append(site)
    for target in sorted(wanted):
        sites = _with_relations(resolved.get(target, []), relations_to(bundle, target))
        yield from (_of_definition(site, declared[target]) for site in sites) if target in declared else sites
    yield from unresolved


def _of_definition(site: Site, declared: Declared) -> Site:
    """The use of a declaration as one of its definition."""
    certainty = site.certainty if declared.is_only or site.certainty is Certainty.POSSIBLE else Certainty.LIKELY
    return site._replace(target=declared.definition, certainty=certainty)


def _members_of(bundle: Bundle, groups: Sequence[int]) -> frozenset[int]:
    """The symbols of reference groups: a field and a method of one name, and each overload, may be referred to themselves."""
    places = {(bundle.symbol_name(group).qualified_name, bundle.symbol(group).file) for group in groups}
    named = [(name, each) for name in {name for name, _ in places} for each in symbols_qualified(bundle, name)]
    return frozenset(groups) | {each for name, each in named if (name, bundle.symbol(each).file) in places}


def _instantiations(bundle: Bundle, groups: Sequence[int]) -> Iterator[Site]:
    """The references to the types of constructors, with the constructor as their target."""
    for group in groups:
        symbol = bundle.symbol(group)
        if symbol.kind is Kind.CONSTRUCTOR and symbol.parent >= 0:
            type_ = first_of(bundle, symbol.parent)
            yield from (site._replace(target=group) for site in _references(bundle, [type_]) if _creates(site, type_))


def _creates(site: Site, type_: int) -> bool:
    return site.target == type_ and site.relation is RelationKind.CALLS


def _with_relations(sites: list[Site], relations: Iterable[Relation]) -> list[Site]:
    """The sites of one target, with its relations as sites, in order of file and line.

    A relation comes from a use in the header of its source symbol. Such a use gets the kind of the relation, so that it is not
    listed twice.
    """
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


def _by_target(entry: Site | Caller) -> tuple[bool, int]:
    """A sort key that puts entries without a target last."""
    return entry.target < 0, entry.target
