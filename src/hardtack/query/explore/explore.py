"""A question in, one composed answer out.

1. The symbols that the question names (:mod:`asked`), and what a search finds for the whole of it. A name of several symbols is
   taken for the one that the question speaks of (:mod:`chosen`), and what else it can mean is said.
2. Where it names two or more, or the two ends of a trace in words, the ways of calls from each to the next (:mod:`ends`,
   :mod:`ways`); where none is known, that is said.
3. Their code, then that of what was found (:mod:`places`).
4. Of each that it names, else of the best places: callers, tests, types around it (:mod:`around`).
5. For what room is left: the code of callers, of tests, of what else a name can mean (:mod:`spare`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import WEAK, Ambiguous, Exploration, ExploredSymbol, Outside, Place
from hardtack.nouns.model import FUNCTIONS, TYPES, VALUES, Answer, Hit, Kind
from hardtack.nouns.relations import Relation
from hardtack.query.explore.around import around, explored
from hardtack.query.explore.asked import MAX_MEANINGS, NamedSymbols, asks_tests, asks_usages, named_in, supertypes_in, unknown_in
from hardtack.query.explore.chosen import Chosen, Context, language_of_part
from hardtack.query.explore.ends import ways_of
from hardtack.query.explore.places import code_of, last_line, overlap, place_of_hit, symbol_at
from hardtack.query.explore.spare import MOST_MEANT, spare_places
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
_BEAR_OUT: Final = 3
"""The first hits of a search, which can bear out that a word with a capital is a name."""
_AROUND: Final = 3
"""Places that a search found whose surroundings are looked at, where the question names nothing."""
_MOST_OUTSIDE: Final = 200
"""Types that are told of one that they build on."""
_SCOPES: Final = frozenset({Kind.NAMESPACE.value, Kind.MODULE.value, Kind.PACKAGE.value, Kind.FILE.value})
"""Kinds whose name says less than the path."""


def explore(searcher: Searcher, text: str) -> Exploration:
    """The answer to a question, an issue, or names.

    Raises:
        UsageError: the text is empty or too long.
    """
    bundle, issue = searcher.bundle, read_issue(text)
    answer, only = _search(searcher, text, () if issue else language_of_part(bundle, text))
    asked = issue.title if issue else text
    analysis = analyse(asked)
    names = [each for each in named_in(bundle, asked, analysis) if each.is_sure or _is_borne_out(each, answer.hits)]
    context = Context(bundle, asked, analysis, answer.hits, [each.groups[0].symbol for each in names if len(each.groups) == 1])
    meanings = [meant for each in names if (meant := context.choose(each)).is_said or not each.is_common]
    traced = ways_of(searcher, asked if issue is None else "", meanings, only)
    chosen = [each for each in traced.chosen if issue is None or not each.is_guess]
    clear = [*dict.fromkeys(each.symbol for each in chosen if not each.is_weak)]
    outside = tuple(_outside(bundle, name, found) for name, found in supertypes_in(bundle, asked, analysis))
    best = 1.0 if meanings or outside else max((hit.score for hit in answer.hits), default=0.0)
    hits, others = _likely(answer.hits, is_named=bool(clear))
    if analysis.symbol and clear:
        hits, others = (), answer.hits
    places, covered = _places(bundle, [step.symbol for way in traced.ways for step in way.steps], clear, hits)
    further = (*(place_of_hit(bundle, hit).symbol for hit in others), *covered, *(() if clear else _further(answer)))
    stand = tuple(around(bundle, each) for each in _middle(bundle, clear, () if best < WEAK else hits))
    further_meanings = [other for each in chosen if not each.is_said for other in each.others[:MOST_MEANT]]
    return Exploration(
        best=best,
        named=tuple(explored(bundle, each) for each in clear),
        ways=traced.ways,
        places=places,
        spare=() if best < WEAK else spare_places(bundle, places, stand, further_meanings, others, _further(answer)),
        around=stand,
        ambiguous=tuple(
            _ambiguous(bundle, each, is_taken=each in chosen) for each in traced.chosen if each.others or each.is_words
        ),
        unknown=tuple(unknown_in(bundle, asked, analysis).items()) if issue is None else (),
        outside=outside,
        further=tuple(_not_among(places, further)),
        asks_usages=issue is None and asks_usages(text),
        asks_tests=issue is None and asks_tests(text),
        note=answer.hint if not answer.hits else f"Searched in {', '.join(only)} alone, as asked." if only else "",
    )


def _search(searcher: Searcher, text: str, languages: tuple[str, ...]) -> tuple[Answer, tuple[str, ...]]:
    """What a search finds in these languages, if it finds something likely there, else in all; and the languages searched in."""
    if languages:
        answer = searcher.search(text, limit=HITS, further=FURTHER, languages=languages)
        if any(hit.score >= WEAK for hit in answer.hits):
            return answer, languages
    return searcher.search(text, limit=HITS, further=FURTHER), ()


def _is_borne_out(named: NamedSymbols, hits: Sequence[Hit]) -> bool:
    """Whether a search for the whole question finds what a word with a capital may name."""
    names = {part for hit in hits[:_BEAR_OUT] for part in (hit.qualified_name or "").split(".")}
    return named.name.rpartition(".")[2] in names


def _likely(hits: tuple[Hit, ...], *, is_named: bool) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """The hits that are worth their code, the first of all among them if nothing is named; and the others."""
    best = max((hit.score for hit in hits), default=0.0)
    least = _LEAST_BESIDE_NAMES if is_named else min(max(_LEAST_SCORE, _LEAST_SHARE * best), best)
    return tuple(hit for hit in hits if hit.score >= least), tuple(hit for hit in hits if hit.score < least)


def _middle(bundle: Bundle, clear: list[int], hits: tuple[Hit, ...]) -> Iterator[int]:
    """The symbols whose surroundings are told: what is named, else the functions and types that were found first, tests aside."""
    found = (each for hit in hits[:_AROUND] if (each := symbol_at(bundle, hit)) >= 0 and not explored(bundle, each).is_test)
    kinds = FUNCTIONS | TYPES | VALUES if clear else FUNCTIONS | TYPES
    yield from (each for each in dict.fromkeys(clear or found) if bundle.symbol_name(each).kind in kinds)


def _places(
    bundle: Bundle, on_the_way: list[ExploredSymbol], clear: list[int], hits: tuple[Hit, ...]
) -> tuple[tuple[Place, ...], list[ExploredSymbol]]:
    """Code of what stands on the ways, of what is named, and of what was found, no line twice; and hits left out for that."""
    from_ways = [each for symbol in on_the_way if (each := symbol_at(bundle, symbol)) >= 0]
    places: list[Place] = []
    left: list[ExploredSymbol] = []
    for place in (
        *(code_of(bundle, each) for each in dict.fromkeys((*from_ways, *clear))),
        *(place_of_hit(bundle, hit) for hit in hits),
    ):
        if any(overlap(place, each) for each in places):
            left.append(place.symbol)
        else:
            places.append(place)
    return tuple(places), left


def _not_among(places: Sequence[Place], further: Iterable[ExploredSymbol]) -> Iterator[ExploredSymbol]:
    """What is not shown already, each once; a namespace by its place alone."""
    seen: set[tuple[str, str]] = set()
    for each in further:
        name = "" if each.kind in _SCOPES else each.name.rpartition(".")[2]
        shown = (place for place in places if place.symbol.path == each.path)
        if (each.path, name) in seen or any(place.first <= each.line <= last_line(place) for place in shown):
            continue
        seen.add((each.path, name))
        yield (
            each
            if name
            else ExploredSymbol(
                kind="", name="", path=each.path, first=each.first, last=each.last, line=each.line, language=each.language
            )
        )


def _ambiguous(bundle: Bundle, chosen: Chosen, *, is_taken: bool) -> Ambiguous:
    candidates = [explored(bundle, each) for each in (chosen.symbol, *chosen.others)[:MAX_MEANINGS]]
    return Ambiguous(
        name=chosen.name,
        candidates=tuple(candidates),
        count=1 + len(chosen.others),
        why=chosen.why if is_taken else "",
        is_words=chosen.is_words,
    )


def _outside(bundle: Bundle, name: str, relations: list[Relation]) -> Outside:
    found = {each.source: (each.kind.value, explored(bundle, each.source)) for each in relations}
    return Outside(
        name=name, subtypes=tuple(sorted(found.values(), key=lambda each: (each[1].is_test, each[1].path))[:_MOST_OUTSIDE])
    )


def _further(answer: Answer) -> Iterator[ExploredSymbol]:
    for place in answer.further:
        yield ExploredSymbol(
            kind="", name=place.name, path=place.path, first=place.line, last=place.line, line=place.line, language=""
        )
