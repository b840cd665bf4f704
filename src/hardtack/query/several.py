"""Several open bundles and a query in, one answer out: as if they were one bundle, as far as scores go.

A search scores a file by the chance that it is what was meant, given that one of its bundle's files is (``rank.py``): a bundle that
has nothing to say still has a best file. So the chances of several bundles are brought to the same condition, that one of the files
of all of them is meant. The model that gives them is a softmax, so that is what it would have said of one list of all files: each
bundle's chances times its share of the sum. What a file's features say is relative to its own bundle and stays so.

Measured on queries with known answers in 32 repositories (``benchmarks/several_bundles.py``): among the bundles of its language
the right file has an ndcg@10 of 0.841, where its own bundle alone has 0.898, scores as they are 0.795 and ranks in turn 0.637;
among all 32 bundles 0.714, where those have 0.909, 0.526 and 0.111.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Unpack

import numpy as np

from hardtack.errors import UsageError
from hardtack.nouns.model import Answer, Answering, Hit, Mode, Place, Query
from hardtack.query.ranking.exact_names import SAME_NAME, SAME_NAME_FOLDED, SAME_NAME_JOINED
from hardtack.query.request.parse import SearchOptions, parse_request
from hardtack.query.searcher import Searcher
from hardtack.query.trace import Trace

_FLOORS: Final = (SAME_NAME, SAME_NAME_JOINED, SAME_NAME_FOLDED)
"""Where the scores of what defines the query begin, highest first; a chance is added to that."""

_DIGITS: Final = 6
"""Of a score, as it is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _BundleAnswer:
    """One bundle, what it answered, and how it came to that."""

    name: str
    searcher: Searcher
    query: Query
    """As it was asked of all."""
    answer: Answer
    """Whatever its hits score."""
    trace: Trace
    mass: float
    """Logarithm of the sum that its chances were divided by; of no bundle that was not ranked does it matter."""


def search_all(searchers: Mapping[str, Searcher], text: str, **options: Unpack[SearchOptions]) -> Answer:
    """The chunks of several bundles that best answer ``text``.

    A bundle that has none of the languages asked for has nothing to answer, which is an error only where that goes for all.

    Args:
        searchers: open bundles by the names that hits shall say; the order breaks ties.
        text: as for :meth:`Searcher.search`.
        options: as for :meth:`Searcher.search`; ``limit`` and ``further`` are those of the whole answer.

    Raises:
        UsageError: the request is refused by :func:`ask` for every bundle, or no bundle is given.
    """
    asked = [_answer_of(name, searcher, query) for name, searcher, query in _queries(searchers, text, options)]
    query = asked[0].query
    shares = _shares(asked, query.mode)
    ranked = sorted(
        (
            (-round(_among_all(hit.score, share), _DIGITS), number, hit.rank)
            for number, (each, share) in enumerate(zip(asked, shares, strict=True))
            for hit in each.answer.hits
        )
    )
    sufficing = [(-less, number, rank) for less, number, rank in ranked if -less >= query.min_score]
    hits, rest = _distinct(asked, sufficing, query.limit)
    further = _further(asked, shares, hits, rest, query)
    return Answer(
        query=text,
        mode=query.mode,
        hits=tuple(hits),
        truncated=bool(rest) or any(each.answer.truncated for each in asked),
        hint=_hint(asked, hits, -ranked[0][0] if ranked else None),
        bundle_digest="",
        bundle_commit="",
        bundle_name="",
        further=further,
        bundles=tuple(_answering(name, searcher) for name, searcher in searchers.items()),
    )


def by_name(searchers: Iterable[Searcher]) -> dict[str, Searcher]:
    """Open bundles by what they are called, those of one name told apart by a number, as in ``api`` and ``api-2``."""
    named: dict[str, Searcher] = {}
    for searcher in searchers:
        name, number = searcher.bundle.name, 2
        while name in named:
            name, number = f"{searcher.bundle.name}-{number}", number + 1
        named[name] = searcher
    return named


def _queries(searchers: Mapping[str, Searcher], text: str, options: SearchOptions) -> list[tuple[str, Searcher, Query]]:
    """What each bundle is asked; those are left out that have no file in any language that was asked for."""
    queries: list[tuple[str, Searcher, Query]] = []
    available: dict[str, None] = {}
    refused: UsageError | None = None
    for name, searcher in searchers.items():
        try:
            queries.append((name, searcher, parse_request(searcher.bundle, text, **options)))
        except UsageError as error:
            if error.code != "LANGUAGE_UNKNOWN":
                raise
            refused = refused or error
            available |= dict.fromkeys(error.details["available"])
    if queries:
        return queries
    if refused is None:
        raise UsageError("No bundle was named to be searched.")
    details = {"available": sorted(available)}
    raise UsageError(
        f"No bundle has a language {refused.details['language']!r}.",
        code=refused.code,
        details=details,
        hint=f"They have: {', '.join(details['available'])}.",
    )


