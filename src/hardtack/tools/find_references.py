"""``find_references``: the name of a symbol in, every place that refers to it out, from the relations that the build stored."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from hardtack.query.lookup.lookups import LookUps
from hardtack.tools.looking_up import NAMESPACE, names_in
from hardtack.tools.mentioned import UsageList, UsageParameters, reply_of
from hardtack.tools.tool import Call, Tool, ToolReply


class Arguments(UsageParameters, kw_only=True, frozen=True):
    """Which symbol."""

    relation: Annotated[
        str | tuple[str, ...] | None,
        Meta(
            description="Any of calls, references, imports, inherits, implements, embeds, uses.",
        ),
    ] = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    kinds = names_in(arguments.relation)
    return reply_of(call, arguments, "References", LookUps.references, kinds=kinds)


TOOL = Tool(
    name="find_references",
    toolset="symbols",
    title="Find references",
    description=(
        "Lists every place that refers to a symbol: calls, other uses, imports, inheritance; each with its line, the "
        "symbol around it, and how sure it is."
    ),
    parameters=Arguments,
    result=UsageList,
    call=_call,
    aliases=NAMESPACE,
)
