"""``explore``: a question, an issue or names in; one composed answer out."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from hardtack.query.explore.explore import explore
from hardtack.query.explore.repository_map import repository_map
from hardtack.render.exploration import TOKEN, exploration_json, render_exploration
from hardtack.render.repository_map import parts_in, render_map
from hardtack.tools.agents import MAX_TOKENS, OTHERS, AgentParameters, call_of, reply
from hardtack.tools.tool import COMMA, Call, Tool, ToolReply

_REPEATED: Final = 200
"""Characters of a question that the call which goes on repeats."""


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """What is asked."""

    query: Annotated[
        str,
        Meta(
            description="A question, an issue, or names: 'from Server.run to Handler.next', 'who calls add'. Empty: a map.",
            extra={COMMA: True},
        ),
    ] = ""


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index) as searcher:
        if not arguments.query.strip():
            map_ = repository_map(searcher.bundle, parts=parts_in(arguments.max_tokens))
            return reply(arguments, render_map(map_, arguments.room // TOKEN), lambda: map_)
        found = explore(searcher, arguments.query)
    query = next((line.strip() for line in arguments.query.splitlines() if line.strip()), "")[:_REPEATED]
    tokens = arguments.room // TOKEN
    call_on = call_of("explore", query=query, max_tokens=min(2 * tokens, MAX_TOKENS), index=arguments.index)
    more = f"\nMore: {call_on}\n" if tokens < MAX_TOKENS else ""
    text, is_cut = render_exploration(found, arguments.room - len(more))
    return reply(arguments, text + more * is_cut, lambda: exploration_json(found))


TOOL = Tool(
    name="explore",
    toolset="default",
    title="Explore the code",
    description=(
        "Begin here. One answer to a question about this repository: the way of calls from one place to another with conditions, "
        "the code that matters with line numbers, who calls it, which tests reach it, the types around it, and what was left out. "
        "Each tie says how sure it is: exact, likely, possible."
    ),
    parameters=Arguments,
    result=None,
    call=_call,
    aliases={**OTHERS, **dict.fromkeys(("question", "task", "text", "issue", "name", "names", "symbols", "prompt"), "query")},
)
