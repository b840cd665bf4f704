"""``find_type_definition``: the name of a type in, its descriptor out."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta

from hardtack.nouns.descriptors import ClassDescriptor
from hardtack.query.lookup.describe import text_of_type
from hardtack.query.lookup.lookups import LookUps
from hardtack.render.descriptors import descriptor_json, render_descriptor
from hardtack.render.style import json_size
from hardtack.tools.looking_up import FILE_NAMES, NAMESPACE, FilePath, Format, Package
from hardtack.tools.tool import REPLY_BYTES, Call, IndexName, Parameters, Tool, ToolReply

_SHORT_FORM: Final = frozenset({"language", "kind", "name", "signature", "location", "visibility", "is_static"})
"""Keys of a method's descriptor that remain where the methods' whole descriptors do not fit a reply."""


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which type."""

    type_name: Annotated[
        str,
        Meta(description="'Cart', 'shop.Cart', 'Map::Entry'."),
    ]
    package: Package = None
    file_path: FilePath = None
    output_format: Format = "markdown"
    index_name: IndexName = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    name = call.catalog.entry(arguments.index_name).name
    with call.catalog.searcher(name) as searcher:
        descriptor = LookUps(searcher.bundle).one_type(
            arguments.type_name, package=arguments.package or "", file=arguments.file_path or ""
        )
        text = text_of_type(searcher.bundle, descriptor)
    value = descriptor_json(descriptor, name)
    is_shortened = json_size(value) > REPLY_BYTES
    if is_shortened:
        value["methods"] = [_short_form(method) for method in value.get("methods", ())]
    return ToolReply(
        value=value,
        text=render_descriptor(descriptor, text) if arguments.output_format == "markdown" else None,
        is_truncated=is_shortened,
        hint="Methods are told in short: ask get_function_details for one, with class_name." if is_shortened else "",
    )


def _short_form(method: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in method.items() if key in _SHORT_FORM}


TOOL = Tool(
    name="find_type_definition",
    toolset="symbols",
    title="Find type definition",
    description=(
        "Tells what a class, struct, interface, trait, enum or type alias is: fields, methods, relations, documentation, "
        "place; of a Laravel model its table, casts and relations."
    ),
    parameters=Arguments,
    result=ClassDescriptor,
    call=_call,
    aliases={**NAMESPACE, **FILE_NAMES},
)
