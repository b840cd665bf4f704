"""``open_file``: a path in, the lines of the file out (CONTRACTS 1C)."""

from __future__ import annotations

from typing import Any, TypedDict

from hardtack.query.files.stored_files import Excerpt
from hardtack.render.lines import lines_to_json
from hardtack.tools.envelope import AnswerMeta, FilePath, Line, Repo, asked, first_that_fit
from hardtack.tools.tool import Call, IndexName, Parameters, Reply, Tool


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which file."""

    path: FilePath
    repo: Repo = None
    index_name: IndexName = None


class Content(TypedDict):
    """A file."""

    path: str
    lines: list[Line]


class Answer(TypedDict):
    """A file; a last line that is empty stands for the newline at its end."""

    result: Content
    meta: AnswerMeta


def how_to_go_on(excerpt: Excerpt, given: list[dict[str, Any]]) -> str:
    """What to ask for the lines that did not fit."""
    last = given[-1]["line"]
    if last == excerpt.end_line:
        return "Long lines are cut."
    return f"These are lines {excerpt.start_line} to {last}; get_snippet with start_line {last + 1} goes on, to {excerpt.end_line}."


def _call(call: Call, arguments: Arguments) -> Reply:
    with asked(call, arguments.index_name) as under_way:
        excerpt = under_way.files.read(arguments.path, repo=arguments.repo)
        lines, is_whole = first_that_fit(lines_to_json(excerpt.lines, excerpt.start_line), "text")
        return under_way.reply(
            {"path": excerpt.path, "lines": lines},
            excerpt.repo,
            is_truncated=not is_whole,
            hint="" if is_whole else how_to_go_on(excerpt, lines),
        )


TOOL = Tool(
    name="open_file",
    toolset="files",
    title="Open a file",
    description=(
        "Gives the text of a file, line by line, as it was when the index was built. What is long is cut; "
        "when you know which lines you want, get_snippet costs less."
    ),
    parameters=Arguments,
    result=Answer,
    call=_call,
    aliases={"file_path": "path"},
)
