"""The names of a question in, the ways of calls between them out, and what the names are taken for where a way tells.

The ends of a trace may be given in words (``from the socket to the parser``): what a search for these words finds is such an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import ExploredSymbol, Way
from hardtack.nouns.model import FUNCTIONS, TYPES
from hardtack.query.explore.asked import MAX_MEANINGS, trace_in
from hardtack.query.explore.chosen import Chosen, languages_in
from hardtack.query.explore.places import symbol_at
from hardtack.query.explore.ways import way_between
from hardtack.query.lookup.tests_inside import is_in_test
from hardtack.query.searcher import Searcher

_MOST_TRIED: Final = 24
"""Symbols of one name that a way is looked for from or to, where none is known of the likeliest."""
_FOUND: Final = 6
"""Hits of a search for the words of an end."""
_LEAST: Final = 0.05
"""Their least score."""
_LIKELY: Final = 0.3
"""The score of one that is shown even if no way leads there."""


class Traced(NamedTuple):
    """What the names of a question are taken for, and the ways between them."""

    chosen: tuple[Chosen, ...]
    ways: tuple[Way, ...]


def ways_of(searcher: Searcher, text: str, names: Sequence[Chosen], languages: Sequence[str] = ()) -> Traced:
    """The ways between the ends of the trace that a question asks for, else from each of its names to the next.

    Args:
        searcher: finds the ends that are given in words.
        text: the question; empty if no ways are wanted.
        names: what its names are taken for.
        languages: those that the question is about; none for any.
    """
    if not text:
        return Traced(tuple(names), ())
    bundle, chosen = searcher.bundle, [*names]
    pairs = [*pairwise(range(len(chosen)))]
    if trace := trace_in(text):
        ends = [_end(searcher, part, names, languages) for part in trace]
        if all(ends):
            chosen += (each for each in ends if each is not None and each not in chosen)
            pairs = [(chosen.index(ends[0]), chosen.index(ends[1]))]  # type: ignore[arg-type]
    ways: list[Way] = []
    for one, other in pairs:
        way = _way(bundle, chosen[one], chosen[other])
        if way is not None:
            ways.append(way)
            if way.steps:
                ends_of_way = {way.start, way.end}
                for each in (one, other):
                    chosen[each] = _told_by_way(bundle, chosen[each], ends_of_way)._replace(is_weak=False)
    return Traced(tuple(chosen), tuple(ways))


def _end(searcher: Searcher, part: str, names: Iterable[Chosen], languages: Sequence[str]) -> Chosen | None:
    """What one end of a trace is: a name in it, else what a search for its words finds."""
    words = re.findall(r"\w+", part)
    if named := next((each for each in names if each.name.rpartition(".")[2] in words), None):
        return named
    bundle, spoken = searcher.bundle, languages_in(searcher.bundle, part)
    found: dict[int, float] = {}
    for hit in searcher.search(part, limit=_FOUND, languages=languages).hits:
        ordinal = symbol_at(bundle, hit)
        is_code = ordinal >= 0 and bundle.symbol_name(ordinal).kind in FUNCTIONS | TYPES
        if is_code and hit.score >= _LEAST and not is_in_test(bundle, bundle.symbol(ordinal).file, ordinal):
            found.setdefault(ordinal, hit.score)
    fitting = [each for each in found if not spoken or bundle.file(bundle.symbol(each).file).language in spoken]
    if not fitting:
        return None
    best = found[fitting[0]]
    why = f"a search for these words finds it first ({best:.2f})"
    others = (*fitting[1:], *(each for each in found if each not in fitting))
    return Chosen(part, fitting[0], why, others, (*fitting,), is_words=True, is_weak=best < _LIKELY)


def _way(bundle: Bundle, one: Chosen, other: Chosen) -> Way | None:
    """The way between what two names are taken for, else between anything that they can mean."""
    way = way_between(bundle, one.equal[:MAX_MEANINGS], other.equal[:MAX_MEANINGS])
    if way is None or way.steps:
        return way
    starts, ends = ((each.symbol, *each.others)[:_MOST_TRIED] for each in (one, other))
    if len(starts) == len(one.equal) and len(ends) == len(other.equal):
        return way
    wider = way_between(bundle, starts, ends)
    return wider if wider is not None and wider.steps else way


def _told_by_way(bundle: Bundle, chosen: Chosen, ends: set[ExploredSymbol]) -> Chosen:
    """The symbol that a way leads from or to, where the name has several meanings and the way is of another than was taken."""
    every = (chosen.symbol, *chosen.others)[:_MOST_TRIED]
    on_way = [each for each in every if _is_end(bundle, each, ends)]
    if not chosen.others or not on_way or chosen.symbol in on_way:
        return chosen
    others = (*(each for each in every if each != on_way[0]), *chosen.others[_MOST_TRIED - 1 :])
    return chosen._replace(symbol=on_way[0], others=others, why="calls lead there")


def _is_end(bundle: Bundle, ordinal: int, ends: set[ExploredSymbol]) -> bool:
    """Whether a symbol is an end of a way, or a type that has it for a method."""
    symbol = bundle.symbol(ordinal)
    path = bundle.file(symbol.file).path
    names = (symbol.qualified_name, f"{symbol.qualified_name}.") if symbol.kind in TYPES else (symbol.qualified_name,)
    return any(each.path == path and (each.name == names[0] or each.name.startswith(names[-1])) for each in ends if each.name) and (
        symbol.kind in TYPES or any(each.path == path and each.line == symbol.selection_line for each in ends)
    )
