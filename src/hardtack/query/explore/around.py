"""A symbol in, what stands around it out: callers, tests that reach it, what it stands on and what stands on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import Around, Callers, ExploredSymbol
from hardtack.nouns.model import FUNCTIONS, TYPES, VALUES, Kind
from hardtack.nouns.relations import Certainty
from hardtack.query.lookup.elsewhere import places_of_name
from hardtack.query.lookup.implementations import implementations_of, overridden
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.reach import Reached, Step, reached, sites_to
from hardtack.query.lookup.references import (
    HERITAGE,
    Site,
    by_caller,
    calls_of,
    function_around,
    groups_of,
    imported_name,
    namings_of,
    relations_to,
    unresolved_relations,
)
from hardtack.query.lookup.tests_inside import is_in_test
from hardtack.query.lookup.usages import calling_symbols
from hardtack.query.ranking.path_roles import is_secondary
from hardtack.query.request.analysis import qualified

TEST_DEPTH: Final = 4
"""Calls from a test to a symbol at most."""
_MOST_REACHED: Final = 1000
"""Symbols that lead to one of which tests are told: an answer has room for some tens."""
_SECOND: Final = 2
_MOST: Final = 200
"""Callers of one kind whose lines are looked at."""
_FAMILIES: Final = dict.fromkeys(("c", "cpp", "objc", "cuda"), "c") | dict.fromkeys(
    ("javascript", "typescript", "tsx"), "javascript"
)
"""Languages that call one another's functions by name."""
_RANK: Final = tuple(Certainty).index


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
        is_test=is_in_test(bundle, symbol.file, ordinal),
    )


def around(bundle: Bundle, ordinal: int) -> Around:
    """What stands around a symbol."""
    groups = groups_of(bundle, with_members(bundle, ordinal))
    outside = _Outside(bundle, groups)
    reach = reached(bundle, groups, depth=TEST_DEPTH, most=_MOST_REACHED)
    direct, further = _tests(bundle, reach)
    known = {(each.path, each.name or str(each.line)) for each in (*direct, *further)}
    callers = _callers(bundle, outside.of(calls_of(bundle, groups)))
    through = tuple(_callers_through(bundle, ordinal, outside))
    named = _callers(bundle, outside.of(namings_of(bundle, _named_of(bundle, ordinal))))
    supertypes = dict.fromkeys(_supertypes(bundle, ordinal))
    subtypes = [each for each in implementations_of(bundle, [ordinal]) if each.symbol != ordinal]
    known_subtypes = [(each.relation.value, explored(bundle, each.symbol)) for each in subtypes]
    return Around(
        symbol=explored(bundle, ordinal),
        callers=callers,
        through=through,
        named=named,
        elsewhere=() if callers or through or named else tuple(outside.of_name(ordinal)),
        tests=direct,
        tests_through=further,
        tests_possible=tuple(possible_tests(bundle, ordinal, groups, known)),
        second=tuple(_second(bundle, reach)),
        is_second_whole=reach.levels >= _SECOND or reach.is_whole,
        supertypes=tuple(supertypes),
        subtypes=tuple(_tests_last((*known_subtypes, *_subtypes_by_name(bundle, ordinal, {each.symbol for each in subtypes})))),
        siblings=tuple(one for _, one in _tests_last(("", explored(bundle, each)) for each in _siblings(bundle, ordinal))),
        unresolved=sum(each.target < 0 for each in bundle.related.references_of(bundle.symbol_name(ordinal).name)),
        is_whole=reach.is_whole,
    )


def _tests_last(found: Iterable[tuple[str, ExploredSymbol]]) -> list[tuple[str, ExploredSymbol]]:
    return sorted(found, key=lambda each: each[1].is_test)


# -- callers ----------------------------------------------------------------------------------------------------------------------


