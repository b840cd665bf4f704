"""``find_similar``: a place in a file in, the most similar code out."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from hardtack.query.similar import similar
from hardtack.render.json import fitted_as_json
from hardtack.tools.hits import SearchHit, Sources
from hardtack.tools.searching import TOKENS, Limit, ranked_reply
from hardtack.tools.tool import FILE, Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """A place, and how similar hits must be."""

    path: Annotated[str, Meta(description="A file.", extra={FILE: True})]
    line: Annotated[int, Meta(description="In the function or type to compare.", extra_json_schema={"minimum": 1})]
    end_line: Annotated[int | None, Meta(description="To compare these lines.")] = None
    limit: Limit = 10
    min_score: Annotated[float, Meta(ge=0, le=1, description="1 for copies.")] = 0.0
    exclude_same_file: Annotated[bool, Meta(description="Leave out what is in the same file.")] = False
    index_name: IndexName = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index_name) as searcher:
        answer = similar(
            searcher.bundle,
            arguments.path,
            arguments.line,
            arguments.end_line,
            limit=arguments.limit,
            min_score=arguments.min_score,
            exclude_same_file=arguments.exclude_same_file,
            checkout=searcher.checkout,
        )
        fitted = fitted_as_json(answer, TOKENS)
        hits = Sources({call.catalog.entry(arguments.index_name).name: searcher.bundle}).results_of(fitted.hits)
    return ranked_reply(hits, answer, fitted, arguments.limit)


TOOL = Tool(
    name="find_similar",
    toolset="search",
    title="Find similar code",
    description=("Finds the code most like the code at a line of a file: copies, parallel implementations, its tests."),
    parameters=Arguments,
    result=list[SearchHit],
    call=_call,
    aliases={"file_path": "path", "start_line": "line"},
)
