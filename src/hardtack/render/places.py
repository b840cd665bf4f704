"""Symbols, or usages of symbols, in; one line of text for each place out, as editors, ``grep`` and ``xargs`` take them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hardtack.nouns.descriptors import Descriptor, FunctionDescriptor
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.render.style import Style, counted, inert_line

_PATH, _LINE, _ASIDE = "35", "32", "2"
"""SGR codes of colours."""


class Place(NamedTuple):
    """A line of a file that an answer leads to. Its texts are those of the bundle: a renderer makes them inert."""

    path: str
    line: int
    """From 1; 0 if unknown."""
    column: int = 0
    """From 1, in characters; 0 if unknown."""
    code: str = ""
    aside: tuple[str, ...] = ()
    """What is said of it."""

    @property
    def where(self) -> str:
        """``line:column``, as far as they are known."""
        return ":".join(str(each) for each in (self.line, self.column) if each)


def render_places(places: Iterable[Place], style: Style) -> str:
    """``path:line:column: code  [what is said of it]`` for each place; column 1 where it is not known, so that all are alike."""
    return "".join(_line(place, style) for place in places)


def render_counts(places: Iterable[Place]) -> str:
    """``path:count`` for each file that has places."""
    return counted(place.path for place in places)


def places_of_usages(usages: Sequence[Usage | CallingSymbol]) -> list[Place]:
    """The place of each usage, and its relation, its certainty and the symbol that it is in.

    Where the usages are of several symbols, each says of which.
    """
    has_targets = len({each.target for each in usages}) > 1
    return [_place_of(place, within, target if has_targets else "") for place, within, target in _places_in(usages)]


def places_of_symbols(symbols: Iterable[Descriptor]) -> list[Place]:
    """The place of each symbol, with its signature, kind and name."""
    return [Place(*_spot(each), code=each.signature, aside=(f"{each.kind} {_name_of(each)}",)) for each in symbols]


def _name_of(symbol: Descriptor) -> str:
    """The name, behind that of the type whose member it is."""
    owner = symbol.receiver if isinstance(symbol, FunctionDescriptor) else ""
    return f"{owner}.{symbol.name}" if owner else symbol.name


def _spot(symbol: Descriptor) -> tuple[str, int]:
    location = symbol.location
    return (location.file_path, location.start_line) if location else ("", 0)


def _places_in(usages: Iterable[Usage | CallingSymbol]) -> Iterator[tuple[Usage, str, str]]:
    """(a place, the symbol that it is in, the target) of each place."""
    for usage in usages:
        if isinstance(usage, Usage):
            yield usage, usage.within, usage.target
            continue
        for call in usage.calls:
            yield call, usage.within, usage.target


def _place_of(place: Usage, within: str, target: str) -> Place:
    aside = [place.relation.value, place.certainty.value]
    if within:
        aside.append(f"{place.kind} {within}" if place.depth else f"in {within}")
    if place.through:
        aside.append(f"through {', '.join(place.through)}")
    if target:
        aside.append(f"of {target}")
    return Place(place.path, place.line, place.column, place.code, tuple(aside))


def _line(place: Place, style: Style) -> str:
    shown, text = inert_line(f"[{', '.join(place.aside)}]") if place.aside else "", inert_line(place.code.strip())
    spot = f"{style.paint(inert_line(place.path), _PATH)}:{style.paint(f'{place.line}:{place.column or 1}', _LINE)}:"
    return " ".join(filter(None, (spot, text, style.paint(f" {shown}" if text else shown, _ASIDE)))) + "\n"
