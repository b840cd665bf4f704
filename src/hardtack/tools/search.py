"""``search``: a text in, every stored line that contains it out."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from msgspec import Meta

from hardtack.query.files.stored_files import FoundLines, StoredFiles
from hardtack.tools.envelope import AnswerMeta
from hardtack.tools.line_search import LineQuery, lines_found
from hardtack.tools.tool import Call, Tool, ToolReply


class MatchedLine(TypedDict):
    """A line that contains the text."""

    path: str
    line: int
    preview: Annotated[str, Meta(description="The whole line.")]


class LineSearchResult(TypedDict):
    """Lines by part (documentation first), path and number."""

    result: list[MatchedLine]
    meta: AnswerMeta


def _entries(files: StoredFiles, found: FoundLines) -> list[dict[str, Any]]:
    return [{"path": match.path, "line": match.line, "preview": match.text} for match in found.matches]


def _call(call: Call, arguments: LineQuery) -> ToolReply:
    return lines_found(call, arguments, _entries, "preview")


TOOL = Tool(
    name="search",
    toolset="files",
    title="Search lines for a text",
    description=("Finds every line that has a text, exactly, as grep -F does; or with regex a pattern."),
    parameters=LineQuery,
    result=LineSearchResult,
    call=_call,
    aliases={"pattern": "query", "glob": "file_glob"},
)
