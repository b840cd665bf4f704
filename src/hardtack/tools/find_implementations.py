"""``find_implementations``: a type or method in, what implements it out (CONTRACTS 1A), from stored relations and not from text."""

from __future__ import annotations

from hardtack.tools.looking_up import NAMESPACE
from hardtack.tools.mentioned import MentionParameters, Mentions, reply_of
from hardtack.tools.tool import Call, Reply, Tool


class Arguments(MentionParameters, kw_only=True, frozen=True):
    """Which type or method."""


def _call(call: Call, arguments: Arguments) -> Reply:
    return reply_of(call, arguments, "Implementations", "implements", lambda look_ups, asked: look_ups.implementations(**asked))


TOOL = Tool(
    name="find_implementations",
    toolset="symbols",
    title="Find implementations",
    description=(
        "Lists what inherits, implements, embeds or uses a type, directly or through others, wherever it is declared; of a method, "
        "what overrides or implements it. Also for base classes of libraries that are not indexed ('React.Component'). "
        "Each entry says how, how surely and through which types. For every use of a symbol use find_references."
    ),
    parameters=Arguments,
    result=Mentions,
    call=_call,
    aliases=NAMESPACE,
)
