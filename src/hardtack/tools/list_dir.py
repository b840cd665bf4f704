"""``list_dir``: the path of a directory in, the files and directories in it out."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

from hardtack.query.files.left_out import sentence_of
from hardtack.query.files.stored_files import Directory
from hardtack.render.lines import entries_to_json
from hardtack.tools.cursor import cursor_of, position_of
from hardtack.tools.envelope import AnswerMeta, Cursor, Repo, files_call, first_that_fit
from hardtack.tools.tool import FILE, Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which directory."""

    path: Annotated[
        str | None,
        Meta(
            description="Path of a directory; . is the top of the repository. Without path and repo, docs and code are listed.",
            extra={FILE: True},
        ),
    ] = None
    repo: Repo = None
    cursor: Cursor = None
    index_name: IndexName = None


class DirectoryEntry(TypedDict):
    """A file or directory."""

    path: str
    type: Literal["file", "directory"]


class DirectoryContent(TypedDict):
    """A directory, its entries by name."""

    path: str
    entries: list[DirectoryEntry]


class ListDirResult(TypedDict):
    """A directory, in the envelope."""

    result: DirectoryContent
    meta: AnswerMeta


_NAMED = 10
"""Hidden entries that a hint names at most."""


def _hint(arguments: Arguments, directory: Directory, *, is_truncated: bool) -> str:
    if is_truncated:
        return "There is more; go on with cursor."
    if arguments.path is None and arguments.repo is None:
        return "These are values of repo; path . lists the top of the repository."
    if directory.hidden:
        names = [entry.path for entry in directory.hidden[:_NAMED]]
        return f"Hidden, to be asked for by path: {', '.join(names)}{', ...' if len(directory.hidden) > _NAMED else ''}"
    if directory.left_out:
        return sentence_of(directory.left_out)
    return "" if directory.entries else f"Nothing of {directory.repo} is in it."


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with files_call(call, arguments.index_name) as opened:
        directory = opened.files.directory(arguments.path, repo=arguments.repo)
        request = {"path": directory.path, "repo": directory.repo}
        (first,) = position_of(arguments.cursor, opened.digest, request) if arguments.cursor is not None else (0,)
        entries, is_whole = first_that_fit(entries_to_json(directory.entries[first:]), "path")
        return opened.reply(
            {"path": directory.path, "entries": entries},
            directory.repo,
            is_truncated=not is_whole,
            hint=_hint(arguments, directory, is_truncated=not is_whole),
            next_cursor="" if is_whole else cursor_of(opened.digest, request, [first + len(entries)]),
        )


TOOL = Tool(
    name="list_dir",
    toolset="files",
    title="List a directory",
    description=("Lists what lies directly in a directory of the indexed repository; . is its top."),
    parameters=Arguments,
    result=ListDirResult,
    call=_call,
)
