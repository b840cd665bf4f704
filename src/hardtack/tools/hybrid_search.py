"""``hybrid_search``: a question in, accounts of the symbols that answer it out (CONTRACTS 1A and 0.3)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta

from hardtack.bundle.format.records import FileRecord
from hardtack.errors import BundleError
from hardtack.nouns.descriptors import SymbolDescriptor, descriptor_to_json
from hardtack.query.lookup.described import described, file_meant
from hardtack.render.json import fitted_as_json
from hardtack.render.links import uri_of
from hardtack.render.markdown import render_answer
from hardtack.render.style import Style
from hardtack.tools.looking_up import FILE_NAMES
from hardtack.tools.searching import TOKENS, Limit, ranked_reply
from hardtack.tools.tool import Call, IndexName, Parameters, Reply, Tool


class Arguments(Parameters, kw_only=True, frozen=True):
    """A question, and where it is asked from."""

    query: Annotated[
        str,
        Meta(description="A name, a phrase of the code, or a question in plain words.", extra_json_schema={"minLength": 1}),
    ]
    limit: Limit = 5
    file_path: Annotated[str | None, Meta(description="A file you are in: chooses the index that has it, and its language.")] = None
    output_format: Literal["json", "markdown"] = "json"
    index_name: IndexName = None


def _call(call: Call, arguments: Arguments) -> Reply:
    name, file = _meant(call, arguments)
    with call.catalog.searcher(name) as searcher:
        languages = [file.language] if file else []
        answer = searcher.search(arguments.query, limit=arguments.limit, languages=languages)
        fitted = fitted_as_json(answer, TOKENS)
        accounts = [_of_index(account, name) for account in described(searcher.bundle, fitted.hits)]
    text = render_answer(fitted, Style(max_tokens=TOKENS)) if arguments.output_format == "markdown" else None
    return ranked_reply(descriptor_to_json(accounts), answer, fitted, arguments.limit, text=text)


def _meant(call: Call, arguments: Arguments) -> tuple[str, FileRecord | None]:
    """The index to search, and the file that was named in it, if one was and is there."""
    catalog, path = call.catalog, arguments.file_path
    first = catalog.entry(arguments.index_name).name
    if path is None:
        return first, None
    meant: tuple[str, FileRecord | None] = (first, None)
    for name in [first] if arguments.index_name else [entry.name for entry in catalog.entries()]:
        with suppress(BundleError), catalog.searcher(name) as searcher:
            file = file_meant(searcher.bundle, path)
            if file and (meant[1] is None or len(file.path) > len(meant[1].path)):  # more of the path is its own
                meant = name, file
    return meant


def _of_index(account: SymbolDescriptor, name: str) -> SymbolDescriptor:
    """The account with an address under the name by which the index is served."""
    place = account.location
    if place is None:
        return account
    return replace(account, location=replace(place, uri=uri_of(name, place.file_path, place.start_line, place.end_line)))


TOOL = Tool(
    name="hybrid_search",
    toolset="search",
    title="Search symbols",
    description=(
        "Finds the functions, types and other symbols that answer a question, by meaning and keywords, and gives a short typed "
        "account of each: kind, signature, description, place, snippet and scores. Use it to get names to look up further with "
        "find_type_definition or get_function_details; to read code, or to filter, use search_code."
    ),
    parameters=Arguments,
    result=list[SymbolDescriptor],
    call=_call,
    aliases=FILE_NAMES,
)
