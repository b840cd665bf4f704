"""A symbol in, what stands around it out: callers, tests that reach it, what it stands on and what stands on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import Around, ExploredSymbol
from hardtack.nouns.model import FUNCTIONS, TYPES
from hardtack.nouns.relations import Certainty
from hardtack.query.lookup.implementations import implementations_of, overridden
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.reach import reached
from hardtack.query.lookup.references import HERITAGE, by_caller, calls_of, groups_of
from hardtack.query.lookup.symbols import place_of
from hardtack.query.lookup.usages import calling_symbols

TEST_DEPTH: Final = 4
"""Calls from a test to a symbol at most."""
_MOST: Final = 200
"""Of each list."""


def explored(bundle: Bundle, ordinal: int) -> ExploredSymbol:
    """The symbol as an exploration tells of it."""
    symbol = bundle.symbol(ordinal)
    file = bundle.file(symbol.file)
    return ExploredSymbol(
        kind=symbol.kind.value,
        name=symbol.qualified_name,
        path=file.path,
        first=symbol.extent_start_line,
        last=symbol.end_line,
        line=symbol.selection_line,
        language=file.language,
        is_test=bool(file.is_test),
    )


def around(bundle: Bundle, ordinal: int) -> Around:
    """What stands around a symbol."""
    groups = groups_of(bundle, _with_members(bundle, ordinal))
    own = {_identity(bundle, each) for each in groups}
    calls = (site for site in calls_of(bundle, groups) if site.relation not in HERITAGE)
    sites = [site for site in calls if site.source < 0 or _identity(bundle, site.source) not in own]
    is_test = [bool(bundle.file(site.file).is_test) for site in sites]
    callers = by_caller(site for site, test in zip(sites, is_test, strict=True) if not test)
    ranked = sorted(calling_symbols(bundle, callers[:_MOST]), key=lambda each: tuple(Certainty).index(each.certainty))
    reach = reached(bundle, groups, depth=TEST_DEPTH)
    tests = [step for step in reach.steps.values() if bundle.file(bundle.symbol(step.symbol).file).is_test]
    return Around(
        symbol=explored(bundle, ordinal),
        callers=tuple(ranked),
        tests=tuple(explored(bundle, step.symbol) for step in tests if step.depth == 1)[:_MOST],
        tests_through=tuple(explored(bundle, step.symbol) for step in tests if step.depth > 1)[:_MOST],
        supertypes=tuple(_supertypes(bundle, ordinal)),
        subtypes=tuple((each.relation.value, explored(bundle, each.symbol)) for each in implementations_of(bundle, [ordinal]))[
            :_MOST
        ],
        siblings=tuple(explored(bundle, each) for each in _siblings(bundle, ordinal))[:_MOST],
        unresolved=_unresolved(bundle, ordinal),
        is_whole=reach.is_whole or not tests,
    )


def _identity(bundle: Bundle, ordinal: int) -> tuple[str, int]:
    """What the symbols of one reference group share."""
    symbol = bundle.symbol(ordinal)
    return symbol.qualified_name, symbol.file


def _with_members(bundle: Bundle, ordinal: int) -> list[int]:
    """A symbol, and of a type its constructors and methods, through which it is used."""
    if bundle.symbol_name(ordinal).kind not in TYPES:
        return [ordinal]
    members = MemberFinder(bundle).of(ordinal).members
    return [ordinal, *(each for each in members if bundle.symbol_name(each).kind in FUNCTIONS)]


def _supertypes(bundle: Bundle, ordinal: int) -> Iterator[str]:
    if bundle.symbol_name(ordinal).kind in FUNCTIONS:
        for method, certainty in overridden(bundle, ordinal):
            yield f"overrides {bundle.symbol(method).qualified_name} {place_of(bundle, method)}, {certainty.value}"
        return
    for relation in bundle.related.relations_from(ordinal):
        if relation.kind in HERITAGE:
            place = f" {place_of(bundle, relation.target)}" if relation.target >= 0 else " (outside)"
            yield f"{relation.kind.value} {relation.name}{place}"


def _siblings(bundle: Bundle, ordinal: int) -> Iterator[int]:
    """What stands on the same types of the bundle, or overrides the same methods."""
    if bundle.symbol_name(ordinal).kind in FUNCTIONS:
        above: Iterable[int] = [method for method, _ in overridden(bundle, ordinal)]
    else:
        above = [
            relation.target
            for relation in bundle.related.relations_from(ordinal)
            if relation.kind in HERITAGE and relation.target >= 0
        ]
    seen = {ordinal}
    for each in implementations_of(bundle, above):
        if each.depth == 1 and each.symbol not in seen:
            seen.add(each.symbol)
            yield each.symbol


def _unresolved(bundle: Bundle, ordinal: int) -> int:
    return sum(each.target < 0 for each in bundle.related.references_of(bundle.symbol_name(ordinal).name))
