"""``list_indexes``: the bundles that are served."""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from hardtack.errors import BundleError
from hardtack.tools.tool import Call, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """None."""


class Index(TypedDict):
    """One bundle."""

    name: Annotated[str, Meta(description="What to pass as index_name.")]
    table_name: Annotated[str, Meta(description="Digest of the bundle: names its very content.")]


def _call(call: Call, arguments: Arguments) -> ToolReply:
    indexes: list[Index] = []
    broken: list[str] = []
    for entry in call.catalog.entries():
        try:
            _, digest = call.catalog.manifest(entry)
        except BundleError:
            broken.append(entry.name)
        else:
            indexes.append({"name": entry.name, "table_name": digest})
    if broken:
        return ToolReply(value=indexes, hint=f"Cannot be read: {', '.join(broken)}; get_status says why.")
    return ToolReply(value=indexes, hint="" if indexes else "No index is served. Build one with: hardtack build SRC")


TOOL = Tool(
    name="list_indexes",
    toolset="indexes",
    title="List indexes",
    description=("Lists the indexes that can be searched."),
    parameters=Arguments,
    result=list[Index],
    call=_call,
    says_commits=True,
)
