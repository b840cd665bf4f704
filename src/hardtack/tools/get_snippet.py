"""``get_snippet``: a path and two line numbers in, those lines of the file out."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from hardtack.render.lines import encoding_to_json
from hardtack.tools.envelope import AnswerMeta, FilePath, Line, Repo, files_call, lines_that_fit
from hardtack.tools.open_file import Encoding, EncodingKnownBy, how_to_go_on
from hardtack.tools.tool import Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which lines of which file."""

    path: FilePath
    start_line: Annotated[int, Meta(description="From 1.", extra_json_schema={"minimum": 1})]
    end_line: Annotated[int, Meta(extra_json_schema={"minimum": 1})]
    repo: Repo = None
    index_name: IndexName = None


class FileLines(TypedDict):
    """Some lines of a file."""

    path: str
    start_line: Annotated[int, Meta(ge=1)]
    end_line: Annotated[int, Meta(ge=1, description="The last line given.")]
    encoding: NotRequired[Encoding]
    encoding_basis: NotRequired[EncodingKnownBy]
    lines: list[Line]


class GetSnippetResult(TypedDict):
    """Some lines of a file, in the envelope."""

    result: FileLines
    meta: AnswerMeta


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with files_call(call, arguments.index_name) as opened:
        excerpt = opened.files.read(arguments.path, arguments.start_line, arguments.end_line, repo=arguments.repo)
        lines, is_whole = lines_that_fit(excerpt)
        place = {"path": excerpt.path, "start_line": excerpt.start_line, "end_line": lines[-1]["line"]}
        result = {**place, **encoding_to_json(excerpt), "lines": lines}
        return opened.reply(result, excerpt.repo, is_truncated=not is_whole, hint="" if is_whole else how_to_go_on(excerpt, lines))


TOOL = Tool(
    name="get_snippet",
    toolset="files",
    title="Read lines of a file",
    description=("Gives some lines of a file, as it was indexed."),
    parameters=Arguments,
    result=GetSnippetResult,
    call=_call,
    aliases={"file_path": "path"},
)
