"""``clear_index``: deletes a bundle for good."""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from hardtack.errors import UsageError
from hardtack.store.own import clear
from hardtack.tools.tool import Call, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which index."""

    index_name: Annotated[str, Meta(description="The index to delete, as list_indexes names it.")]


class ClearIndexResult(TypedDict):
    """Confirms that an index was deleted."""

    success: bool
    message: str


def _call(call: Call, arguments: Arguments) -> ToolReply:
    if not arguments.index_name.strip():  # other tools take an empty name for the first index; this one must not delete it
        message = "The parameter 'index_name' of clear_index is empty."
        raise UsageError(message, code="INVALID_REQUEST", details={"param": "index_name"}, hint="Name the index to delete.")
    entry = call.catalog.entry(arguments.index_name)
    clear(entry.located)
    call.catalog.forget(entry.name)
    result: ClearIndexResult = {"success": True, "message": f"Index '{entry.name}' cleared successfully"}
    return ToolReply(value=result)


TOOL = Tool(
    name="clear_index",
    toolset="build",
    title="Delete an index",
    description=("Deletes an index for good; its source stays. Only when a person asked for it."),
    parameters=Arguments,
    result=ClearIndexResult,
    call=_call,
    says_commits=True,
    is_read_only=False,
    is_destructive=True,
)
