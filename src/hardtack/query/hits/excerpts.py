"""A chunk and a symbol in, what is shown with a match there out: the function or type around it, or the chunk's own lines.

Symbols are asked for by ordinal, of a bundle or of a file that is being read: what can be shown is known when a bundle is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hardtack.bundle.format.records import ChunkRecord, SymbolRecord
from hardtack.nouns.model import CALLABLES, TYPES, Kind
from hardtack.query.hits.duplicates import Extent

MAX_LINES = 50
"""Lines that are shown of a hit at most."""
MAX_COLUMNS = 200
"""Characters that are shown of a line at most."""
SMALL_SCOPE = 24
"""Lines up to which what is around a function is shown with it: three lines explain themselves less than their type does."""

SCOPES: Final = CALLABLES | TYPES | {Kind.SECTION, Kind.BLOCK, Kind.RESOURCE, Kind.STAGE, Kind.ROUTE, Kind.TARGET}
"""What can be the context of a match; a field or a key is seen in what holds it, a namespace is too wide."""

SymbolOf = Callable[[int], SymbolRecord]
"""Gives the symbol of an ordinal."""


def any_symbol(chunk: ChunkRecord) -> int:
    """Ordinal of the first symbol that starts in the chunk, or of the one around it; -1 when there is neither."""
    return chunk.first_symbol if chunk.symbol_count else chunk.enclosing


def innermost(symbol_of: SymbolOf, chunk: ChunkRecord, line: int) -> int:
    """Ordinal of the innermost symbol around ``line``, one that can be a scope before one that cannot; -1 when there is none."""
    other = -1
    for ordinal in range(chunk.first_symbol + chunk.symbol_count - 1, chunk.first_symbol - 1, -1):
        symbol = symbol_of(ordinal)
        if symbol.extent_start_line <= line <= symbol.end_line:
            if symbol.kind in SCOPES:
                return ordinal
            other = ordinal if other < 0 else other
    if chunk.enclosing >= 0 and (other < 0 or symbol_of(chunk.enclosing).kind in SCOPES):
        return chunk.enclosing
    return other


def scope_around(symbol_of: SymbolOf, ordinal: int, line: int) -> SymbolRecord | None:
    """The function or type around a symbol, or itself; None when there is none that holds the line."""
    scope = scope_of(symbol_of, ordinal)
    return scope if scope is not None and scope.extent_start_line <= line <= scope.end_line else None


def scope_of(symbol_of: SymbolOf, ordinal: int) -> SymbolRecord | None:
    """The function or type around a symbol, or itself, or what is around that where it is small."""
    while ordinal >= 0 and (scope := symbol_of(ordinal)).kind not in SCOPES:
        ordinal = scope.parent
    if ordinal < 0:
        return None
    while scope.parent >= 0 and _is_small_scope(outer := symbol_of(scope.parent)):
        scope = outer
    return scope


def _is_small_scope(symbol: SymbolRecord) -> bool:
    """Whether what is in it is shown with it."""
    return symbol.kind in SCOPES and symbol.end_line - symbol.extent_start_line < SMALL_SCOPE


def lines_around(line: int, first: int, last: int, count: int = MAX_LINES) -> tuple[int, int]:
    """The ``count`` lines around ``line`` that lie between ``first`` and ``last``; all of them when they are fewer."""
    if last - first < count:
        return first, last
    start = min(max(line - count // 2, first), last - count + 1)
    return start, start + count - 1


def extent_of(symbol_of: SymbolOf, chunk: ChunkRecord, scope: SymbolRecord | None) -> Extent:
    """What a hit is told by from others: its scope, or all of its chunk where there is none or it is too long to be shown."""
    if scope is None or not is_shown_whole(scope):
        symbol = any_symbol(chunk)
        name, size = symbol_of(symbol).name if symbol >= 0 else "", chunk.end - chunk.start
        return Extent(name, chunk.end_line - chunk.start_line + 1, size, chunk.start_line, chunk.end_line)
    first, last = scope.extent_start_line, scope.end_line
    return Extent(scope.name, last - first + 1, scope.end - scope.extent_start, first, last)


def is_shown_whole(scope: SymbolRecord) -> bool:
    """Whether no line of a function or type is left out."""
    return scope.end_line - scope.extent_start_line < MAX_LINES


def clipped(lines: Sequence[str]) -> Sequence[str]:
    """Each line at its greatest length, and without the carriage return of some systems."""
    if any("\r" in line for line in lines):
        lines = [line.rstrip("\r") for line in lines]
    if max(map(len, lines), default=0) <= MAX_COLUMNS:
        return lines
    return [line if len(line) <= MAX_COLUMNS else line[: MAX_COLUMNS - 3] + "..." for line in lines]
