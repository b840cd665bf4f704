"""``symbol``: one name in, what it is out: definition, documentation, members, code."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound
from hardtack.nouns.descriptors import ClassDescriptor, Descriptor
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.query.explore.places import code_of
from hardtack.query.files.left_out import left_out_named, sentence_of
from hardtack.query.lookup.describe import describe_group, text_of_type
from hardtack.query.lookup.disambiguate import SymbolGroup, differences, disambiguate
from hardtack.query.lookup.symbols import look_up
from hardtack.render.descriptors import descriptor_json, render_descriptor, render_descriptors
from hardtack.render.exploration import render_place
from hardtack.tools.agents import NAMES, OTHERS, PATHS, AgentParameters, Name, Path, call_of, fitted, reply
from hardtack.tools.tool import Call, Tool, ToolReply


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """Which symbol."""

    name: Name
    path: Path = None
    package: Annotated[str | None, Meta(description="Package or namespace.")] = None


def _call(call: Call, arguments: Arguments) -> ToolReply:
    index = call.catalog.entry(arguments.index).name
    with call.catalog.searcher(index) as searcher:
        bundle = searcher.bundle
        groups = _meanings(bundle, arguments)
        found = [describe_group(bundle, group) for group in groups]
        if len(found) == 1:
            text = _text(bundle, groups[0], found[0])
        else:
            text, count = fitted(lambda n: render_descriptors(found[:n]), len(found), arguments.room - 200)
            left = f", {len(found) - count} of them not listed" if count < len(found) else ""
            how = differences(bundle, [group.symbol for group in groups])
            text += f"\n{len(found)} meanings{left}. Say which by its {how}: {call_of('symbol', name=arguments.name, path='...')}\n"
    text, cut = _cut(text, arguments.room)
    place = found[0].location
    if cut and place is not None:
        text += (
            f"\nCut. {call_of('read', path=place.file_path, start_line=place.start_line, end_line=place.end_line)} has it whole.\n"
        )
    return reply(arguments, text, lambda: descriptor_json(found[0] if len(found) == 1 else found, index))


def _meanings(bundle: Bundle, arguments: Arguments) -> list[SymbolGroup]:
    """What the name can mean.

    Raises:
        NotFound: SYMBOL_NOT_FOUND.
    """
    symbols = look_up(bundle, arguments.name, frozenset(Kind), package=arguments.package or "")
    preferred = [each for each in symbols.ordinals if bundle.symbol_name(each).kind in FUNCTIONS | TYPES]
    groups = disambiguate(bundle, preferred or symbols.ordinals, arguments.name, file=arguments.path or "").groups
    if groups:
        return list(groups)
    nearest = f"Nearest: {', '.join(symbols.suggestions)}." if symbols.suggestions else "explore finds by words."
    raise NotFound(
        f"Nothing is called {arguments.name!r} here.",
        code="SYMBOL_NOT_FOUND",
        details={"suggestions": list(symbols.suggestions)} if symbols.suggestions else {},
        hint=" ".join(filter(None, (sentence_of(left_out_named(bundle, arguments.name)), nearest))),
    )


def _text(bundle: Bundle, group: SymbolGroup, descriptor: Descriptor) -> str:
    code = text_of_type(bundle, descriptor) if isinstance(descriptor, ClassDescriptor) else ""
    text = render_descriptor(descriptor, code)
    if bundle.symbol_name(group.symbol).kind in FUNCTIONS | TYPES:
        return text
    return f"{text}\n{render_place(code_of(bundle, group.symbol))}"


def _cut(text: str, room: int) -> tuple[str, bool]:
    """A text up to the last line that fits, an open fence closed, and whether something was cut."""
    if len(text) <= room:
        return text, False
    head = text[: text.rfind("\n", 0, room) + 1]
    fences = [line for line in head.split("\n") if line.startswith("```")]
    return f"{head}{fences[-1].rstrip('abcdefghijklmnopqrstuvwxyz_')}\n" if len(fences) % 2 else head, True


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
