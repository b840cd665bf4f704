"""``search_code``: a question or a name in, the places that best answer it out."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

from msgspec import Meta

from hardtack.nouns.model import Answer
from hardtack.query.several import search_all
from hardtack.render.json import fitted_as_json
from hardtack.tools.hits import SearchHit, Sources
from hardtack.tools.searching import (
    TOKENS,
    MaxTokens,
    SearchContext,
    SearchParameters,
    StalenessWarning,
    options_of,
    ranked_reply,
    search_context,
    staleness_warnings,
)
from hardtack.tools.tool import Call, Tool, ToolReply

_Lines = Annotated[int, Meta(ge=0)]


class Arguments(SearchParameters, kw_only=True, frozen=True):
    """A search, and how much of each hit to show."""

    index_names: Annotated[tuple[str, ...], Meta(description="Indexes to search as one.")] = ()
    context_before: Annotated[_Lines | None, Meta(description="Lines; turns smart_context off.")] = None
    context_after: Annotated[_Lines | None, Meta(description="Lines.")] = None
    smart_context: Annotated[bool, Meta(description="Show the whole function or type.")] = True
    max_tokens: MaxTokens = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    names: list[str | None] = [*dict.fromkeys(arguments.index_names)] or [arguments.index_name]
    with ExitStack() as stack:
        entries = [call.catalog.entry(name).name for name in names]
        searchers = {name: stack.enter_context(call.catalog.searcher(name)) for name in entries}
        options = options_of(arguments)
        options["smart_context"] = options["surroundings"] = arguments.smart_context
        options["before"], options["after"] = arguments.context_before, arguments.context_after
        answer: Answer
        if len(searchers) > 1:
            answer = search_all(searchers, arguments.query, **options)
        else:
            answer = searchers[entries[0]].search(arguments.query, **options)
        tokens = arguments.max_tokens or TOKENS
        fitted = fitted_as_json(answer, tokens)
        sources = Sources({name: searcher.bundle for name, searcher in searchers.items()})
        items: list[SearchHit | SearchContext | StalenessWarning] = []
        if call.catalog.is_found and names == [None]:
            items.append(search_context(entries[0], searchers[entries[0]].bundle.manifest.provenance))
        items += sources.results_of(fitted.hits)
        items += staleness_warnings(call, entries)
    return ranked_reply(items, answer, fitted, arguments.limit, tokens=tokens)


TOOL = Tool(
    name="search_code",
    toolset="search",
    title="Search code",
    description=(
        "Finds the code that answers a question or defines a name, by meaning and keywords: best first, each hit with "
        "its whole function. For an exact text use search."
    ),
    parameters=Arguments,
    result=list[SearchHit | SearchContext | StalenessWarning],
    call=_call,
    says_commits=True,
)
