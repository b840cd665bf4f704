"""``open_file``: a path in, the lines of the file out."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from hardtack.query.files.stored_files import Excerpt
from hardtack.render.lines import encoding_to_json
from hardtack.tools.envelope import AnswerMeta, FilePath, Line, Repo, files_call, lines_that_fit
from hardtack.tools.tool import Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which file."""

    path: FilePath
    repo: Repo = None
    index_name: IndexName = None


Encoding = Annotated[str, Meta(description="What the file was decoded from, if that was not UTF-8.")]
EncodingKnownBy = Annotated[str, Meta(description="How the encoding is known: its content, declared, or guessed.")]


class WholeFile(TypedDict):
    """A file."""

    path: str
    encoding: NotRequired[Encoding]
    encoding_basis: NotRequired[EncodingKnownBy]
    lines: list[Line]


class OpenFileResult(TypedDict):
    """A file."""

    result: WholeFile
    meta: AnswerMeta


def how_to_go_on(excerpt: Excerpt, given: list[dict[str, Any]]) -> str:
    """How to get the lines that did not fit."""
    last = given[-1]["line"]
    if last == excerpt.end_line:
        return "Long lines are cut."
    return f"These are lines {excerpt.start_line} to {last}; get_snippet with start_line {last + 1} goes on, to {excerpt.end_line}."


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with files_call(call, arguments.index_name) as opened:
        excerpt = opened.files.read(arguments.path, repo=arguments.repo)
        lines, is_whole = lines_that_fit(excerpt)
        return opened.reply(
            {"path": excerpt.path, **encoding_to_json(excerpt), "lines": lines},
            excerpt.repo,
            is_truncated=not is_whole,
            hint="" if is_whole else how_to_go_on(excerpt, lines),
        )


TOOL = Tool(
    name="open_file",
    toolset="files",
    title="Open a file",
    description=("Gives the text of a file, line by line, as it was indexed. Long files are cut; get_snippet gives some lines."),
    parameters=Arguments,
    result=OpenFileResult,
    call=_call,
    aliases={"file_path": "path"},
)
