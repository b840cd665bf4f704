"""A symbol or a hit in, its code out: a function whole, a long type as its head and the names of its members."""

from __future__ import annotations

from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.exploration import ExploredSymbol, Place
from hardtack.nouns.model import FUNCTIONS, TYPES, Hit
from hardtack.query.explore.around import explored
from hardtack.query.lookup.members import MemberFinder

_LONGEST_TYPE: Final = 60
"""Lines of a type that is shown whole."""
_HEAD: Final = 30
"""Lines of the head of a longer one at most."""


def lines_of(bundle: Bundle, file: int) -> list[str]:
    """The lines of a file, without their endings; none in a bundle without text."""
    if not bundle.has_text:
        return []
    return bundle.text_of(bundle.file(file)).decode("utf-8", "replace").replace("\r\n", "\n").split("\n")


def code_of(bundle: Bundle, ordinal: int) -> Place:
    """A symbol with its code; a long type with its head alone, and its members by name."""
    symbol, shown = bundle.symbol(ordinal), explored(bundle, ordinal)
    lines = lines_of(bundle, symbol.file)
    last, rest = shown.last, tuple[ExploredSymbol, ...]()
    if symbol.kind in TYPES:
        members = [each for each in MemberFinder(bundle).of(ordinal).members if bundle.symbol_name(each).kind in FUNCTIONS]
        rest = tuple(explored(bundle, each) for each in members)
        inside = [each for each in rest if each.path == shown.path and shown.first <= each.first <= shown.last]
        if shown.last - shown.first >= _LONGEST_TYPE:
            last = min(shown.first + _HEAD, min((each.first for each in inside), default=shown.last) - 1, shown.last)
        else:
            rest = tuple(each for each in rest if each not in inside)
    return Place(
        symbol=shown,
        first=shown.first,
        code="\n".join(lines[shown.first - 1 : last]),
        match_line=shown.line,
        is_cut=last < shown.last,
        rest=rest,
    )


def place_of_hit(hit: Hit) -> Place:
    """A hit of a search with the lines that it shows."""
    first = hit.snippet_start_line or hit.start_line
    symbol = ExploredSymbol(
        kind=hit.kind,
        name=hit.qualified_name,
        path=hit.path,
        first=first,
        last=hit.snippet_end_line or hit.end_line,
        line=hit.selection_line or first,
        language=hit.language,
    )
    return Place(symbol=symbol, first=first, code=hit.snippet, match_line=hit.match_line or 0)


def symbol_at(bundle: Bundle, shown: Hit | ExploredSymbol) -> int:
    """The ordinal of the symbol that a hit or an exploration shows; -1 if it shows none."""
    name = shown.qualified_name if isinstance(shown, Hit) else shown.name
    line = shown.selection_line if isinstance(shown, Hit) else shown.line
    file = bundle.file_at(shown.path)
    if file is None or not name:
        return -1
    for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
        symbol = bundle.symbol(ordinal)
        if symbol.qualified_name == name and line in (None, symbol.selection_line):
            return ordinal
    return -1
