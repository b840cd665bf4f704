"""What is shown already in, further code for the room that is left out: callers, tests, what else a name can mean, other hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import Around, ExploredSymbol, Place
from hardtack.nouns.model import FUNCTIONS, TYPES, Hit
from hardtack.nouns.usages import CallingSymbol
from hardtack.query.explore.places import code_of, overlap, symbol_at
from hardtack.query.lookup.tests_inside import is_in_test
from hardtack.query.ranking.path_roles import is_secondary

MOST_MEANT: Final = 3
"""Further meanings of one name whose code is shown."""
_CALLERS: Final = 3
_TESTS: Final = 2
_FURTHER: Final = 4
_LEAST_LINES: Final = 2
"""Of what a search found, beside the first."""


def spare_places(
    bundle: Bundle,
    shown: Sequence[Place],
    around: Iterable[Around],
    meant: Iterable[int],
    hits: Iterable[Hit],
    further: Iterable[ExploredSymbol],
) -> tuple[Place, ...]:
    """Code that no other place shows, what matters most first.

    Args:
        bundle: where it is.
        shown: places that are shown before.
        around: what stands around the symbols of the answer, whose first callers and tests are shown.
        meant: symbols that a name of the question can mean as well.
        hits: what a search found, too unlikely to stand beside what is named.
        further: places that rank after the hits.
    """
    kept: list[Place] = []
    around = tuple(around)
    found = [
        *(code_of(bundle, each) for each in meant),
        *_callers(bundle, around),
        *_tests(bundle, around),
        *islice(_found(bundle, hits, further), _FURTHER),
    ]
    for place in found:
        if not any(overlap(place, each) for each in (*shown, *kept)):
            kept.append(place)
    return tuple(kept)


def _found(bundle: Bundle, hits: Iterable[Hit], further: Iterable[ExploredSymbol]) -> Iterator[Place]:
    """The functions and types that a search found, but for those of tests and for what takes a line or two, as a prototype."""
    ordinals = (symbol_at(bundle, each) for group in (hits, further) for each in group)
    for ordinal in ordinals:
        if ordinal < 0 or bundle.symbol_name(ordinal).kind not in FUNCTIONS | TYPES:
            continue
        symbol = bundle.symbol(ordinal)
        if symbol.end_line - symbol.start_line >= _LEAST_LINES and not is_in_test(bundle, symbol.file, ordinal):
            yield code_of(bundle, ordinal)


def _callers(bundle: Bundle, around: Iterable[Around]) -> Iterator[Place]:
    for each in around:
        for callers in (each.callers, *(callers for _, callers in each.through)):
            for caller in callers.symbols[:_CALLERS]:
                if not is_secondary(bundle, caller.path) and (ordinal := _symbol_of(bundle, caller)) >= 0:
                    yield code_of(bundle, ordinal, match_line=caller.calls[0].line)


def _symbol_of(bundle: Bundle, caller: CallingSymbol) -> int:
    """The function that calls; -1 for the top of a file."""
    file = bundle.file_at(caller.path)
    if file is None or not caller.within or not caller.calls:
        return -1
    for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
        name = bundle.symbol_name(ordinal)
        if name.qualified_name == caller.within and name.kind in FUNCTIONS:
            symbol = bundle.symbol(ordinal)
            if symbol.start_line <= caller.calls[0].line <= symbol.end_line:
                return ordinal
    return -1


def _tests(bundle: Bundle, around: Iterable[Around]) -> Iterator[Place]:
    for each in around:
        tests: list[ExploredSymbol] = [test for test in each.tests if test.name][:_TESTS]
        yield from (code_of(bundle, ordinal) for test in tests if (ordinal := symbol_at(bundle, test)) >= 0)
