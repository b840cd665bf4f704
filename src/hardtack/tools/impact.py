"""``impact``: symbols, or an earlier state, in; who is reached and which tests may break out."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from hardtack.impact.impact import impact_of_changes, impact_of_names
from hardtack.nouns.impact import Impact
from hardtack.query.lookup.reach import MAX_DEPTH
from hardtack.query.request.parse import MAX_LIMIT, check_limit
from hardtack.render.impact import impact_to_json, impact_to_markdown
from hardtack.tools.compared import bundle_at
from hardtack.tools.looking_up import Format, Limit
from hardtack.tools.tool import Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Of which symbols, or since when."""

    name: Annotated[str | None, Meta(description="A symbol: 'add', 'Cart.add'. Without it and old: your edits.")] = None
    old: Annotated[str | None, Meta(description="All changes since a git revision ('main', 'HEAD~3'), or an index.")] = None
    depth: Annotated[int, Meta(ge=1, le=MAX_DEPTH, description="Steps at most.")] = MAX_DEPTH
    limit: Limit = 20
    output_format: Format = "markdown"
    index_name: IndexName = None


class ImpactResult(TypedDict):
    """What is reached, the nearest first."""

    bundle: dict[str, str]
    targets: list[dict[str, Any]]
    reached: list[dict[str, Any]]
    tests: Annotated[list[dict[str, Any]], Meta(description="Each with its reason.")]
    test_files: int
    unresolved: Annotated[int, Meta(description="Uses of the names that nothing ties to a symbol.")]
    levels: int
    is_whole: bool
    notes: list[str]
    left_out: NotRequired[dict[str, int]]


def _call(call: Call, arguments: Arguments) -> ToolReply:
    check_limit(arguments.limit)
    limit = min(arguments.limit, MAX_LIMIT)
    with ExitStack() as stack:
        found = _found(call, arguments, stack)
    value = impact_to_json(found, limit=limit)
    del value["schema"]
    text = impact_to_markdown(found, limit=limit) if arguments.output_format == "markdown" else None
    return ToolReply(value=value, text=text, is_truncated="left_out" in value, hint=_HINT if "left_out" in value else "")


_HINT = "A smaller depth gives less; a larger limit gives more."


def _found(call: Call, arguments: Arguments, stack: ExitStack) -> Impact:
    served = call.catalog.entry(arguments.index_name).name
    bundle = stack.enter_context(call.catalog.searcher(served)).bundle
    if arguments.name and not arguments.old:
        return impact_of_names(bundle, [arguments.name], depth=arguments.depth)
    if arguments.old:
        before = stack.enter_context(bundle_at(call, arguments.old, bundle))
    else:
        before = stack.enter_context(call.catalog.searcher(served, as_built=True)).bundle
    return impact_of_changes(before, bundle, depth=arguments.depth)


TOOL = Tool(
    name="impact",
    toolset="changes",
    title="Who a change reaches, and which tests",
    description=(
        "Who is reached by a change of a symbol, by your edits, or by all changes since a commit: callers of callers by distance "
        "with certainty, entry points, and the tests to run, each with its reason."
    ),
    parameters=Arguments,
    result=ImpactResult,
    call=_call,
    aliases={"symbol": "name", "symbol_name": "name", "function_name": "name", "base": "old", "from": "old", "since": "old"},
    says_commits=True,
)
