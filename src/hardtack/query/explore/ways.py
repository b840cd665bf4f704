"""Two names in, the calls that lead from one to the other out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import ExploredSymbol, Way, WayStep
from hardtack.nouns.model import FUNCTIONS, TYPES, VALUES
from hardtack.query.explore.around import explored
from hardtack.query.explore.conditions import condition_of
from hardtack.query.explore.places import lines_of
from hardtack.query.hits.snippet import MAX_COLUMNS
from hardtack.query.lookup.implementations import implementations_of
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.reach import Reached, Step, reached
from hardtack.query.lookup.references import function_around, groups_of
from hardtack.query.lookup.tests_inside import is_in_test

_ENDS: Final = FUNCTIONS | TYPES | VALUES


def way_between(bundle: Bundle, starts: Sequence[int], ends: Sequence[int]) -> Way | None:
    """The shortest way from one of ``starts`` to one of ``ends``; else the one back; else a way without steps.

    A type begins a way with any of its methods, and ends it where it is instantiated or one of its methods is called; a field, a
    property or a variable ends one where it is read or set, and begins one with the calls that its value is made of.

    Returns:
        None where an end is none of these.
    """
    first, last = _ends_of(bundle, starts), _ends_of(bundle, ends)
    if not first or not last or set(first) & set(last):
        return None
    is_whole, begins = True, tuple[ExploredSymbol, ...]()
    for begin, finish in ((first, last), (last, first)):
        found = reached(bundle, finish, until=begin)
        ways = [way for each in groups_of(bundle, begin) if (way := found.way_from(each))]
        if ways:
            way = min(ways, key=len)
            return Way(
                start=explored(bundle, way[0].symbol),
                end=explored(bundle, way[-1].next),
                steps=tuple(_step(bundle, step) for step in way),
            )
        is_whole = is_whole and found.is_whole
        if finish is last and found.is_whole:  # else what was not looked at would pass for a beginning
            begins = tuple(_begins(bundle, found))
    return Way(start=explored(bundle, starts[0]), end=explored(bundle, ends[0]), steps=(), begins=begins, is_whole=is_whole)


def _begins(bundle: Bundle, found: Reached) -> Iterator[ExploredSymbol]:
    """Where what leads to the targets begins, tests aside: nothing that is resolved leads there."""
    steps = [step for step in found.steps.values() if not is_in_test(bundle, step.site.file, step.symbol)]
    stepped_to = {step.next for step in steps}
    yield from (explored(bundle, step.symbol) for step in steps if step.symbol not in stepped_to)


def _ends_of(bundle: Bundle, symbols: Sequence[int]) -> list[int]:
    """The symbols that a way can begin or end at, and the methods of types."""
    found = [each for each in symbols if bundle.symbol_name(each).kind in _ENDS]
    finder = MemberFinder(bundle)
    for each in symbols:
        if bundle.symbol_name(each).kind in TYPES:
            found += (member for member in finder.of(each).members if bundle.symbol_name(member).kind in FUNCTIONS)
    return found


def _step(bundle: Bundle, step: Step) -> WayStep:
    caller = function_around(bundle, step.site.source)
    symbol = bundle.symbol(caller)
    lines = lines_of(bundle, symbol.file)
    code = lines[step.site.line - 1].strip() if step.site.line <= len(lines) else ""
    return WayStep(
        symbol=explored(bundle, caller),
        line=step.site.line,
        code=code if len(code) <= MAX_COLUMNS else f"{code[:MAX_COLUMNS]}...",
        certainty=step.own,
        condition=condition_of(lines[symbol.start_line - 1 : symbol.end_line], step.site.line - symbol.start_line),
        through=bundle.symbol_name(step.through).qualified_name if step.through >= 0 else "",
        among=len(implementations_of(bundle, [step.through])) if step.through >= 0 else 0,
    )
