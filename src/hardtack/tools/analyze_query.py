"""``analyze_query``: a search in, what each of its stages did out."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from hardtack.nouns.explanation import (
    CacheLookup,
    DefinitionBoost,
    Fusion,
    KeywordSearch,
    QueryAnalysis,
    SearchMode,
    Tracked,
    VectorSearch,
)
from hardtack.query.explain.explanation import explain
from hardtack.query.request.filters import FILTERS
from hardtack.render.explanation import stages_to_json, tracked_to_json
from hardtack.render.json import fitted_as_json
from hardtack.tools.hits import SearchHit, Sources
from hardtack.tools.searching import TOKENS, MaxTokens, SearchParameters, options_of, ranked_reply
from hardtack.tools.tool import Call, Tool, ToolReply

_STAGES = 12_000
"""Bytes of a reply for what the stages tell, besides its hits."""


class Arguments(SearchParameters, kw_only=True, frozen=True):
    """A search, and what to follow through it."""

    track_paths: Annotated[
        tuple[str, ...],
        Meta(description="Files to follow: 'src/shelf.py', 'src/shelf.py:12'."),
    ] = ()
    track_symbols: Annotated[tuple[str, ...], Meta(description="Symbols to follow.")] = ()
    max_tokens: MaxTokens = None


_FILTERING: Any = {
    **{row.section: list[str] | None if row.is_many else str | None for row in FILTERS},
    "min_score": float,
    "pre_filter_count": int,
    "post_filter_count": int,
}
"""What was kept out, a key for each filter of the library; null where nothing was asked for."""
Filtering = TypedDict("Filtering", _FILTERING)  # type: ignore[misc]  # made of FILTERS


class Analysis(TypedDict):
    """A search, explained."""

    query_analysis: QueryAnalysis
    search_mode: SearchMode
    cache: CacheLookup
    vector_search: VectorSearch
    keyword_search: KeywordSearch
    fusion: Fusion
    definition_boost: DefinitionBoost
    filtering: Filtering
    timings: Annotated[dict[str, float], Meta(description="Milliseconds of each stage.")]
    results: list[SearchHit]
    tracked: NotRequired[list[Tracked]]


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index_name) as searcher:
        explanation = explain(
            searcher,
            arguments.query,
            where=arguments.track_paths,
            symbols=arguments.track_symbols,
            use_hybrid=arguments.use_hybrid_search,
            **options_of(arguments),
        )
        name = call.catalog.entry(arguments.index_name).name
        answer = explanation.answer
        tokens = arguments.max_tokens or TOKENS
        fitted = fitted_as_json(answer, tokens)
        value = {**stages_to_json(explanation), "results": Sources({name: searcher.bundle}).results_of(fitted.hits)}
    if explanation.tracked:
        value["tracked"] = tracked_to_json(explanation)
    return ranked_reply(value, answer, fitted, arguments.limit, tokens=tokens, besides=_STAGES)


TOOL = Tool(
    name="analyze_query",
    toolset="search",
    title="Explain a search",
    description=(
        "Runs the search of search_code and tells what each stage made of it. Use it when a search misses something "
        "that is there: track_paths and track_symbols say where it was lost, and why."
    ),
    parameters=Arguments,
    result=Analysis,
    call=_call,
)
