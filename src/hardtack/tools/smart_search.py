"""``smart_search``: as ``search``, and tells of each line whether it is documentation or code."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

from hardtack.query.files.stored_files import FoundLines, StoredFiles
from hardtack.render.lines import matches_to_json
from hardtack.tools.envelope import AnswerMeta
from hardtack.tools.line_search import LineQuery, lines_found
from hardtack.tools.tool import Call, Tool, ToolReply


class LabelledLine(TypedDict):
    """A line that contains the text, and the part of the repository that it is in."""

    repo: Literal["docs", "code"]
    path: str
    line: int
    preview: Annotated[str, Meta(description="The whole line.")]


class SmartSearchResult(TypedDict):
    """Lines by part (documentation first), path and number."""

    result: list[LabelledLine]
    meta: AnswerMeta


def _entries(files: StoredFiles, found: FoundLines) -> list[dict[str, Any]]:
    return matches_to_json(found.matches, files.documentation)


def _call(call: Call, arguments: LineQuery) -> ToolReply:
    return lines_found(call, arguments, _entries, "preview")


TOOL = Tool(
    name="smart_search",
    toolset="files",
    title="Search documentation and code for a text",
    description=("As search, and says of each line whether it is documentation (docs) or code."),
    parameters=LineQuery,
    result=SmartSearchResult,
    call=_call,
    aliases={"pattern": "query", "glob": "file_glob"},
)