def _answer_of(name: str, searcher: Searcher, query: Query) -> _BundleAnswer:
    answer, trace = searcher.traced(query._replace(min_score=0.0))  # the least score is held against what is reported
    mass = 0.0
    if trace.ranking is not None:
        scores = trace.ranking.model.scores(trace.ranking.table.values)
        most = scores.max(initial=-np.inf)
        mass = float(most + np.log(np.exp(scores - most).sum())) if len(scores) else -np.inf
    return _BundleAnswer(name=name, searcher=searcher, query=query, answer=answer, trace=trace, mass=mass)


def _shares(asked: Sequence[_BundleAnswer], mode: Mode) -> list[float]:
    """The chance, for each bundle, that the file which is meant is one of its own; cosines are comparable as they are."""
    masses = np.array([each.mass for each in asked])
    if mode is Mode.VECTOR or not np.isfinite(masses).any():
        return [1.0] * len(asked)
    weights = np.exp(masses - masses.max())
    shares: list[float] = (weights / weights.sum()).tolist()
    return shares


def _among_all(score: float, share: float) -> float:
    """A score in one bundle as one among all, of which the bundle's is that share."""
    if score <= SAME_NAME_FOLDED:
        return score * share
    floor = next(floor for floor in _FLOORS if score >= floor)
    return floor + (score - floor) * share


def _distinct(
    asked: Sequence[_BundleAnswer], ranked: Sequence[tuple[float, int, int]], limit: int
) -> tuple[list[Hit], list[tuple[float, Hit]]]:
    """The first ``limit`` hits, and those that come after; the same file in two bundles is one hit, which names the other."""
    hits: dict[str, Hit] = {}
    rest: list[tuple[float, Hit]] = []
    files: dict[tuple[int, str], int] = {}
    for score, number, rank in ranked:
        name, hit = asked[number].name, asked[number].answer.hits[rank - 1]
        twin = hits.get(hit.chunk_id)
        if twin is not None:
            hits[hit.chunk_id] = twin._replace(also=(*twin.also, *_twins(name, hit)))
        elif len(hits) == limit:
            rest.append((score, _merged_hit(name, hit, score, rank=0, file_rank=0)))
        else:
            file_rank = files.setdefault((number, hit.path), len(files) + 1)
            hits[hit.chunk_id] = _merged_hit(name, hit, score, rank=len(hits) + 1, file_rank=file_rank)
    return [*hits.values()], rest


def _merged_hit(name: str, hit: Hit, score: float, *, rank: int, file_rank: int) -> Hit:
    also = tuple(place._replace(index_name=name) for place in hit.also)
    return hit._replace(score=score, rank=rank, file_rank=file_rank, also=also, index_name=name)


def _twins(name: str, hit: Hit) -> list[Place]:
    """Where a hit lies that another stands for, and what it stood for itself."""
    own = Place(
        path=hit.path,
        line=hit.selection_line or hit.start_line,
        kind=hit.kind,
        name=hit.name,
        qualified_name=hit.qualified_name,
    )
    return [place._replace(index_name=name) for place in (own, *hit.also)]


def _further(
    asked: Sequence[_BundleAnswer],
    shares: Sequence[float],
    hits: Sequence[Hit],
    rest: Sequence[tuple[float, Hit]],
    query: Query,
) -> tuple[Place, ...]:
    """The files that come after those of the hits: what hits were left over, and what each bundle named besides, best first."""
    if not query.further:
        return ()
    places = [(score, _twins(hit.index_name, hit)[0]) for score, hit in rest]
    for each, share in zip(asked, shares, strict=True):
        scores = _scores_of_files(each)
        for place in each.answer.further:
            places.append((round(_among_all(scores[place.path], share), _DIGITS), place._replace(index_name=each.name)))
    order = {each.name: number for number, each in enumerate(asked)}
    places.sort(key=lambda scored: (-scored[0], order[scored[1].index_name], scored[1].path, scored[1].line))
    named = {(hit.index_name, hit.path) for hit in hits}
    further: dict[tuple[str, str], Place] = {}
    for score, place in places:
        if score >= query.min_score and (place.index_name, place.path) not in named:
            further.setdefault((place.index_name, place.path), place)
    return tuple(further.values())[: query.further]


def _scores_of_files(each: _BundleAnswer) -> dict[str, float]:
    """The score of each file's best candidate, by path."""
    bundle, scores = each.searcher.bundle, dict[str, float]()
    for candidate in each.trace.filtered:
        scores.setdefault(bundle.file(bundle.chunk(candidate.ordinal).file).path, candidate.score)
    return scores


def _hint(asked: Sequence[_BundleAnswer], hits: Sequence[Hit], best: float | None) -> str:
    """What the bundles say of their answers, each thing once, and of whom unless all say it."""
    if not hits and best is not None:
        return f"Nothing scores {asked[0].query.min_score} or more; the best scores {best:.3f}."
    said: dict[str, list[str]] = {}
    for each in asked:
        if each.answer.hint and (not hits or each.trace.degraded):
            said.setdefault(each.trace.degraded if hits else each.answer.hint, []).append(each.name)
    return " ".join(hint if len(names) == len(asked) else f"{', '.join(names)}: {hint}" for hint, names in said.items())


def _answering(name: str, searcher: Searcher) -> Answering:
    bundle = searcher.bundle
    return Answering(index_name=name, digest=bundle.digest, commit=bundle.manifest.provenance.commit)
