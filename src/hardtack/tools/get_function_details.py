"""``get_function_details``: the name of a function in, its descriptor with its code out."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from hardtack.nouns.descriptors import FunctionDescriptor
from hardtack.query.lookup.lookups import LookUps
from hardtack.render.descriptors import descriptor_json, render_descriptor
from hardtack.tools.looking_up import FILE_NAMES, NAMESPACE, ClassName, FilePath, Format, Package
from hardtack.tools.tool import Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which function."""

    function_name: Annotated[
        str,
        Meta(description="'parse_config', 'Cart.add', 'shop.cart.open'."),
    ]
    package: Package = None
    class_name: ClassName = None
    file_path: FilePath = None
    output_format: Format = "markdown"
    index_name: IndexName = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    name = call.catalog.entry(arguments.index_name).name
    with call.catalog.searcher(name) as searcher:
        descriptor = LookUps(searcher.bundle).one_function(
            arguments.function_name,
            package=arguments.package or "",
            owner=arguments.class_name or "",
            file=arguments.file_path or "",
        )
    return ToolReply(
        value=descriptor_json(descriptor, name),
        text=render_descriptor(descriptor) if arguments.output_format == "markdown" else None,
    )


TOOL = Tool(
    name="get_function_details",
    toolset="symbols",
    title="Get function details",
    description=("Gives one function, method or constructor in full: signature, parameters, returns, documentation, place, code."),
    parameters=Arguments,
    result=FunctionDescriptor,
    call=_call,
    aliases={**NAMESPACE, **FILE_NAMES},
)
