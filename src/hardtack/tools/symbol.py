"""``symbol``: one name in, what it is out: definition, documentation, members, code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, NamedTuple

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
from hardtack.query.lookup.symbols import look_up, place_of
from hardtack.render.descriptors import descriptor_json, render_descriptor, render_descriptors
from hardtack.render.exploration import counted, render_place
from hardtack.render.markdown import code, path_in_prose
from hardtack.tools.agents import NAMES, OTHERS, PATHS, AgentParameters, Name, Path, call_of, cut, fitted, reply
from hardtack.tools.tool import Call, Tool, ToolReply

_BESIDES: Final = 300
"""Characters for what tells the meanings of a name apart."""
_MOST_NAMED: Final = 5
"""Further symbols of a name that are named."""
_MOST_PATH: Final = 100
"""Characters of a path that an answer repeats."""


class Arguments(AgentParameters, kw_only=True, frozen=True):
    """Which symbol."""

    name: Name
    path: Path = None
    package: Annotated[str | None, Meta(description="Package or namespace.")] = None


class _Meanings(NamedTuple):
    """What a name can mean."""

    groups: tuple[SymbolGroup, ...]
    """Those to describe: one, or all if the name is ambiguous."""
    namesakes: tuple[SymbolGroup, ...]
    """Less likely ones, where there is one group."""
    others: tuple[int, ...]
    """Fields, constants and the like of the name, where functions or types have it as well."""
    note: str
    """What was made of the path, if it was not used."""


def _call(call: Call, arguments: Arguments) -> ToolReply:
    check_name(arguments.name)
    index = call.catalog.entry(arguments.index).name
    with call.catalog.searcher(index) as searcher:
        bundle = searcher.bundle
        groups, namesakes, others, note = _meanings(bundle, arguments)
        found = [describe_group(bundle, group, namesakes) for group in groups]
        also = _also(bundle, others, len(namesakes) - len(found[0].metadata.get("namesakes", ())))
        said = "".join(f"\n{each}\n" for each in (also, note) if each)
        if len(found) == 1:
            whole = _text(bundle, groups[0], found[0])
            text, more = _whole(whole, bundle, groups[0], arguments, len(said))
        else:
            shown = fitted(lambda n: render_descriptors(found[:n]), len(found), arguments.room - _BESIDES - len(said))
            text, count = cut(shown[0], arguments.room - _BESIDES - len(said))[0], shown[1]
            left = f", {len(found) - count} of them not listed" if count < len(found) else ""
            how = differences(bundle, [group.symbol for group in groups])
            first = explored(bundle, groups[0].symbol)
            one = call_of("symbol", name=first.name, path=first.path, index=arguments.index)
            more = f"\n{len(found)} meanings{left}. Say which by its {how}; the first: {one}\n"

    def value() -> Any:
        told = descriptor_json(found[0] if len(found) == 1 else found, index)
        if not said:
            return told
        return {**(told if isinstance(told, dict) else {"result": told}), "also": also, "path_note": note}

    return reply(arguments, text, value, more=said + more)


def _whole(text: str, bundle: Bundle, group: SymbolGroup, arguments: Arguments, besides: int) -> tuple[str, str]:
    """The text within the budget, and the call that reads on where it was cut."""
    room = arguments.room - besides
    if len(text) <= room:
        return text, ""
    shown = explored(bundle, group.symbol)
    going = call_of("read", path=shown.path, start_line=shown.first, end_line=shown.last, index=arguments.index)
    more = f"\nCut. More: {going}\n"
    return cut(text, max(room - len(more), 0))[0], more


def _also(bundle: Bundle, others: Sequence[int], unnamed: int) -> str:
    """What else has the name, in one line; empty if nothing has.

    Args:
        bundle: the bundle of the symbols.
        others: symbols that are not described.
        unnamed: how many less likely symbols there are beside those that the descriptor names.
    """
    named = []
    for ordinal in others[:_MOST_NAMED]:
        symbol = bundle.symbol_name(ordinal)
        named.append(f"{symbol.kind.value} {code(symbol.qualified_name)} {path_in_prose(place_of(bundle, ordinal))}")
    left = len(others) - len(named)
    listed = f"Also of this name: {', '.join(named)}{f' and {left} more' if left else ''}; path chooses." if named else ""
    more = f"{counted(unnamed, 'further namesake')} not listed; path chooses." if unnamed > 0 else ""
    return " ".join(filter(None, (listed, more)))


def _meanings(bundle: Bundle, arguments: Arguments) -> _Meanings:
    """What the name can mean.

    Raises:
        NotFound: SYMBOL_NOT_FOUND.
        UsageError: PATH_OUT_OF_ROOT.
    """
    symbols = look_up(bundle, arguments.name, frozenset(Kind), package=arguments.package or "")
    named, note = [*symbols.ordinals], ""
    if arguments.path and named:
        below = list(filter(_is_below(bundle, arguments.path), named))
        note = "" if below else f"Nothing at {code(arguments.path[:_MOST_PATH])} has this name; this is elsewhere."
        named = below or named
    wanted = [each for each in named if bundle.symbol_name(each).kind in FUNCTIONS | TYPES] or named
    meaning = disambiguate(bundle, wanted, arguments.name, file=arguments.path or "")
    if meaning.groups:
        others = tuple(each for each in named if each not in set(wanted))
        if len(meaning.groups) == 1:
            return _Meanings(meaning.groups, meaning.passed_over, others, note)
        return _Meanings((*meaning.groups, *meaning.passed_over), (), others, note)
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
