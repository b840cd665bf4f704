"""Several open bundles and a query in, one answer out, with the scores of a single bundle.

A search scores a file by the probability that it is the answer, given that one of its bundle's files is (``rank.py``): even a
bundle without an answer has a best file. So the probabilities of several bundles are brought to one condition: that a file of any
of them is the answer. The model is a softmax, so its probabilities over one list of all files are each bundle's probabilities times
the bundle's share of the sum of exponentials. The features of a file stay relative to its own bundle.

Measured on queries with known answers in 32 repositories (``benchmarks/several_bundles.py``): among the bundles of its language
the right file has an ndcg@10 of 0.841, where its own bundle alone has 0.898, scores as they are 0.795 and ranks in turn 0.637;
among all 32 bundles 0.714, where those have 0.909, 0.526 and 0.111.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Unpack

import numpy as np

from hardtack.bundle.naming import distinct_names
from hardtack.errors import UsageError
from hardtack.nouns.model import Answer, Answering, Hit, Mode, Place, Query
from hardtack.query.ranking.exact_names import SAME_NAME, SAME_NAME_FOLDED, SAME_NAME_JOINED
from hardtack.query.request.parse import SearchOptions, parse_request
from hardtack.query.searcher import Searcher
from hardtack.query.trace import Trace

_FLOORS: Final = (SAME_NAME, SAME_NAME_JOINED, SAME_NAME_FOLDED)
"""The lowest scores of definitions of the query, highest first; above each, a score grows with the probability."""

_DIGITS: Final = 6
"""Decimal digits of a reported score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _BundleAnswer:
    """The answer of one bundle, and its trace."""

    name: str
    searcher: Searcher
    query: Query
    """With the least score of the request."""
    answer: Answer
    """To the query without a least score."""
    trace: Trace
    log_sum: float
    """Logarithm of the softmax's sum of exponentials; 0 and unused for a bundle that was not ranked."""


class _MergedHit(NamedTuple):
    """The place of a hit in the merged list."""

    score: float
    """Among all bundles."""
    bundle: int
    """Index of its bundle's answer."""
    rank: int
    """In its bundle's answer."""


def search_all(searchers: Mapping[str, Searcher], text: str, **options: Unpack[SearchOptions]) -> Answer:
    """Find the chunks of several bundles that best match ``text``.

    A bundle with none of the requested languages is left out; it is an error only if no bundle has one.

    Args:
        searchers: open bundles by the names that hits show; their order breaks ties.
        text: as for :meth:`Searcher.search`.
        options: as for :meth:`Searcher.search`; ``limit`` and ``further`` are those of the whole answer.

    Raises:
        UsageError: an option is invalid, no bundle has a requested language, or no bundle is given.
    """
    answers = [_answer_of(name, searcher, query) for name, searcher, query in _queries(searchers, text, options)]
    query = answers[0].query
    shares = _shares(answers, query.mode)
    merged = (
        _MergedHit(round(_among_all(hit.score, share), _DIGITS), number, hit.rank)
        for number, (each, share) in enumerate(zip(answers, shares, strict=True))
        for hit in each.answer.hits
    )
    ranked = sorted(merged, key=lambda hit: (-hit.score, hit.bundle, hit.rank))
    filtered = [hit for hit in ranked if hit.score >= query.min_score]
    hits, rest = _distinct(answers, filtered, query.limit)
    further = _further(answers, shares, hits, rest, query)
    return Answer(
        query=text,
        mode=query.mode,
        hits=tuple(hits),
        truncated=bool(rest) or any(each.answer.truncated for each in answers),
        hint=_hint(answers, hits, ranked[0].score if ranked else None),
        bundle_digest="",
        bundle_commit="",
        bundle_name="",
        further=further,
        bundles=tuple(_answering(name, searcher) for name, searcher in searchers.items()),
    )


def by_name(searchers: Iterable[Searcher]) -> dict[str, Searcher]:
    """Open bundles by name; equal names get a number, as in ``api`` and ``api-2``."""
    opened = list(searchers)
    return dict(zip(distinct_names(each.bundle.name for each in opened), opened, strict=True))


def _queries(searchers: Mapping[str, Searcher], text: str, options: SearchOptions) -> list[tuple[str, Searcher, Query]]:
    """The checked query for each bundle; without the bundles that have no file in any requested language."""
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
    answer, trace = searcher.traced(query._replace(min_score=0.0))  # the least score applies to the scores among all bundles
    log_sum = 0.0
    if trace.ranking is not None:
        scores = trace.ranking.model.scores(trace.ranking.table.values)
        most = scores.max(initial=-np.inf)
        log_sum = float(most + np.log(np.exp(scores - most).sum())) if len(scores) else -np.inf
    return _BundleAnswer(name=name, searcher=searcher, query=query, answer=answer, trace=trace, log_sum=log_sum)


