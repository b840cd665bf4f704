"""A query in, its answer and an explanation of it out, made from the trace of that one search."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Unpack

from hardtack.nouns.explanation import (
    CacheLookup,
    Explanation,
    Filtering,
    Fusion,
    IssuePart,
    KeywordSearch,
    QueryAnalysis,
    SearchMode,
    VectorSearch,
)
from hardtack.nouns.model import Answer, Mode
from hardtack.query.explain.contributions import definition_boost
from hardtack.query.explain.tracking import tracked_files, tracked_symbols
from hardtack.query.request.aspects import PART_WEIGHTS
from hardtack.query.request.filter_words import well_formed
from hardtack.query.request.filters import FILTERS
from hardtack.query.request.issue import Issue
from hardtack.query.request.parse import SearchOptions, parse_request
from hardtack.query.retrieval.fuse import K
from hardtack.query.retrieval.retrieve import DENSE, LEXICAL, RankedList
from hardtack.query.searcher import Searcher
from hardtack.query.trace import Trace

_STAGE_KEYS: Final[Mapping[str, str]] = {
    "query_analysis": "query_analysis_ms",
    "cache_check": "cache_check_ms",
    "embedding": "embedding_ms",
    "vector_search": "vector_search_ms",
    "keyword_search": "keyword_search_ms",
    "fusion": "rrf_fusion_ms",
    "ranking": "definition_boost_ms",
    "hits": "snippets_ms",
}
"""Stage of a trace -> its key in the explanation's timings. ``definition_boost_ms`` is the time of the whole ranking."""


def explain(
    searcher: Searcher,
    text: str,
    *,
    where: Sequence[str] = (),
    symbols: Sequence[str] = (),
    use_hybrid: bool | None = None,
    **options: Unpack[SearchOptions],
) -> Explanation:
    """Answer ``text`` and explain the answer.

    Args:
        searcher: has the bundle open.
        text: as for :meth:`Searcher.search`.
        where: files to track through the search: globs, or paths with a line, as in ``src/shelf.py:12``.
        symbols: names of symbols to track, qualified or not.
        use_hybrid: the flag that set the mode, for the explanation; None without one.
        options: as for :meth:`Searcher.search`.

    Raises:
        UsageError: the request is refused, or the bundle has no such file or symbol to track.
    """
    query = parse_request(searcher.bundle, text, **options)
    answer, trace = searcher.traced(query)
    return Explanation(
        query_analysis=_query_analysis(trace),
        search_mode=_search_mode(trace, use_hybrid),
        cache=_cache(answer, trace),
        vector_search=_vector_search(trace.lists.get(DENSE)),
        keyword_search=_keyword_search(trace),
        fusion=_fusion(trace),
        definition_boost=definition_boost(trace.ranking, searcher.bundle),
        filtering=_filtering(trace),
        timings=_timings(trace),
        answer=answer,
        tracked=(
            *(tracked for path in where for tracked in tracked_files(searcher, trace, answer, well_formed(path))),
            *(tracked_symbols(searcher, trace, answer, well_formed(name)) for name in symbols),
        ),
    )


def _query_analysis(trace: Trace) -> QueryAnalysis:
    read = trace.analysis
    return QueryAnalysis(
        original_query=read.text,
        has_identifier=read.has_identifier,
        normalized_keyword_query=read.normalized_keyword_query,
        is_symbol_like=read.is_symbol_like,
        terms=read.content_terms,
        content_words=read.content_words,
        identifiers=read.identifiers,
        literals=read.literals,
        kinds=tuple(kind.value for kind in read.kinds),
        subjects=tuple(subject.value for subject in read.subjects),
        languages=read.language_hints,
        paths=read.path_hints,
        title=trace.reading.issue.title if trace.reading.issue else "",
        parts=tuple(_parts(trace.reading.issue)) if trace.reading.issue else (),
    )


