"""``list_package_exports``: the name of a package in, the symbols that it exports out."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from hardtack.nouns.descriptors import SymbolDescriptor
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.request.parse import MAX_LIMIT
from hardtack.render.descriptors import descriptor_json, note_line, render_exports
from hardtack.render.style import inert_json
from hardtack.tools.looking_up import NAMESPACE, Cursor, Format, Limit, PageRequest, names_in
from hardtack.tools.tool import Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which package, and which of its exports."""

    package: Annotated[
        str,
        Meta(description="Or the end of its name: 'App\\Models', 'click.core'; where none is declared, the path."),
    ]
    symbol_type: Annotated[
        str | tuple[str, ...] | None,
        Meta(description="Only these kinds: function, class, interface, type, constant, variable, macro, method."),
    ] = None
    output_format: Format = "markdown"
    limit: Limit = 50
    cursor: Cursor = None
    index_name: IndexName = None


class Exports(TypedDict):
    """The exports of a package, or a page of them."""

    result: Annotated[list[SymbolDescriptor], Meta(description="By kind, then by name; each symbol once.")]
    total: Annotated[int, Meta(description="How many there are, on all pages.")]
    next_cursor: NotRequired[str]
    suggestions: NotRequired[Annotated[list[str], Meta(description="Packages that may be meant, when this one offers nothing.")]]
    note: NotRequired[Annotated[str, Meta(description="Which files did not parse whole, so that something may be missing.")]]


def _call(call: Call, arguments: Arguments) -> ToolReply:
    kinds = names_in(arguments.symbol_type)
    entry = call.catalog.entry(arguments.index_name).name
    with call.catalog.searcher(entry) as searcher:
        digest = searcher.bundle.digest
        request = {"exports": arguments.package, "kinds": kinds}
        paging = PageRequest.of(digest, request, limit=arguments.limit, cursor=arguments.cursor)
        found = LookUps(searcher.bundle).exports(arguments.package, kinds=kinds, page=paging.page)
    entries: list[dict[str, Any]] = descriptor_json(found.results, entry)
    shown, cursor, hint = paging.cut(found, entries)
    value: dict[str, Any] = {"result": shown, "total": found.total}
    if cursor:
        value["next_cursor"] = cursor
    if found.note:
        value["note"] = found.note
    if not found.total:
        nearest = f" Nearest: {', '.join(found.suggestions)}." if found.suggestions else ""
        hint = f"No exported symbols found in package {arguments.package!r}{' of that type' if kinds else ''}.{nearest}"
        value |= {"suggestions": list(found.suggestions)} if found.suggestions else {}
    is_truncated = bool(cursor) or arguments.limit > MAX_LIMIT
    if arguments.output_format == "markdown":
        text = render_exports(arguments.package, found.results[: len(shown)], total=found.total) if shown else f"{hint}\n"
        text += note_line(found.note)
        return ToolReply(value=value, text=text, is_truncated=is_truncated, hint=hint)
    # The text is a bare array, so the hint is an entry of it.
    notes = {**({"truncated": True} if is_truncated else {}), **({"hint": hint} if hint else {})}
    return ToolReply(value=value | notes, text=inert_json([*shown, *([{"type": "hint", "message": hint}] if hint else [])]))


TOOL = Tool(
    name="list_package_exports",
    toolset="symbols",
    title="List package exports",
    description=("Lists what a package, namespace or module exports, by kind."),
    parameters=Arguments,
    result=Exports,
    call=_call,
    aliases=NAMESPACE,
)
