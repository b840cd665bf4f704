"""A symbol or a hit in, its code out: a function whole, a long type as its head and the names of its methods."""

from __future__ import annotations

from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import ExploredSymbol, Place
from hardtack.nouns.model import FUNCTIONS, TYPES, Hit
from hardtack.query.explore.around import explored
from hardtack.query.lookup.disambiguate import group_symbols
from hardtack.query.lookup.members import MemberFinder

_LONGEST_TYPE: Final = 60
"""Lines of a type that is shown whole."""
_HEAD: Final = 30
"""Lines of the head of a longer one at most."""
_LONGEST_WHOLE: Final = 120
"""Lines of a function that a hit is widened to."""


def lines_of(bundle: Bundle, file: int) -> list[str]:
    """The lines of a file, without their endings; none in a bundle without text."""
    if not bundle.has_text:
        return []
    return bundle.text_of(bundle.file(file)).decode("utf-8", "replace").replace("\r\n", "\n").split("\n")


def code_of(bundle: Bundle, ordinal: int, *, match_line: int = 0) -> Place:
    """A symbol with its code; a long type with its head alone, and its methods by name.

    Args:
        bundle: where it is.
        ordinal: of the symbol.
        match_line: the line that matters most; 0 for that of its name.
    """
    symbol, shown = bundle.symbol(ordinal), explored(bundle, ordinal)
    lines = lines_of(bundle, symbol.file)
    last, rest = shown.last, tuple[ExploredSymbol, ...]()
    if symbol.kind in TYPES:
        members = [each for each in MemberFinder(bundle).of(ordinal).members if bundle.symbol_name(each).kind in FUNCTIONS]
        rest = tuple(explored(bundle, each) for each in members)
        inside = [each for each in rest if each.path == shown.path and shown.first <= each.first <= shown.last]
        if shown.last - shown.first >= _LONGEST_TYPE:
            first_method = min((each.first for each in inside if each.first > shown.line), default=shown.last + 1)
            last = min(max(shown.line + _HEAD, shown.first + _HEAD), max(first_method - 1, shown.line), shown.last)
        else:
            rest = tuple(each for each in rest if each not in inside)
    elif symbol.kind in FUNCTIONS:
        rest = tuple(explored(bundle, each) for each in _of_one_name(bundle, ordinal) if each != ordinal)
    return Place(
        symbol=shown,
        first=shown.first,
        code="\n".join(lines[shown.first - 1 : last]),
        match_line=match_line or shown.line,
        is_cut=last < shown.last,
        rest=rest,
    )


def place_of_hit(bundle: Bundle, hit: Hit) -> Place:
    """A hit of a search: the whole function or short type that it shows, else the lines that it shows."""
    ordinal = symbol_at(bundle, hit)
    if ordinal >= 0:
        symbol = bundle.symbol(ordinal)
        length = symbol.end_line - symbol.extent_start_line
        if length < (_LONGEST_WHOLE if symbol.kind in FUNCTIONS else _LONGEST_TYPE) and symbol.kind in FUNCTIONS | TYPES:
            return code_of(bundle, ordinal, match_line=hit.match_line or 0)
    first = hit.snippet_start_line or hit.start_line
    shown = ExploredSymbol(
        kind=hit.kind,
        name=hit.qualified_name,
        path=hit.path,
        first=first,
        last=hit.snippet_end_line or hit.end_line,
        line=hit.selection_line or first,
        language=hit.language,
    )
    rest: tuple[ExploredSymbol, ...] = ()
    if ordinal >= 0 and bundle.symbol_name(ordinal).kind in TYPES:
        rest = code_of(bundle, ordinal).rest
    return Place(symbol=shown, first=first, code=hit.snippet, match_line=hit.match_line or 0, rest=rest)


def symbol_at(bundle: Bundle, shown: Hit | ExploredSymbol) -> int:
    """The ordinal of the symbol that a hit or an exploration shows, its definition rather than a declaration; -1 if none."""
    name = shown.qualified_name if isinstance(shown, Hit) else shown.name
    line = shown.selection_line if isinstance(shown, Hit) else shown.line
    file = bundle.file_at(shown.path)
    if file is None or not name:
        return -1
    named = [
        ordinal
        for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count)
        if bundle.symbol_name(ordinal).qualified_name == name
    ]
    at = next((each for each in named if line in (None, bundle.symbol(each).selection_line)), -1)
    group = next((group for group in group_symbols(bundle, named) if at in group.declarations), None) if len(named) > 1 else None
    return group.symbol if group else at


def _of_one_name(bundle: Bundle, ordinal: int) -> list[int]:
    """The functions of one qualified name in one file, declarations aside."""
    symbol = bundle.symbol(ordinal)
    file = bundle.file(symbol.file)
    named = [
        each
        for each in range(file.first_symbol, file.first_symbol + file.symbol_count)
        if bundle.symbol_name(each).qualified_name == symbol.qualified_name and bundle.symbol_name(each).kind in FUNCTIONS
    ]
    if len(named) == 1:
        return named
    return sorted(each for group in group_symbols(bundle, named) for each in (group.symbol, *group.others))


def overlap(one: Place, other: Place) -> bool:
    """Whether two places have a line in common."""
    return one.symbol.path == other.symbol.path and one.first <= last_line(other) and other.first <= last_line(one)


def last_line(place: Place) -> int:
    """The number of the last line of a place's code."""
    return place.first + place.code.count("\n")
