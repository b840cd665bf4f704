"""``diff``: two states of a repository in, the symbols that differ and what breaks callers out."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated, Any, Final, NotRequired, TypedDict

from msgspec import Meta

from hardtack.bundle.reader import Bundle
from hardtack.diff.comparison import compare
from hardtack.query.request.globs import path_predicate
from hardtack.query.request.parse import MAX_LIMIT, check_limit
from hardtack.query.request.top import spelt_glob
from hardtack.render.changes import comparison_to_json, comparison_to_markdown
from hardtack.tools.compared import bundle_at
from hardtack.tools.looking_up import Format, Limit
from hardtack.tools.tool import Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """What is compared, and what of it is wanted."""

    old: Annotated[str, Meta(description="A git revision ('HEAD~3', 'main', a tag), or an index.")]
    new: Annotated[str | None, Meta(description="The same; default: the working tree.")] = None
    breaking: Annotated[bool, Meta(description="Only what breaks callers, or may.")] = False
    exported: Annotated[bool, Meta(description="Only what other repositories can name.")] = False
    path: Annotated[str | None, Meta(description="Only paths that match this glob.")] = None
    limit: Limit = 20
    output_format: Format = "markdown"
    index_name: IndexName = None


class Side(TypedDict):
    """One of the two states."""

    name: str
    digest: str
    repository: str
    commit: str
    is_working_tree: bool


class DiffResult(TypedDict):
    """What differs; the symbols that break callers come first."""

    old: Side
    new: Side
    files_changed: int
    counts: Annotated[dict[str, int], Meta(description="Kind of change to how many symbols.")]
    breaking: Annotated[dict[str, int], Meta(description="How many symbols break callers, and may.")]
    symbols: list[dict[str, Any]]
    relations: list[dict[str, Any]]
    projects: list[dict[str, Any]]
    notes: Annotated[list[str], Meta(description="What could not be compared.")]
    left_out: NotRequired[dict[str, int]]


def _call(call: Call, arguments: Arguments) -> ToolReply:
    check_limit(arguments.limit)
    limit = min(arguments.limit, MAX_LIMIT)
    with ExitStack() as stack:
        before, after = _opened(call, arguments, stack)
        globs = [spelt_glob(after, arguments.path)] if arguments.path else []
        comparison = compare(
            before,
            after,
            takes=path_predicate(globs) if globs else lambda path: True,
            exported=arguments.exported,
            breaking=arguments.breaking,
        )
    value = comparison_to_json(comparison, limit=limit)
    del value["schema"]
    text = comparison_to_markdown(comparison, limit=limit) if arguments.output_format == "markdown" else None
    return ToolReply(value=value, text=text, is_truncated="left_out" in value, hint=_HINT if "left_out" in value else "")


_HINT: Final = "breaking=true, exported=true or a path give less; a larger limit gives more."


def _opened(call: Call, arguments: Arguments, stack: ExitStack) -> tuple[Bundle, Bundle]:
    """Both bundles; the one at hand, which commits are built like, is opened in any case."""
    served = call.catalog.entry(arguments.index_name).name
    at_hand = stack.enter_context(call.catalog.searcher(served, as_built=arguments.new is not None)).bundle
    before, after = (
        stack.enter_context(bundle_at(call, named, at_hand)) if named else at_hand for named in (arguments.old, arguments.new)
    )
    return before, after


TOOL = Tool(
    name="diff",
    toolset="changes",
    title="What changed and what breaks",
    description=(
        "Compares two commits, or a commit and the working tree, by symbols: added, removed, moved, renamed, changed; what breaks "
        "callers; imports and calls gained and lost. Builds the index of a commit if none is at hand."
    ),
    parameters=Arguments,
    result=DiffResult,
    call=_call,
    aliases={"base": "old", "from": "old", "head": "new", "to": "new"},
    says_commits=True,
)
