"""Symbols in, everything that leads to them by calls out: callers of callers, by distance, each with its next step.

A step is a call, an instantiation, or a place that names a function as a value, which may be called wherever the value goes; to a
field, a property or a variable, a place that reads or sets it. A call
of a method of a supertype is a step to each method that overrides it: which one runs is decided at run time, so such a step is
``likely`` at best, and says through which method it goes. A function that is defined in another and is called nowhere is taken for
a value that the other passes on, ``likely`` as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, VALUES, Kind
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.query.lookup.fixtures import fixture_sites
from hardtack.query.lookup.implementations import Namesakes, implementations_of, overridden
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.references import (
    HERITAGE,
    FirstSymbols,
    ReadReferences,
    Site,
    calls_of,
    function_around,
    groups_of,
    namings_of,
)

MAX_DEPTH: Final = 12
MAX_REACHED: Final = 4000
"""Symbols at which a search ends."""

_NAMES_KEPT: Final = 128
_INHERITS_CONSTRUCTORS: Final = frozenset({"python", "ruby", "php", "javascript", "typescript", "tsx", "swift"})
_MOST_SUBTYPES: Final = 500
"""Subtypes whose instances are looked for."""
_RANK: Final = tuple(Certainty).index


class Shared(NamedTuple):
    """What looking for the places that lead to many symbols reads once."""

    first: FirstSymbols
    namesakes: Namesakes
    read: ReadReferences
    """Keeps the references of names: methods of one name are many, and each reads those of all."""


def shared_of(bundle: Bundle) -> Shared:
    """What searches in one bundle share. Not to be used by several threads."""
    return Shared(FirstSymbols(bundle), Namesakes(bundle), lru_cache(maxsize=_NAMES_KEPT)(bundle.related.references_of))


class Step(NamedTuple):
    """A symbol that leads to the targets, and its next step on a shortest way."""

    symbol: int
    """Ordinal of the first symbol of its reference group."""
    site: Site
    """The place of the next step."""
    next: int
    """The symbol that is stepped to."""
    through: int
    """The method of a supertype that the place calls; -1 if it calls ``next`` itself."""
    depth: int
    """Steps to a target, from 1."""
    own: Certainty
    """Of this step."""
    certainty: Certainty
    """Of the least certain step on the way."""


@dataclass(slots=True)
class Reached:
    """What leads to some symbols."""

    steps: dict[int, Step] = field(default_factory=dict)
    """By symbol, nearest first."""
    tops: list[Step] = field(default_factory=list)
    """Steps from the top of a file, outside any symbol; ``symbol`` is -1."""
    levels: int = 0
    """Steps to which all was looked at."""
    is_whole: bool = True
    """Whether the search came to its end; if not, as many symbols or steps as were wanted were reached before."""

    def way_from(self, symbol: int) -> list[Step]:
        """The steps from a symbol to a target; empty if there are none."""
        way: list[Step] = []
        while (step := self.steps.get(symbol)) is not None and len(way) <= MAX_DEPTH:
            way.append(step)
            symbol = step.next
        return way


def reached(
    bundle: Bundle,
    targets: Iterable[int],
    *,
    depth: int = MAX_DEPTH,
    certainty: Certainty = Certainty.LIKELY,
    until: Iterable[int] = (),
    most: int = 0,
    widely: bool = False,
    goes_on: Callable[[Reached], bool] | None = None,
    shared: Shared | None = None,
) -> Reached:
    """Everything that leads to the symbols ``targets``.

    Args:
        bundle: where to look.
        targets: ordinals.
        depth: steps at most.
        certainty: the least of a step.
        until: ordinals; the search ends at the first of these.
        most: symbols at which the search ends, but not before all that is one step away;
            :data:`MAX_REACHED` unless it is given.
        widely: take also the steps of :func:`wider_sites_to`, by which a change of a definition is noticed.
        goes_on: is asked after each distance whether to look further.
        shared: what :func:`shared_of` gives, where many searches are made.
    """
    found = Reached()
    shared = shared or shared_of(bundle)
    first = shared.first
    groups, wanted = groups_of(bundle, targets), frozenset(groups_of(bundle, until))
    level, seen = list(groups), set(groups)
    distance = 0
    while level and distance < depth:
        distance += 1
        further: list[int] = []
        for target in level:
            for site, through, sure in (wider_sites_to if widely else sites_to)(bundle, target, certainty, shared):
                symbol = first(function_around(bundle, site.source)) if site.source >= 0 else -1
                step = _step(found, symbol, site, target, through, sure, distance)
                if step.symbol < 0:
                    found.tops.append(step)
                elif step.symbol not in seen:
                    seen.add(step.symbol)
                    found.steps[step.symbol] = step
                    further.append(step.symbol)
                    if step.symbol in wanted:
                        return found
            if len(found.steps) > (most if most and distance > 1 else MAX_REACHED):
                found.is_whole = False
                return found
        level, found.levels = further, distance
        if goes_on and not goes_on(found):
            break
    found.is_whole = not level
    return found


def _step(found: Reached, symbol: int, site: Site, target: int, through: int, sure: Certainty, distance: int) -> Step:
    """The step from a site to ``target``, as certain as the rest of the way allows."""
    onward = found.steps.get(target)
    least = max(sure, onward.certainty, key=_RANK) if onward else sure
    return Step(symbol, site, target, through, distance, sure, least)


def sites_to(
    bundle: Bundle, target: int, certainty: Certainty, shared: Shared | None = None
) -> Iterator[tuple[Site, int, Certainty]]:
    """The places that step to a symbol, those by the method of a supertype last; each with that method and its certainty."""
    first, namesakes, read = shared or (None, None, None)
    calls = [site for site in _calls(bundle, target, read) if _RANK(site.certainty) <= _RANK(certainty)]
    yield from ((site, -1, site.certainty) for site in calls)
    if bundle.symbol_name(target).kind not in FUNCTIONS or _RANK(certainty) < _RANK(Certainty.LIKELY):
        return
    if not calls and (outer := _outer(bundle, target)) >= 0:
        symbol = bundle.symbol(target)
        place = Site(symbol.file, symbol.selection_line, -1, RelationKind.REFERENCES, Certainty.LIKELY, outer, target)
        yield place, -1, Certainty.LIKELY
    for method, sure in overridden(bundle, target, first, namesakes):
        for site in _calls(bundle, method, read):
            least = max(site.certainty, sure, Certainty.LIKELY, key=_RANK)
            if _RANK(least) <= _RANK(certainty):
                yield site, method, least


def wider_sites_to(
    bundle: Bundle, target: int, certainty: Certainty, shared: Shared | None = None
) -> Iterator[tuple[Site, int, Certainty]]:
    """As :func:`sites_to`, and what does not call the symbol but has to do with how it is defined.

    To a type, what builds on it, and what names it for a value or a declaration; to a constructor, what makes an instance of a
    subtype that has none of its own; to a fixture of pytest, the functions that take its value by a parameter of its name.
    """
    yield from sites_to(bundle, target, certainty, shared)
    read = shared.read if shared else None
    kind = bundle.symbol_name(target).kind
    sites: Iterable[Site] = ()
    if kind in TYPES:
        heirs = (site for site in calls_of(bundle, [target], read) if site.relation in HERITAGE)
        sites = (*heirs, *namings_of(bundle, [target], read))
    elif kind is Kind.ENUM_MEMBER:
        sites = namings_of(bundle, [target], read)
    elif kind is Kind.CONSTRUCTOR:
        sites = inherited_instantiations(bundle, target, read)
    elif kind in FUNCTIONS:
        sites = fixture_sites(bundle, target)
    for site in sites:
        if _RANK(site.certainty) <= _RANK(certainty):
            yield site, -1, site.certainty


def inherited_instantiations(bundle: Bundle, constructor: int, read: ReadReferences | None = None) -> Iterator[Site]:
    """Where an instance is made of a subtype that has no constructor of its own, in languages that inherit constructors."""
    symbol = bundle.symbol(constructor)
    if symbol.parent < 0 or bundle.file(symbol.file).language not in _INHERITS_CONSTRUCTORS:
        return
    finder = MemberFinder(bundle)
    for each in implementations_of(bundle, [symbol.parent])[:_MOST_SUBTYPES]:
        members = finder.of(each.symbol).members
        if not any(bundle.symbol_name(member).kind is Kind.CONSTRUCTOR for member in members):
            for site in calls_of(bundle, [each.symbol], read):
                if site.relation is RelationKind.CALLS and site.target == each.symbol:
                    yield site._replace(target=constructor, certainty=max(site.certainty, Certainty.LIKELY, key=_RANK))


def _outer(bundle: Bundle, function: int) -> int:
    """The function that a function is defined in; -1 if there is none."""
    outer = function_around(bundle, bundle.symbol(function).parent)
    return outer if outer >= 0 and bundle.symbol_name(outer).kind in FUNCTIONS else -1


def _calls(bundle: Bundle, target: int, read: ReadReferences | None) -> Iterator[Site]:
    if bundle.symbol_name(target).kind in VALUES:
        yield from namings_of(bundle, [target], read)
    yield from (site for site in calls_of(bundle, [target], read) if site.relation not in HERITAGE)
