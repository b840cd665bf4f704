"""Shared by the tools that a server offers by default: their parameters, and replies within a budget that say how to go on.

They answer in Markdown; with ``format`` json in structured content alone. One word stands for one thing in all of them: ``name``,
``path``, ``index``; the words that other tools use are taken as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from hardtack.render.bounded import within
from hardtack.render.exploration import TOKEN, without_empty
from hardtack.render.markdown import code, open_fence
from hardtack.render.style import inert, inert_json
from hardtack.tools.tool import FILE, Parameters, ToolReply

LEAST_TOKENS: Final = 100
CUT: Final = "[cut here]"
"""Where something was cut."""
_FENCE: Final = 8
"""Characters for the end of a fence that is closed where a text is cut."""
MAX_TOKENS: Final = 20_000

Name = Annotated[str, Meta(description="'add', 'Cart.add', 'shop.Cart'.")]
Path = Annotated[str | None, Meta(description="File or folder.", extra={FILE: True})]
Budget = Annotated[int, Meta(description="Of the answer.", extra_json_schema={"minimum": LEAST_TOKENS})]
Offset = Annotated[int, Meta(ge=0)]
Format = Literal["markdown", "json"]

NAMES: Final[Mapping[str, str]] = dict.fromkeys(
    ("symbol_name", "symbol", "type_name", "function_name", "class_name", "query", "names"), "name"
)
PATHS: Final[Mapping[str, str]] = dict.fromkeys(
    ("file_path", "filePath", "file", "source_file", "target_file", "directory", "dir", "filename"), "path"
)
OTHERS: Final[Mapping[str, str]] = {
    "index_name": "index",
    "output_format": "format",
    "max_results": "limit",
    "tokens": "max_tokens",
    "budget": "max_tokens",
}


class AgentParameters(Parameters, kw_only=True, frozen=True):
    """What all of these tools take."""

    max_tokens: Budget = 2500
    format: Format = "markdown"
    index: Annotated[str | None, Meta(description="Which repository, where several are served.")] = None

    @property
    def index_name(self) -> str | None:
        """The name that the tools of the contract use."""
        return self.index

    @property
    def room(self) -> int:
        """Characters of the answer."""
        return TOKEN * max(min(self.max_tokens, MAX_TOKENS), LEAST_TOKENS)


def reply(arguments: AgentParameters, text: str, value: Callable[[], Any], *, more: str = "") -> ToolReply:
    """The reply in the form that was asked for.

    Args:
        arguments: of the call.
        text: the Markdown.
        value: gives what is made JSON of; entries of its lists are left out until it fits, and ``left_out`` counts them.
        more: follows the text, and stays where the text is cut: the call that goes on.
    """
    if arguments.format == "json":
        return ToolReply(value=within(plain(value()), arguments.room), room=8 * arguments.room)
    if len(more) > arguments.room // 2:  # a call that names long paths: what is asked for is more than the room holds
        text, more = text + more, ""
    room = arguments.room - len(more)
    if len(text) > room:  # what has to be said of the first entry alone is more than was asked for
        text = f"{cut(text, room - len(CUT) - 1 - _FENCE)[0]}{CUT}\n"
    return ToolReply(value={}, text=text + more, room=8 * arguments.room)


def paged(
    arguments: AgentParameters,
    render: Callable[[int], tuple[str, str]],
    value: Callable[[int], Any],
    count: int,
) -> ToolReply:
    """A reply with as many entries as fit in the form that was asked for, at least one.

    Args:
        arguments: of the call.
        render: gives the Markdown of the first so many entries, and the call that goes on after them.
        value: gives what is made JSON of for them.
        count: entries there are.
    """
    if arguments.format == "json":
        shown = fitted(lambda n: inert_json(plain(value(n))), count, arguments.room)[1]
        return reply(arguments, "", lambda: value(shown))
    shown = fitted(lambda n: "".join(render(n)), count, arguments.room)[1]
    text, more = render(shown)
    return reply(arguments, text, lambda: value(shown), more=more)


def plain(value: Any) -> Any:
    """What an answer is made of as JSON values, without what says nothing."""
    return without_empty(msgspec.to_builtins(value))


def fitted(render: Callable[[int], str], count: int, room: int) -> tuple[str, int]:
    """The text of as many entries as fit, at least one, and their number.

    Args:
        render: gives the text of the first so many entries.
        count: entries there are.
        room: characters.
    """
    if len(whole := render(count)) <= room:  # the last page may be shorter than the one before: it names no call that goes on
        return whole, count
    low, high = min(1, count), max(count - 1, min(1, count))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(render(middle)) <= room else (low, middle - 1)
    return render(low), low


def shortened(line: str, most: int) -> str:
    """A line of at most so many characters, before the mark that says where it is cut."""
    return line if len(line) <= most else f"{line[:most]}{CUT}"


def cut(text: str, room: int) -> tuple[str, bool]:
    """A text up to the last line that ends within so many characters, an open fence closed; and whether something was cut."""
    if len(text) <= room:
        return text, False
    head = text[: text.rfind("\n", 0, room) + 1] or text[:room]
    fence = open_fence(head)
    return f"{head}{fence}\n" if fence else head, True


def none_from(offset: int, total: int) -> str:
    """That a page begins after the last entry."""
    return f"There are {total}, none of them from offset {offset} on.\n"


def call_of(tool: str, **arguments: Any) -> str:
    """A call as its caller can make it: ``read(path="a.py", start_line=40)``; arguments that are None or empty are left out."""
    given = ", ".join(f"{name}={_literal(value)}" for name, value in arguments.items() if value not in (None, ""))
    return code(f"{tool}({given})")


def _literal(value: Any) -> str:
    """A value as JSON, whose escapes stand for what could harm a terminal or a reader."""
    plain = json.dumps(value, ensure_ascii=False)
    return plain if inert(plain) == plain else json.dumps(value)
