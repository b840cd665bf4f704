"""What ``search`` and ``smart_search`` share: their parameters, and how lines become an answer (CONTRACTS 1C)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

from msgspec import Meta

from hardtack.query.files.stored_files import LINES, MAX_LINES, Found, StoredFiles
from hardtack.tools.cursor import cursor_of, position_of
from hardtack.tools.envelope import Cursor, Repo, asked, first_that_fit
from hardtack.tools.tool import REPLY_BYTES, Call, IndexName, Parameters, Reply

BYTES_PER_LINE: Final = 400
"""Room for each line asked for, beyond the default; 99 of 100 lines of this repository, with their paths, take less than 260."""


class LineQuery(Parameters, kw_only=True, frozen=True):
    """The arguments of a search for lines."""

    query: Annotated[
        str,
        Meta(
            description="Text that a line must have, taken literally, in this case. With regex, an RE2 pattern.",
            extra_json_schema={"minLength": 1},
        ),
    ]
    repo: Repo = None
    file_glob: Annotated[
        str | None,
        Meta(description="Only these paths, whole paths from the top: ** is anything, * is anything but /: src/**/*.py, **/*.md"),
    ] = None
    limit: Annotated[
        int, Meta(description=f"Lines at most; no more than {MAX_LINES} are given.", extra_json_schema={"minimum": 1})
    ] = LINES
    regex: Annotated[bool, Meta(description="Take query for a regular expression (RE2); (?i) ignores case.")] = False
    cursor: Cursor = None
    index_name: IndexName = None


def lines_found(
    call: Call, arguments: LineQuery, entries_of: Callable[[StoredFiles, Found], list[dict[str, Any]]], key: str
) -> Reply:
    """The lines that have the text, as ``entries_of`` shows them: one entry a line, with its text under ``key``."""
    globs = [] if arguments.file_glob is None else [arguments.file_glob]
    request = {"query": arguments.query, "repo": arguments.repo or "both", "globs": globs, "regex": arguments.regex}
    room = max(REPLY_BYTES, BYTES_PER_LINE * min(arguments.limit, MAX_LINES)) if arguments.limit > LINES else REPLY_BYTES
    with asked(call, arguments.index_name) as under_way:
        after = None if arguments.cursor is None else _place(position_of(arguments.cursor, under_way.digest, request))
        options: dict[str, Any] = {"repo": arguments.repo, "globs": globs, "regex": arguments.regex, "after": after}
        found = under_way.files.search(arguments.query, limit=arguments.limit, **options)
        entries, is_whole = first_that_fit(entries_of(under_way.files, found), key, room)
        reached = found.reached
        if len(entries) < len(found.matches):  # the answer is shorter than what was found, so the next one begins earlier
            reached = under_way.files.search(arguments.query, limit=len(entries), **options).reached
        return under_way.reply(
            entries,
            found.repo,
            is_truncated=found.truncated or not is_whole,
            hint=found.hint or _hint(has_more=reached is not None, is_whole=is_whole, is_clamped=arguments.limit > MAX_LINES),
            next_cursor=cursor_of(under_way.digest, request, reached) if reached else "",
            room=room,
        )


def _place(position: tuple[int, ...]) -> tuple[int, int]:
    place, line = position
    return place, line


def _hint(*, has_more: bool, is_whole: bool, is_clamped: bool) -> str:
    """What to say of an answer that has lines."""
    if has_more:
        return "More lines match: go on with cursor, or narrow with file_glob or repo."
    if not is_whole:
        return "Long lines are cut; get_snippet shows more of one."
    return f"No more than {MAX_LINES} lines are given at once." if is_clamped else ""
