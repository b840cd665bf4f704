"""A symbol in, what is around it out: the function or type that is shown with a match, and by what a hit is told from others."""

from __future__ import annotations

from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import KINDS, ChunkRecord, SymbolRecord
from hardtack.model import CALLABLES, TYPES, Kind
from hardtack.query.collapse import Shape

MAX_LINES = 50
"""Lines that are shown of a hit at most (seed 4)."""
SMALL_SCOPE = 24
"""Lines up to which what is around a function is shown with it: three lines explain themselves less than their type does."""

SCOPES = CALLABLES | TYPES | {Kind.SECTION, Kind.BLOCK, Kind.RESOURCE, Kind.STAGE, Kind.ROUTE, Kind.TARGET}
"""What can be the context of a match; a field or a key is seen in what holds it, a namespace is too wide."""

SCOPE_NUMBERS: Final = frozenset(KINDS.index(kind) for kind in SCOPES)
"""The same as the column of kinds has them."""


def any_symbol(chunk: ChunkRecord) -> int:
    """Ordinal of the first symbol that starts in the chunk, or of the one around it; -1 when there is neither."""
    return chunk.first_symbol if chunk.symbol_count else chunk.enclosing


def innermost(bundle: Bundle, chunk: ChunkRecord, line: int) -> int:
    """Ordinal of the innermost symbol around ``line``, one that can be a scope before one that cannot; -1 when there is none."""
    other = -1
    for ordinal in range(chunk.first_symbol + chunk.symbol_count - 1, chunk.first_symbol - 1, -1):
        symbol = bundle.symbol(ordinal)
        if symbol.extent_start_line <= line <= symbol.end_line:
            if symbol.kind in SCOPES:
                return ordinal
            other = ordinal if other < 0 else other
    if chunk.enclosing >= 0 and (other < 0 or bundle.symbol(chunk.enclosing).kind in SCOPES):
        return chunk.enclosing
    return other


def scope_around(bundle: Bundle, ordinal: int, line: int) -> SymbolRecord | None:
    """The function or type around a symbol, or itself; None when there is none that holds the line."""
    scope = scope_of(bundle, ordinal)
    return scope if scope is not None and scope.extent_start_line <= line <= scope.end_line else None


def scope_of(bundle: Bundle, ordinal: int) -> SymbolRecord | None:
    """The function or type around a symbol, or itself, or what is around that where it is small."""
    while ordinal >= 0 and bundle.symbol(ordinal).kind not in SCOPES:
        ordinal = bundle.symbol(ordinal).parent
    if ordinal < 0:
        return None
    scope = bundle.symbol(ordinal)
    while scope.parent >= 0:
        outer = bundle.symbol(scope.parent)
        if outer.kind not in SCOPES or outer.end_line - outer.extent_start_line >= SMALL_SCOPE:
            break
        scope = outer
    return scope


def lines_around(line: int, first: int, last: int, count: int = MAX_LINES) -> tuple[int, int]:
    """The ``count`` lines around ``line`` that lie between ``first`` and ``last``; all of them when they are fewer."""
    if last - first < count:
        return first, last
    start = min(max(line - count // 2, first), last - count + 1)
    return start, start + count - 1


def shape_of(bundle: Bundle, chunk: ChunkRecord, symbol: int, scope: SymbolRecord | None) -> Shape:
    """What a hit is told by from others: the scope around its symbol, or its own part of one that is too long to be shown."""
    name = bundle.symbol(symbol).name if symbol >= 0 else ""
    if scope is None or scope.end_line - scope.extent_start_line >= MAX_LINES:
        first, last, size = chunk.start_line, chunk.end_line, chunk.end - chunk.start
    else:
        first, last, size = scope.extent_start_line, scope.end_line, scope.end - scope.extent_start
    return Shape(name, last - first + 1, size, first, last)
