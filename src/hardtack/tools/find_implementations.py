"""``find_implementations``: the name of a type or method in, what implements it out, from the relations that the build stored."""

from __future__ import annotations

from hardtack.query.lookup.lookups import LookUps
from hardtack.tools.looking_up import NAMESPACE
from hardtack.tools.mentioned import UsageList, UsageParameters, reply_of
from hardtack.tools.tool import Call, Tool, ToolReply


class Arguments(UsageParameters, kw_only=True, frozen=True):
    """Which type or method."""


def _call(call: Call, arguments: Arguments) -> ToolReply:
    return reply_of(call, arguments, "Implementations", LookUps.implementations)


TOOL = Tool(
    name="find_implementations",
    toolset="symbols",
    title="Find implementations",
    description=(
        "Lists what inherits, implements, embeds or uses a type, directly or through others; of a method what overrides "
        "it; also of base classes that are not indexed."
    ),
    parameters=Arguments,
    result=UsageList,
    call=_call,
    aliases=NAMESPACE,
)