class _Outside:
    """Keeps the places that are neither in tests nor in the symbols that are asked about; each once, by the function around it."""

    def __init__(self, bundle: Bundle, own: Sequence[int]) -> None:
        self._bundle = bundle
        symbols = [bundle.symbol(each) for each in own]
        self._own = [(bundle.file(each.file).path, each.extent_start_line, each.end_line) for each in symbols]

    def of(self, sites: Iterable[Site]) -> list[Site]:
        """Those of the places that are outside."""
        named: dict[tuple[str, int], int] = {}
        found: dict[tuple[int, int, int], Site] = {}
        for site in sites:
            if (
                site.relation in HERITAGE
                or is_in_test(self._bundle, site.file, site.source)
                or self._is_own(self._bundle.file(site.file).path, site.line)
            ):
                continue
            source = function_around(self._bundle, site.source)
            if source >= 0:  # overloads of one name are one caller
                source = named.setdefault((self._bundle.symbol_name(source).qualified_name, site.file), source)
            found.setdefault((site.file, site.line, site.start), site._replace(source=source))
        return list(found.values())

    def of_name(self, ordinal: int) -> Iterator[str]:
        """``path:line, line`` of code outside, in the language of a symbol, that has its name."""
        family = _family(self._bundle, self._bundle.symbol(ordinal).file)
        places = places_of_name(self._bundle, [ordinal])[0] if self._bundle.has_text else []
        for path, group in groupby(places, key=lambda place: place[0]):
            file = self._bundle.file_at(path)
            lines = [str(line) for _, line in group if not self._is_own(path, line)]
            if file is not None and not file.is_test and lines and _FAMILIES.get(file.language, file.language) == family:
                yield f"{path}:{', '.join(lines)}"

    def _is_own(self, path: str, line: int) -> bool:
        return any(own == path and first <= line <= last for own, first, last in self._own)


def _callers(bundle: Bundle, sites: Iterable[Site]) -> Callers:
    """Who the places are in: what is neither an example nor a benchmark first, then the surest."""
    secondary = cache(lambda file: is_secondary(bundle, bundle.file(file).path))
    callers = sorted(
        by_caller(site._replace(target=-1) for site in sites),
        key=lambda each: (secondary(each.file), min(_RANK(site.certainty) for site in each.calls)),
    )
    return Callers(symbols=tuple(calling_symbols(bundle, callers[:_MOST])), left=max(len(callers) - _MOST, 0))


def _callers_through(bundle: Bundle, ordinal: int, outside: _Outside) -> Iterator[tuple[str, Callers]]:
    """The methods of supertypes that a method overrides, each with who calls it."""
    if bundle.symbol_name(ordinal).kind not in FUNCTIONS:
        return
    through: dict[int, list[Site]] = {}
    for site, method, certainty in sites_to(bundle, ordinal, Certainty.LIKELY):
        if method >= 0:
            through.setdefault(method, []).append(site._replace(certainty=certainty))
    for method, sites in through.items():
        if callers := _callers(bundle, outside.of(sites)):
            yield bundle.symbol_name(method).qualified_name, callers


def _named_of(bundle: Bundle, ordinal: int) -> tuple[int, ...]:
    """What is named where it is passed on, declared, read or set: a type, of a constructor its type, a field or variable."""
    symbol = bundle.symbol(ordinal)
    if symbol.kind is Kind.CONSTRUCTOR and symbol.parent >= 0:
        return groups_of(bundle, [symbol.parent])
    return groups_of(bundle, [ordinal]) if symbol.kind in TYPES | VALUES else ()


def with_members(bundle: Bundle, ordinal: int) -> list[int]:
    """A symbol, and of a type its constructors and methods, through which it is used."""
    if bundle.symbol_name(ordinal).kind not in TYPES:
        return [ordinal]
    members = MemberFinder(bundle).of(ordinal).members
    return [ordinal, *(each for each in members if bundle.symbol_name(each).kind in FUNCTIONS)]


# -- tests ------------------------------------------------------------------------------------------------------------------------


def _tests(bundle: Bundle, reach: Reached) -> tuple[tuple[ExploredSymbol, ...], tuple[ExploredSymbol, ...]]:
    """Tests that call the symbol themselves, and those that do through others, the nearest first."""
    direct: dict[tuple[str, str], ExploredSymbol] = {}
    through: dict[tuple[str, str], ExploredSymbol] = {}
    for step in sorted((*reach.steps.values(), *reach.tops), key=lambda step: step.depth):
        if is_in_test(bundle, step.site.file, step.site.source):
            test = caller_at(bundle, step)
            key = test.path, test.name
            if step.depth == 1:
                direct.setdefault(key, test)
            elif key not in direct:
                through.setdefault(key, test)
    return tuple(direct.values()), tuple(through.values())


def possible_tests(bundle: Bundle, ordinal: int, own: Sequence[int], known: set[tuple[str, str]]) -> Iterator[ExploredSymbol]:
    """The tests in the language of a symbol that use its name where nothing tells what it means, each at the line of that use.

    Args:
        bundle: where to look.
        ordinal: of the symbol.
        own: the reference groups of it and of its members.
        known: (path, name) of tests that are left out; those that are given are added.
    """
    family = _family(bundle, bundle.symbol(ordinal).file)
    wanted = {-1, *own}
    for use in bundle.related.references_of(bundle.symbol_name(ordinal).name):
        is_unsure = use.target in wanted and (use.target < 0 or use.certainty is Certainty.POSSIBLE)
        if is_unsure and _family(bundle, use.file) == family and is_in_test(bundle, use.file, use.source):
            test = _test_around(bundle, use.file, use.source, use.line)
            if (key := (test.path, test.name or str(test.line))) not in known:
                known.add(key)
                yield replace(test, line=use.line)


