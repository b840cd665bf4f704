"""Shared by the tools that read files: their parameters, and the envelope ``{"result": ..., "meta": {...}}`` of their answers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from msgspec import Meta

from hardtack.query.files.stored_files import Excerpt, StoredFiles
from hardtack.render.lines import lines_to_json
from hardtack.render.style import json_size
from hardtack.tools.tool import FILE, REPLY_BYTES, Call, ToolReply

Repo = Annotated[
    str | None,
    Meta(
        description="docs is documentation, code the rest.",
        extra_json_schema={"enum": ["docs", "code", "both", None]},
    ),
]
Cursor = Annotated[str | None, Meta(description="meta.next_cursor of the answer before.")]
FilePath = Annotated[
    str,
    Meta(
        description="From the top of the repository.",
        extra_json_schema={"minLength": 1},
        extra={FILE: True},
    ),
]

_LONG_TEXT: Final = 2000
"""Characters that each text keeps at least when an answer has to be cut."""
_LEAST_LINE: Final = len('{"line":1,"text":""}')
"""Bytes of the shortest line as JSON."""
_NOTES: Final = 600
"""Bytes of an answer that are set aside for its ``meta`` and its hint."""
_CUT: Final = "[cut here]"


class AnswerMeta(TypedDict):
    """The ``meta`` of an answer."""

    repo: Literal["docs", "code", "both"]
    duration_ms: Annotated[int, Meta(ge=0)]
    truncated: Annotated[bool, Meta(description="There is more than was given.")]
    index_name: NotRequired[Annotated[str, Meta(description="Given where several indexes are served.")]]
    next_cursor: NotRequired[Annotated[str, Meta(description="Pass it as cursor to go on.")]]
    hint: NotRequired[Annotated[str, Meta(description="What to ask next, or how to ask for less.")]]


class Line(TypedDict):
    """One line of a file."""

    line: int
    text: Annotated[str, Meta(description="Without its ending.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesCall:
    """One call of a tool that reads files, with the bundle open."""

    files: StoredFiles
    digest: str
    """Of the bundle."""
    index_name: str
    """Empty where only one index is served."""
    started: float = field(default_factory=time.monotonic)

    def reply(
        self,
        result: Any,
        repo: str,
        *,
        is_truncated: bool = False,
        hint: str = "",
        next_cursor: str = "",
        room: int = REPLY_BYTES,
    ) -> ToolReply:
        """The answer in its envelope."""
        meta = {
            "repo": repo,
            "duration_ms": int((time.monotonic() - self.started) * 1000),
            "truncated": is_truncated,
            **({"index_name": self.index_name} if self.index_name else {}),
            **({"next_cursor": next_cursor} if next_cursor else {}),
        }
        return ToolReply(value={"result": result, "meta": meta}, is_truncated=is_truncated, hint=hint, room=room)


@contextmanager
def files_call(call: Call, index_name: str | None) -> Iterator[FilesCall]:
    """Open the index of that name and start the clock.

    Raises:
        BundleError: there is none, or it is not what its manifest says.
    """
    catalog = call.catalog
    with catalog.searcher(index_name) as searcher:
        name = catalog.entry(index_name).name if len(catalog.entries()) > 1 else ""
        yield FilesCall(files=searcher.files, digest=searcher.bundle.digest, index_name=name)


def lines_that_fit(excerpt: Excerpt) -> tuple[list[dict[str, Any]], bool]:
    """As many lines of an excerpt as fit an answer, as JSON objects, and whether all of them are there uncut.

    No more of it is decoded than an answer can hold, however long the file, or one line of it, is.
    """
    lines = islice(excerpt.each_line(4 * REPLY_BYTES), REPLY_BYTES // _LEAST_LINE)
    return first_that_fit(lines_to_json(lines, excerpt.start_line), "text")


def first_that_fit(entries: Sequence[dict[str, Any]], key: str, room: int = REPLY_BYTES) -> tuple[list[dict[str, Any]], bool]:
    """As many entries as fit an answer, at least one, and whether all of them are there uncut.

    Long texts are cut before any entry is dropped.

    Args:
        entries: JSON objects.
        key: the key of the text that may be long in each.
        room: bytes of the answer.
    """
    room -= _NOTES
    if json_size(entries) <= room:
        return [*entries], True
    most = max(_LONG_TEXT, room // (2 * len(entries)))
    kept: list[dict[str, Any]] = []
    for entry in entries:
        text = entry[key]
        shown = entry if len(text) <= most else {**entry, key: text[:most] + _CUT}
        room -= json_size(shown) + 1
        if room < 0 and kept:
            break
        kept.append(shown)
    return kept, False
