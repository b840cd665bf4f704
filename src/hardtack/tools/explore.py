"""``explore``: a question, an issue or names in; one composed answer out."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from hardtack.query.explore.explore import explore
from hardtack.query.explore.repository_map import repository_map
from hardtack.render.exploration import render_exploration
from hardtack.render.repository_map import parts_in, render_map
from hardtack.tools.agents import OTHERS, TOKEN, AgentParameters, call_of, reply
from hardtack.tools.tool import Call, Tool, ToolReply

_SHOWN: Final = 200
"""Characters of a question that the call which goes on repeats."""


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """What is asked."""

    query: Annotated[
        str, Meta(description="A question, an issue, or names: 'from Server.run to Handler.next', 'who calls add'. Empty: a map.")
    ] = ""


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index) as searcher:
        if not arguments.query.strip():
            map_ = repository_map(searcher.bundle, parts=parts_in(arguments.max_tokens))
            return reply(arguments, render_map(map_, arguments.room // TOKEN), lambda: map_)
        found = explore(searcher, arguments.query)
    text = render_exploration(found, arguments.room // TOKEN)
    if "\nNot shown: " in text:
        query = arguments.query if len(arguments.query) <= _SHOWN else "..."
        text += f"\nMore: {call_of('explore', query=query, max_tokens=2 * arguments.max_tokens, index=arguments.index)}\n"
    return reply(arguments, text, lambda: found)


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
