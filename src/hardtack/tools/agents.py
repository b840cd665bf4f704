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

from hardtack.render.exploration import TOKEN, without_empty
from hardtack.render.markdown import code, open_fence
from hardtack.render.style import inert
from hardtack.tools.tool import FILE, Parameters, ToolReply

LEAST_TOKENS: Final = 100
_CUT: Final = "[cut here]\n"
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


def reply(arguments: AgentParameters, text: str, value: Callable[[], Any]) -> ToolReply:
    """The reply in the form that was asked for; ``value`` gives what is made JSON of."""
    if arguments.format == "json":
        return ToolReply(value=without_empty(msgspec.to_builtins(value())), room=max(arguments.room, 40_000))
    if len(text) > arguments.room:  # what has to be said of the first entry alone is more than was asked for
        text = cut(text, arguments.room - len(_CUT))[0] + _CUT
    return ToolReply(value={}, text=text, room=8 * arguments.room)


def fitted(render: Callable[[int], str], count: int, room: int) -> tuple[str, int]:
    """The text of as many entries as fit, at least one, and their number.

    Args:
        render: gives the text of the first so many entries.
        count: entries there are.
        room: characters.
    """
    low, high = min(1, count), count
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(render(middle)) <= room else (low, middle - 1)
    return render(low), low


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