def _shares(answers: Sequence[_BundleAnswer], mode: Mode) -> list[float]:
    """For each bundle the probability that it holds the answer; 1 in a search by vectors, whose cosines are comparable."""
    log_sums = np.array([each.log_sum for each in answers])
    if mode is Mode.VECTOR or not np.isfinite(log_sums).any():
        return [1.0] * len(answers)
    weights = np.exp(log_sums - log_sums.max())
    shares: list[float] = (weights / weights.sum()).tolist()
    return shares


def _among_all(score: float, share: float) -> float:
    """The score among all bundles of a score in one bundle, which has this share."""
    if score <= SAME_NAME_FOLDED:
        return score * share
    floor = next(floor for floor in _FLOORS if score >= floor)
    return floor + (score - floor) * share


def _distinct(answers: Sequence[_BundleAnswer], ranked: Sequence[_MergedHit], limit: int) -> tuple[list[Hit], list[Hit]]:
    """The first ``limit`` hits, and those after them; a chunk that two bundles have is one hit, which names the other place."""
    hits: dict[str, Hit] = {}
    rest: list[Hit] = []
    files: dict[tuple[int, str], int] = {}
    for score, number, rank in ranked:
        name, hit = answers[number].name, answers[number].answer.hits[rank - 1]
        twin = hits.get(hit.chunk_id)
        if twin is not None:
            hits[hit.chunk_id] = twin._replace(also=(*twin.also, *_twins(name, hit)))
        elif len(hits) == limit:
            rest.append(_reported(name, hit, score, rank=0, file_rank=0))
        else:
            file_rank = files.setdefault((number, hit.path), len(files) + 1)
            hits[hit.chunk_id] = _reported(name, hit, score, rank=len(hits) + 1, file_rank=file_rank)
    return [*hits.values()], rest


def _reported(name: str, hit: Hit, score: float, *, rank: int, file_rank: int) -> Hit:
    """A hit as the whole answer reports it: with its bundle's name, and its score and ranks among all bundles."""
    also = tuple(place._replace(index_name=name) for place in hit.also)
    return hit._replace(score=score, rank=rank, file_rank=file_rank, also=also, index_name=name)


def _twins(name: str, hit: Hit) -> list[Place]:
    """The places of a hit that is merged into another: its own, and those of its near-duplicates."""
    own = Place(
        path=hit.path,
        line=hit.selection_line or hit.start_line,
        kind=hit.kind,
        name=hit.name,
        qualified_name=hit.qualified_name,
    )
    return [place._replace(index_name=name) for place in (own, *hit.also)]


def _further(
    answers: Sequence[_BundleAnswer],
    shares: Sequence[float],
    hits: Sequence[Hit],
    rest: Sequence[Hit],
    query: Query,
) -> tuple[Place, ...]:
    """The files that rank after those of the hits, best first: of the remaining hits, and the further files of each bundle."""
    if not query.further:
        return ()
    places = [(hit.score, _twins(hit.index_name, hit)[0]) for hit in rest]
    for each, share in zip(answers, shares, strict=True):
        scores = _scores_of_files(each)
        for place in each.answer.further:
            places.append((round(_among_all(scores[place.path], share), _DIGITS), place._replace(index_name=each.name)))
    order = {each.name: number for number, each in enumerate(answers)}
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


def _hint(answers: Sequence[_BundleAnswer], hits: Sequence[Hit], best: float | None) -> str:
    """The hints of the bundles, each once; one that not all bundles give names those that do."""
    if not hits and best is not None:
        return f"Nothing scores {answers[0].query.min_score} or more; the best scores {best:.3f}."
    names_by_hint: dict[str, list[str]] = {}
    for each in answers:
        if each.answer.hint and (not hits or each.trace.degraded):
            names_by_hint.setdefault(each.trace.degraded if hits else each.answer.hint, []).append(each.name)
    return " ".join(hint if len(names) == len(answers) else f"{', '.join(names)}: {hint}" for hint, names in names_by_hint.items())


def _answering(name: str, searcher: Searcher) -> Answering:
    bundle = searcher.bundle
    return Answering(index_name=name, digest=bundle.digest, commit=bundle.manifest.provenance.commit)
