"""``hybrid_search``: a question in, descriptors of the symbols that answer it out."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta

from hardtack.bundle.format.records import FileRecord
from hardtack.errors import BundleError
from hardtack.nouns.descriptors import SymbolDescriptor, descriptor_to_json
from hardtack.query.files.path_spelling import find_file
from hardtack.query.lookup.hit_descriptors import describe_hits
from hardtack.render.json import fitted_as_json
from hardtack.render.links import uri_of
from hardtack.render.markdown import render_answer
from hardtack.render.style import Style
from hardtack.tools.looking_up import FILE_NAMES
from hardtack.tools.searching import TOKENS, Limit, ranked_reply
from hardtack.tools.tool import FILE, Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """A question, and the file that its asker is in."""

    query: Annotated[
        str,
        Meta(description="A name, a phrase of the code, or a question.", extra_json_schema={"minLength": 1}),
    ]
    limit: Limit = 5
    file_path: Annotated[str | None, Meta(description="A file you are in.", extra={FILE: True})] = None
    output_format: Literal["json", "markdown"] = "json"
    index_name: IndexName = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    name, file = _index_and_file(call, arguments)
    with call.catalog.searcher(name) as searcher:
        languages = [file.language] if file else []
        answer = searcher.search(arguments.query, limit=arguments.limit, languages=languages)
        fitted = fitted_as_json(answer, TOKENS)
        descriptors = [_with_uri(descriptor, name) for descriptor in describe_hits(searcher.bundle, fitted.hits)]
    text = render_answer(fitted, Style(max_tokens=TOKENS)) if arguments.output_format == "markdown" else None
    return ranked_reply(descriptor_to_json(descriptors), answer, fitted, arguments.limit, text=text)


def _index_and_file(call: Call, arguments: Arguments) -> tuple[str, FileRecord | None]:
    """The name of the index to search, and the record of ``file_path`` in it; None if that was not given or is not in it."""
    catalog = call.catalog
    index = catalog.entry(arguments.index_name).name
    if arguments.file_path is None:
        return index, None
    found: FileRecord | None = None
    for name in [index] if arguments.index_name else [entry.name for entry in catalog.entries()]:
        with suppress(BundleError), catalog.searcher(name) as searcher:
            file = find_file(searcher.bundle, arguments.file_path)
            if file and (found is None or len(file.path) > len(found.path)):  # the index that holds more of the path
                index, found = name, file
    return index, found


def _with_uri(descriptor: SymbolDescriptor, name: str) -> SymbolDescriptor:
    """The descriptor with an address under the name that the index has here."""
    place = descriptor.location
    if place is None:
        return descriptor
    return replace(descriptor, location=replace(place, uri=uri_of(name, place.file_path, place.start_line, place.end_line)))


TOOL = Tool(
    name="hybrid_search",
    toolset="search",
    title="Search symbols",
    description=("Finds symbols that answer a question, each with kind, signature, description, place, snippet and scores."),
    parameters=Arguments,
    result=list[SymbolDescriptor],
    call=_call,
    aliases=FILE_NAMES,
)
