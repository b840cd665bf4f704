"""``symbol``: one name in, what it is out: definition, documentation, members, code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Final

from msgspec import Meta

from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound
from hardtack.nouns.descriptors import Descriptor, FunctionDescriptor
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.query.explore.around import explored
from hardtack.query.explore.places import code_of
from hardtack.query.files.left_out import left_out_named, sentence_of
from hardtack.query.files.path_spelling import find_file, spellings
from hardtack.query.lookup.describe import describe_group
from hardtack.query.lookup.disambiguate import SymbolGroup, differences, disambiguate
from hardtack.query.lookup.lookups import check_name
from hardtack.query.lookup.symbols import look_up
from hardtack.render.descriptors import descriptor_json, render_descriptor, render_descriptors
from hardtack.render.exploration import render_place
from hardtack.tools.agents import NAMES, OTHERS, PATHS, AgentParameters, Name, Path, call_of, cut, fitted, reply
from hardtack.tools.tool import Call, Tool, ToolReply

_BESIDES: Final = 300
"""Characters for what tells the meanings of a name apart."""


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """Which symbol."""

    name: Name
    path: Path = None
    package: Annotated[str | None, Meta(description="Package or namespace.")] = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    check_name(arguments.name)
    index = call.catalog.entry(arguments.index).name
    with call.catalog.searcher(index) as searcher:
        bundle = searcher.bundle
        groups = _meanings(bundle, arguments)
        found = [describe_group(bundle, group) for group in groups]
        if len(found) == 1:
            text = _whole(_text(bundle, groups[0], found[0]), bundle, groups[0], arguments)
        else:
            text, count = fitted(lambda n: render_descriptors(found[:n]), len(found), arguments.room - _BESIDES)
            text = cut(text, arguments.room - _BESIDES)[0]
            left = f", {len(found) - count} of them not listed" if count < len(found) else ""
            how = differences(bundle, [group.symbol for group in groups])
            first = explored(bundle, groups[0].symbol)
            one = call_of("symbol", name=first.name, path=first.path, index=arguments.index)
            text += f"\n{len(found)} meanings{left}. Say which by its {how}; the first: {one}\n"
    return reply(arguments, text, lambda: descriptor_json(found[0] if len(found) == 1 else found, index))


def _whole(text: str, bundle: Bundle, group: SymbolGroup, arguments: Arguments) -> str:
    """The text within the budget, and the call that reads on where it was cut."""
    shown = explored(bundle, group.symbol)
    going = call_of("read", path=shown.path, start_line=shown.first, end_line=shown.last, index=arguments.index)
    more = f"\nCut. More: {going}\n"
    return text if len(text) <= arguments.room else cut(text, arguments.room - len(more))[0] + more


def _meanings(bundle: Bundle, arguments: Arguments) -> list[SymbolGroup]:
    """What the name can mean.

    Raises:
        NotFound: SYMBOL_NOT_FOUND.
        UsageError: PATH_OUT_OF_ROOT.
    """
    symbols = look_up(bundle, arguments.name, frozenset(Kind), package=arguments.package or "")
    wanted = [each for each in symbols.ordinals if bundle.symbol_name(each).kind in FUNCTIONS | TYPES] or [*symbols.ordinals]
    if arguments.path:
        wanted = list(filter(_is_below(bundle, arguments.path), wanted)) or wanted
    groups = disambiguate(bundle, wanted, arguments.name, file=arguments.path or "").groups
    if groups:
        return list(groups)
    nearest = f"Nearest: {', '.join(symbols.suggestions)}." if symbols.suggestions else "explore finds by words."
    raise NotFound(
        f"Nothing is called {arguments.name!r} here.",
        code="SYMBOL_NOT_FOUND",
        details={"suggestions": list(symbols.suggestions)} if symbols.suggestions else {},
        hint=" ".join(filter(None, (sentence_of(left_out_named(bundle, arguments.name)), nearest))),
    )


def _is_below(bundle: Bundle, path: str) -> Callable[[int], bool]:
    """Whether a symbol is in the file at a path, or in a file of the folder there."""
    file = find_file(bundle, path)
    places = (file.path,) if file else tuple(spellings(bundle, path))

    def is_below(ordinal: int) -> bool:
        own = bundle.file(bundle.symbol(ordinal).file).path
        return any(own == place or not place or own.startswith(f"{place}/") for place in places)

    return is_below


def _text(bundle: Bundle, group: SymbolGroup, descriptor: Descriptor) -> str:
    """The descriptor and the code, with numbered lines."""
    said = replace(descriptor, code="") if isinstance(descriptor, FunctionDescriptor) else descriptor
    return f"{render_descriptor(said)}\n{render_place(code_of(bundle, group.symbol))}"


TOOL = Tool(
    name="symbol",
    toolset="default",
    title="What a symbol is",
    description=(
        "Definition of a type, function, method, field or constant by name: signature, documentation, members, relations, code. "
        "Ambiguous names are listed with what tells them apart."
    ),
    parameters=Arguments,
    result=None,
    call=_call,
    aliases={**OTHERS, **NAMES, **PATHS, "namespace": "package"},
)
