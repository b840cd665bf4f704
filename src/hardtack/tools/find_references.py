"""``find_references``: a symbol in, every place that refers to it out, from stored references and not from text."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from hardtack.tools.looking_up import NAMESPACE, listed
from hardtack.tools.mentioned import MentionParameters, Mentions, reply_of
from hardtack.tools.tool import Call, Reply, Tool


class Arguments(MentionParameters, kw_only=True, frozen=True):
    """Which symbol."""

    relation: Annotated[
        str | tuple[str, ...] | None,
        Meta(
            description="Only calls (also instantiations), references (other uses), imports, inherits, implements, embeds or uses; "
            "or several of them.",
        ),
    ] = None


def _call(call: Call, arguments: Arguments) -> Reply:
    kinds = listed(arguments.relation)
    return reply_of(call, arguments, "References", "refers to", lambda look_ups, asked: look_ups.references(**asked), kinds=kinds)


TOOL = Tool(
    name="find_references",
    toolset="symbols",
    title="Find references",
    description=(
        "Lists every place that refers to a function, method, type, field or constant: calls, other uses, imports, inheritance; "
        "each with its line, the symbol it is in, and how sure it is that this symbol is meant. Use it before you change or remove "
        "something; relation 'calls' gives the callers. Unlike search, which finds text, it knows what names mean. For what "
        "implements a type use find_implementations."
    ),
    parameters=Arguments,
    result=Mentions,
    call=_call,
    aliases=NAMESPACE,
)