def _parts(issue: Issue) -> Iterator[IssuePart]:
    """The parts of an issue by sort, those it does not have left out."""
    counts = Counter(part.sort for part in issue.parts)
    for sort, weight in PART_WEIGHTS.items():
        if counts[sort]:
            yield IssuePart(sort=sort.value, count=counts[sort], weight=weight)
    for name, found in (("frame", issue.frames), ("file", issue.files)):
        if found:
            yield IssuePart(sort=name, count=len(found), weight=0.0)


def _search_mode(trace: Trace, flag: bool | None) -> SearchMode:
    wanted, has_identifier = trace.query.mode, trace.analysis.has_identifier
    if wanted is Mode.VECTOR:
        mode, reason = "vector-only", "Vectors alone were asked for"
    elif wanted is Mode.KEYWORD:
        mode, reason = "keyword-only", "Keywords alone were asked for"
    elif DENSE not in trace.lists:
        mode, reason = "keyword-only", f"Hybrid is the default. {trace.degraded or 'The encoder knows few letters of the query'}"
    else:
        what = "the query has an identifier" if has_identifier else "the query has no identifier"
        mode, reason = "hybrid", f"Hybrid is the default; {what}, which shifts weights and nothing else"
    return SearchMode(
        mode=mode,
        reason=reason,
        use_hybrid_flag=False if flag is None and wanted is Mode.VECTOR else flag,
        has_content_text_column=True,
        has_identifier_pattern=has_identifier,
    )


def _cache(answer: Answer, trace: Trace) -> CacheLookup:
    key = hashlib.sha256(f"{answer.bundle_digest}\0{trace.query!r}".encode()).hexdigest()
    return CacheLookup(
        checked=True, hit=trace.was_cached, hit_type="exact" if trace.was_cached else "miss", cache_key_prefix=key[:16]
    )


def _scores(found: RankedList | None) -> tuple[int, float | None, float | None]:
    """Number of chunks that a retriever found, and their best and worst scores."""
    if found is None or not len(found.scores):
        return 0, None, None
    return len(found.scores), round(found.scores.item(0), 6), round(found.scores.item(-1), 6)


def _vector_search(found: RankedList | None) -> VectorSearch:
    count, top, bottom = _scores(found)
    return VectorSearch(executed=found is not None, result_count=count, top_score=top, bottom_score=bottom)


def _keyword_search(trace: Trace) -> KeywordSearch:
    found = trace.lists.get(LEXICAL)
    count, top, bottom = _scores(found)
    return KeywordSearch(
        executed=found is not None,
        normalized_query=trace.analysis.normalized_keyword_query if found is not None else "",
        result_count=count,
        top_ts_rank=top,
        bottom_ts_rank=bottom,
    )


def _fusion(trace: Trace) -> Fusion:
    by_words, by_meaning = trace.pool.lexical_rank > 0, trace.pool.dense_rank > 0
    return Fusion(
        executed=len(trace.lists) > 1,
        k_constant=K,
        vector_only_count=int((by_meaning & ~by_words).sum()),
        keyword_only_count=int((by_words & ~by_meaning).sum()),
        both_count=int((by_words & by_meaning).sum()),
        total_fused=len(trace.pool.ordinals),
    )


def _filtering(trace: Trace) -> Filtering:
    words = {each.name: list(each.words) for each in trace.query.filters}
    return Filtering(
        filters={row.section: words.get(row.name) if row.is_many else "".join(words.get(row.name, ())) or None for row in FILTERS},
        min_score=trace.query.min_score,
        pre_filter_count=len(trace.ranked),
        post_filter_count=len(trace.filtered),
    )


def _timings(trace: Trace) -> dict[str, float]:
    """Milliseconds of every stage in ``_STAGE_KEYS``, 0 if it was skipped; then of further stages; then of all together."""
    times = dict.fromkeys(_STAGE_KEYS.values(), 0.0)
    for stage, seconds in trace.times.items():
        times[_STAGE_KEYS.get(stage, f"{stage}_ms")] = round(1000 * seconds, 3)
    return {**times, "total_ms": round(1000 * sum(trace.times.values()), 3)}
