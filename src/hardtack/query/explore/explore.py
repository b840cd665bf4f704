"""A question in, one composed answer out.

1. The symbols that the question names (:mod:`asked`), and what a search finds for the whole of it.
2. Where it names two or more, the ways of calls from each to the next (:mod:`ways`); where none is known, that is said.
3. Their code, then that of what was found (:mod:`places`).
4. Of each that it names, else of the best places: callers, tests, types around it (:mod:`around`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import Ambiguous, Exploration, ExploredSymbol, Place
from hardtack.nouns.model import FUNCTIONS, TYPES, Answer, Hit
from hardtack.query.explore.around import around, explored
from hardtack.query.explore.asked import MAX_MEANINGS, NamedSymbols, asks_tests, asks_usages, named_in
from hardtack.query.explore.places import code_of, place_of_hit, symbol_at
from hardtack.query.explore.ways import way_between
from hardtack.query.request.analysis import analyse
from hardtack.query.request.issue import read_issue
from hardtack.query.searcher import Searcher

HITS: Final = 10
FURTHER: Final = 40
_LEAST_SCORE: Final = 0.03
"""Of a place that is shown with its code; and at least so much of the best one's:"""
_LEAST_SHARE: Final = 0.1
_LEAST_BESIDE_NAMES: Final = 0.2
"""The score of a place that is shown beside symbols that the question names."""
_AROUND: Final = 3
"""Places that a search found whose surroundings are looked at, where the question names nothing."""


def explore(searcher: Searcher, text: str) -> Exploration:
    """The answer to a question, an issue, or names.

    Raises:
        UsageError: the text is empty or too long.
    """
    bundle = searcher.bundle
    answer = searcher.search(text, limit=HITS, further=FURTHER)
    issue = read_issue(text)
    analysis = analyse(issue.title if issue else text)
    names = named_in(bundle, issue.title if issue else text, analysis)
    clear = [each.groups[0].symbol for each in names if len(each.groups) == 1]
    ways = tuple(filter(None, (way_between(bundle, one, other) for one, other in _pairs(names)))) if issue is None else ()
    on_the_way = [step.symbol for way in ways for step in way.steps]
    hits, others = _likely(answer.hits, is_named=bool(clear))
    hits = () if analysis.symbol and clear else hits
    places = _places(bundle, on_the_way, clear, hits)
    middle = clear or [each for hit in hits[:_AROUND] if (each := symbol_at(bundle, hit)) >= 0]
    return Exploration(
        question=text,
        best=1.0 if names else max((hit.score for hit in answer.hits), default=0.0),
        named=tuple(explored(bundle, each) for each in clear),
        ways=ways,
        places=places,
        around=tuple(around(bundle, each) for each in dict.fromkeys(middle) if bundle.symbol_name(each).kind in FUNCTIONS | TYPES),
        ambiguous=tuple(_ambiguous(bundle, each) for each in names if len(each.groups) > 1),
        further=(*(place_of_hit(hit).symbol for hit in others), *(() if clear else _further(answer))),
        asks_usages=asks_usages(text) if issue is None else False,
        asks_tests=asks_tests(text) if issue is None else False,
        note=answer.hint if not answer.hits else "",
    )


def _likely(hits: tuple[Hit, ...], *, is_named: bool) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """The hits that are worth their code, the first of all among them if nothing is named; and the others."""
    best = max((hit.score for hit in hits), default=0.0)
    least = _LEAST_BESIDE_NAMES if is_named else min(max(_LEAST_SCORE, _LEAST_SHARE * best), best)
    return tuple(hit for hit in hits if hit.score >= least), tuple(hit for hit in hits if hit.score < least)


def _pairs(names: list[NamedSymbols]) -> list[tuple[list[int], list[int]]]:
    """Each name and the next one, as the symbols that they can mean; names of very many symbols lead nowhere in particular."""
    ends = [[group.symbol for group in each.groups] for each in names if len(each.groups) <= MAX_MEANINGS]
    return list(pairwise(ends))


def _places(bundle: Bundle, on_the_way: list[ExploredSymbol], clear: list[int], hits: tuple[Hit, ...]) -> tuple[Place, ...]:
    """Code of what stands on the ways, of what is named, and of what was found, each once."""
    from_ways = [each for symbol in on_the_way if (each := symbol_at(bundle, symbol)) >= 0]
    places = [code_of(bundle, each) for each in dict.fromkeys((*from_ways, *clear))]
    covered = [(each.symbol.path, each.symbol.first, each.symbol.last) for each in places]
    for hit in hits:
        first, last = hit.snippet_start_line or hit.start_line, hit.snippet_end_line or hit.end_line
        if not any(path == hit.path and low <= first and last <= high for path, low, high in covered):
            places.append(place_of_hit(hit))
            covered.append((hit.path, first, last))
    return tuple(places)


def _ambiguous(bundle: Bundle, named: NamedSymbols) -> Ambiguous:
    candidates = [explored(bundle, group.symbol) for group in named.groups[:MAX_MEANINGS]]
    return Ambiguous(name=named.name, candidates=tuple(candidates), count=len(named.groups))


def _further(answer: Answer) -> tuple[ExploredSymbol, ...]:
    return tuple(
        ExploredSymbol(kind="", name=place.name, path=place.path, first=place.line, last=place.line, line=place.line, language="")
        for place in answer.further
    )
