"""Shared by ``search`` and ``smart_search``: their parameters, and how matched lines become an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Meta

from hardtack.query.files.stored_files import LINES, MAX_LINES, FoundLines, StoredFiles
from hardtack.tools.cursor import cursor_of, position_of
from hardtack.tools.envelope import Cursor, Repo, files_call, first_that_fit
from hardtack.tools.tool import REPLY_BYTES, Call, IndexName, Parameters, ToolReply

BYTES_PER_LINE: Final = 400
"""Bytes allowed for each line where more than the default number is asked for. In this repository 99 of 100 matched lines, with
their paths, take less than 260."""


class LineQuery(Parameters, kw_only=True, frozen=True):
    """The arguments of a search for lines."""

    query: Annotated[
        str,
        Meta(
            description="Literal, in this case; with regex an RE2 pattern.",
            extra_json_schema={"minLength": 1},
        ),
    ]
    repo: Repo = None
    file_glob: Annotated[
        str | None,
        Meta(description="From the top: src/**/*.py, **/*.md"),
    ] = None
    limit: Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_LINES})] = LINES
    regex: Annotated[bool, Meta(description="(?i) ignores case.")] = False
    cursor: Cursor = None
    index_name: IndexName = None


def lines_found(
    call: Call, arguments: LineQuery, entries_of: Callable[[StoredFiles, FoundLines], list[dict[str, Any]]], key: str
) -> ToolReply:
    """The reply with the lines that contain the text.

    Args:
        call: the call.
        arguments: of the call.
        entries_of: makes a JSON object of each line.
        key: where each object has the text of the line, which may be cut.
    """
    globs = [] if arguments.file_glob is None else [arguments.file_glob]
    request = {"query": arguments.query, "repo": arguments.repo or "both", "globs": globs, "regex": arguments.regex}
    room = max(REPLY_BYTES, BYTES_PER_LINE * min(arguments.limit, MAX_LINES)) if arguments.limit > LINES else REPLY_BYTES
    with files_call(call, arguments.index_name) as opened:
        after = None if arguments.cursor is None else _place(position_of(arguments.cursor, opened.digest, request))
        options: dict[str, Any] = {"repo": arguments.repo, "globs": globs, "regex": arguments.regex, "after": after}
        found = opened.files.search(arguments.query, limit=arguments.limit, **options)
        entries, is_whole = first_that_fit(entries_of(opened.files, found), key, room)
        reached, is_whole = found.reached, is_whole and not found.cut
        if len(entries) < len(found.matches):  # fewer lines fit than were found, so the next page begins earlier
            reached = opened.files.search(arguments.query, limit=len(entries), **options).reached
        return opened.reply(
            entries,
            found.repo,
            is_truncated=found.truncated or not is_whole,
            hint=found.hint or _hint(has_more=reached is not None, is_whole=is_whole, is_clamped=arguments.limit > MAX_LINES),
            next_cursor=cursor_of(opened.digest, request, reached) if reached else "",
            room=room,
        )


def _place(position: tuple[int, ...]) -> tuple[int, int]:
    place, line = position
    return place, line


def _hint(*, has_more: bool, is_whole: bool, is_clamped: bool) -> str:
    if has_more:
        return "More lines match: go on with cursor, or narrow with file_glob or repo."
    if not is_whole:
        return "Long lines are cut; get_snippet shows more of one."
    return f"No more than {MAX_LINES} lines are given at once." if is_clamped else ""
