"""Symbols, or usages of symbols, in; one line of text for each place out, as editors, ``grep`` and ``xargs`` take them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hardtack.nouns.descriptors import Descriptor, FunctionDescriptor
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.render.style import Style, counted, inert_line

_PATH, _LINE, _ASIDE = "35", "32", "2"
"""SGR codes of colours."""


def render_places(usages: Sequence[Usage | CallingSymbol], style: Style) -> str:
    """``path:line:column: code  [relation, certainty, in symbol]`` for each place, without the column where it is not known.

    Where the places are of several symbols, each says of which.
    """
    places = list(_places_in(usages))
    has_targets = len({each.target for each in usages}) > 1
    return "".join(_line_of(place, within, target if has_targets else "", style) for place, within, target in places)


def render_symbols(symbols: Sequence[Descriptor], style: Style) -> str:
    """``path:line: signature  [kind name]`` for each symbol."""
    return "".join(_line(*_spot(symbol), symbol.signature, [f"{symbol.kind} {_name_of(symbol)}"], style) for symbol in symbols)


def render_counts(listed: Sequence[Usage | CallingSymbol | Descriptor]) -> str:
    """``path:count`` for each file that has places, or symbols."""
    usages = [each for each in listed if isinstance(each, Usage | CallingSymbol)]
    symbols = [_spot(each)[0] for each in listed if not isinstance(each, Usage | CallingSymbol)]
    return counted([*symbols, *(place.path for place, _, _ in _places_in(usages))])


def _name_of(symbol: Descriptor) -> str:
    """The name, behind that of the type whose member it is."""
    owner = symbol.receiver if isinstance(symbol, FunctionDescriptor) else ""
    return f"{owner}.{symbol.name}" if owner else symbol.name


def _spot(symbol: Descriptor) -> tuple[str, str]:
    location = symbol.location
    return (location.file_path, str(location.start_line)) if location else ("", "")


def _places_in(usages: Iterable[Usage | CallingSymbol]) -> Iterator[tuple[Usage, str, str]]:
    """(a place, the symbol that it is in, the target) of each place."""
    for usage in usages:
        if isinstance(usage, Usage):
            yield usage, usage.within, usage.target
            continue
        for call in usage.calls:
            yield call, usage.within, usage.target


def _line_of(place: Usage, within: str, target: str, style: Style) -> str:
    where = ":".join(map(str, filter(None, (place.line, place.column))))
    aside = [place.relation.value, place.certainty.value]
    if within:
        aside.append(f"{place.kind} {within}" if place.depth else f"in {within}")
    if place.through:
        aside.append(f"through {', '.join(place.through)}")
    if target:
        aside.append(f"of {target}")
    return _line(place.path, where, place.code, aside, style)


def _line(path: str, where: str, code: str, aside: Sequence[str], style: Style) -> str:
    shown, text = inert_line(f"[{', '.join(aside)}]"), inert_line(code.strip())
    spot = f"{style.paint(inert_line(path), _PATH)}:{style.paint(where, _LINE)}:"
    return " ".join(filter(None, (spot, text, style.paint(f" {shown}" if text else shown, _ASIDE)))) + "\n"