def _family(bundle: Bundle, file: int) -> str:
    language = bundle.file(file).language
    return _FAMILIES.get(language, language)


def _second(bundle: Bundle, reach: Reached) -> list[tuple[ExploredSymbol, Certainty]]:
    """What is two steps away and no test, at the line of its step."""
    found = [
        (replace(explored(bundle, step.symbol), line=step.site.line), step.certainty)
        for step in reach.steps.values()
        if step.depth == _SECOND and not is_in_test(bundle, step.site.file, step.site.source)
    ]
    return sorted(found, key=lambda each: (is_secondary(bundle, each[0].path), _RANK(each[1])))


def caller_at(bundle: Bundle, step: Step) -> ExploredSymbol:
    """The symbol that a step is taken in; in a test file the outermost function around it.

    Where there is none, as in ``it("adds", () => ...)``, it is its line alone.
    """
    if not is_in_test(bundle, step.site.file, step.site.source) and step.symbol >= 0:
        return explored(bundle, step.symbol)
    return _test_around(bundle, step.site.file, step.site.source, step.site.line)


def _test_around(bundle: Bundle, file: int, source: int, line: int) -> ExploredSymbol:
    """The outermost function around a place of a test; its line alone where there is none."""
    is_test = is_in_test(bundle, file, source)
    function, outer = -1, function_around(bundle, source) if is_test else -1
    while outer >= 0:
        function = outer if bundle.symbol_name(outer).kind in FUNCTIONS else function
        outer = bundle.symbol(outer).parent
    if function >= 0:
        return explored(bundle, function)
    record = bundle.file(file)
    return ExploredSymbol(
        kind="", name="", path=record.path, first=line, last=line, line=line, language=record.language, is_test=is_test
    )


# -- types ------------------------------------------------------------------------------------------------------------------------


def _supertypes(bundle: Bundle, ordinal: int) -> Iterator[str]:
    if bundle.symbol_name(ordinal).kind in FUNCTIONS:
        for method, _ in overridden(bundle, ordinal):
            yield f"overrides {bundle.symbol_name(method).qualified_name} {_place(bundle, method)}"
        return
    for relation in bundle.related.relations_from(ordinal):
        if relation.kind in HERITAGE:
            place = _place(bundle, relation.target) if relation.target >= 0 else "(outside)"
            yield f"{relation.kind.value} {relation.name} {place}"


def _place(bundle: Bundle, ordinal: int) -> str:
    symbol = bundle.symbol(ordinal)
    return f"{bundle.file(symbol.file).path}:{symbol.selection_line}"


def _subtypes_by_name(bundle: Bundle, ordinal: int, known: set[int]) -> Iterator[tuple[str, ExploredSymbol]]:
    """What builds on a type of this name, in its language, where nothing tells which one: there may be two of one package."""
    symbol = bundle.symbol(ordinal)
    if symbol.kind not in TYPES:
        return
    own = qualified(f"{symbol.package}.{symbol.qualified_name}")
    for relation in unresolved_relations(bundle, symbol.name, HERITAGE, any_case=False):
        if relation.source < 0 or relation.source in known or _family(bundle, relation.file) != _family(bundle, symbol.file):
            continue
        full = qualified(imported_name(bundle, relation.file, symbol.name))
        if full in (symbol.name, own):
            known.add(relation.source)
            yield f"{relation.kind.value}, by the name alone,", explored(bundle, relation.source)


def _siblings(bundle: Bundle, ordinal: int) -> Iterator[int]:
    """What stands on the same types of the bundle, or overrides the same methods."""
    if bundle.symbol_name(ordinal).kind in FUNCTIONS:
        methods = [method for method, _ in overridden(bundle, ordinal)]
        beside = [each.symbol for each in implementations_of(bundle, methods) if each.depth == 1]
    else:
        types = [each.target for each in bundle.related.relations_from(ordinal) if each.kind in HERITAGE and each.target >= 0]
        subtypes = (relation for type_ in types for relation in relations_to(bundle, type_))
        beside = [each.source for each in subtypes if each.kind in HERITAGE and each.source >= 0]
    yield from (each for each in dict.fromkeys(beside) if each != ordinal)
