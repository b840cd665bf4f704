"""A chunk that answers in, the lines to show for it out.

At most :data:`MAX_LINES` lines, no line longer than :data:`MAX_COLUMNS` characters (seed 4's bounds). With smart context they are
those of the function or type around the match, whether or not the chunk holds all of it; without it, those of the chunk. Of more
lines than can be shown, the ones around the match are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, SymbolRecord
from hardtack.model import CALLABLES, TYPES, Kind, Query
from hardtack.query.focus import Focus

MAX_LINES = 50
MAX_COLUMNS = 200
SMALL_SCOPE = 24
"""Lines up to which what is around a function is shown with it: three lines explain themselves less than their type does."""

SCOPES = CALLABLES | TYPES | {Kind.SECTION, Kind.BLOCK, Kind.RESOURCE, Kind.STAGE, Kind.ROUTE, Kind.TARGET}
"""What can be the context of a match; a field or a key is seen in what holds it, a namespace is too wide."""

_REACH = MAX_LINES * MAX_COLUMNS
"""Bytes looked at on either side of a chunk: as many as could be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Lines of one file, and what in them answers."""

    lines: tuple[str, ...]
    """Empty when the bundle has no text."""
    start_line: int
    match_line: int
    symbol: int
    """Ordinal of the symbol that answers, or that the match is in; -1 when there is none."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def end_line(self) -> int:
        """The last line shown."""
        return self.start_line + len(self.lines) - 1


def cut(bundle: Bundle, query: Query, focus: Focus, chunk: ChunkRecord, symbol: int) -> Snippet:
    """What is shown of ``chunk``.

    Args:
        bundle: holds the text.
        query: says how much context is wanted.
        focus: finds the query's words.
        chunk: the hit.
        symbol: ordinal of the symbol that seems to answer the query, or -1.
    """
    if not bundle.has_text:
        symbol = symbol if symbol >= 0 else _any_symbol(chunk)
        line = bundle.symbol(symbol).selection.start_line if symbol >= 0 else chunk.span.start_line
        return Snippet(lines=(), start_line=line, match_line=line, symbol=symbol)
    text = bundle.text_of(bundle.file(chunk.file), chunk.span.start, chunk.span.end).decode("utf-8", "replace")
    lines = text.split("\n")[: chunk.span.end_line - chunk.span.start_line + 1]
    match, symbol = _match(bundle, query, focus, chunk, text, symbol)
    if query.before is not None or query.after is not None:
        return _surrounded(bundle, query, chunk, lines, match, symbol)
    first, last = chunk.span.start_line, chunk.span.start_line + len(lines) - 1
    if query.smart_context:
        first, last = _scope(bundle, symbol, match) or (first, last)
    first, last = _around(match, first, last, MAX_LINES)
    start, shown = _between(bundle, chunk, lines, first, last)
    return Snippet(lines=_clipped(shown), start_line=start, match_line=match, symbol=symbol if symbol >= 0 else _any_symbol(chunk))


def _match(bundle: Bundle, query: Query, focus: Focus, chunk: ChunkRecord, text: str, symbol: int) -> tuple[int, int]:
    """The line where the query's words stand closest, and the symbol around it.

    Of a symbol that the query names with all of its words, or asks for by a filter, the line is one of its own; a symbol that
    shares a word with the query yields to the part of the chunk that has more of them.
    """
    named = bundle.symbol(symbol) if symbol >= 0 else None
    if named is not None and (_asks_for_symbols(query) or focus.is_all_in(named.qualified_name)):
        return _line_within(focus, chunk, text, named), symbol
    start = chunk.span.start_line
    at = focus.line_of(text, definition=named.selection.start_line - start if named else None)
    if at is not None and (around := _innermost(bundle, chunk, start + at)) >= 0:
        return start + at, around
    return (start + (at or 0), -1) if named is None else (_line_within(focus, chunk, text, named), symbol)


def _line_within(focus: Focus, chunk: ChunkRecord, text: str, named: SymbolRecord) -> int:
    """The line of the symbol to look at: where the words stand, else its name, or what the chunk has that is nearest to that."""
    start = chunk.span.start_line
    definition = named.selection.start_line - start
    at = focus.line_of(text, max(named.extent_start_line - start, 0), named.span.end_line - start + 1, definition)
    return start + (min(max(definition, 0), chunk.span.end_line - start) if at is None else at)


def _any_symbol(chunk: ChunkRecord) -> int:
    """Ordinal of the first symbol that starts in the chunk, or of the one around it; -1 when there is neither."""
    return chunk.first_symbol if chunk.symbol_count else chunk.enclosing


def _asks_for_symbols(query: Query) -> bool:
    return bool(query.kinds or query.tags or query.symbol_name or query.parameter_type or query.returns)


def _innermost(bundle: Bundle, chunk: ChunkRecord, line: int) -> int:
    """Ordinal of the innermost symbol around ``line``, one that can be a scope before one that cannot; -1 when there is none."""
    other = -1
    for ordinal in range(chunk.first_symbol + chunk.symbol_count - 1, chunk.first_symbol - 1, -1):
        symbol = bundle.symbol(ordinal)
        if symbol.extent_start_line <= line <= symbol.span.end_line:
            if symbol.kind in SCOPES:
                return ordinal
            other = ordinal if other < 0 else other
    if chunk.enclosing >= 0 and (other < 0 or bundle.symbol(chunk.enclosing).kind in SCOPES):
        return chunk.enclosing
    return other


def _scope(bundle: Bundle, ordinal: int, line: int) -> tuple[int, int] | None:
    """First and last line of the function or type around a symbol, or itself; None when there is none around ``line``."""
    while ordinal >= 0 and bundle.symbol(ordinal).kind not in SCOPES:
        ordinal = bundle.symbol(ordinal).parent
    if ordinal < 0:
        return None
    scope = bundle.symbol(ordinal)
    while scope.parent >= 0:
        outer = bundle.symbol(scope.parent)
        if outer.kind not in SCOPES or outer.span.end_line - outer.extent_start_line >= SMALL_SCOPE:
            break
        scope = outer
    if not scope.extent_start_line <= line <= scope.span.end_line:
        return None
    return scope.extent_start_line, scope.span.end_line


def _around(line: int, first: int, last: int, count: int) -> tuple[int, int]:
    """The ``count`` lines around ``line`` that lie between ``first`` and ``last``; all of them when they are fewer."""
    if last - first < count:
        return first, last
    start = min(max(line - count // 2, first), last - count + 1)
    return start, start + count - 1


def _between(bundle: Bundle, chunk: ChunkRecord, lines: Sequence[str], first: int, last: int) -> tuple[int, Sequence[str]]:
    """The lines from ``first`` to ``last``, as far as they can be had, and the number of the first of them.

    Args:
        bundle: holds the text.
        chunk: near which they are.
        lines: the chunk's own.
        first: number of the first line wanted.
        last: number of the last.
    """
    start, stop = chunk.span.start_line, chunk.span.start_line + len(lines) - 1
    if start <= first and last <= stop:
        return first, lines[first - start : last - start + 1]
    file = bundle.file(chunk.file)
    low = max(chunk.span.start - _REACH, 0) if first < start else chunk.span.start
    high = min(chunk.span.end + _REACH, file.text_length) if last > stop else chunk.span.end
    data = bundle.text_of(file, low, high)
    start -= data.count(b"\n", 0, chunk.span.start - low)
    wide = data.decode("utf-8", "replace").split("\n")
    if chunk.span.end < high < file.text_length:
        wide.pop()  # it may go on
    if 0 < low < chunk.span.start:
        del wide[0]  # it may have begun before
        start += 1
    first, last = max(first, start), min(last, file.line_count)
    shown = wide[first - start : last - start + 1]
    return (first, shown) if shown else (chunk.span.start_line, lines[:MAX_LINES])


def _surrounded(bundle: Bundle, query: Query, chunk: ChunkRecord, lines: Sequence[str], match: int, symbol: int) -> Snippet:
    """The chunk's lines around the match, and as many before and after them as were asked for; together within the cap."""
    before = min(query.before or 0, MAX_LINES - 1)
    after = min(query.after or 0, MAX_LINES - 1 - before)
    start = chunk.span.start_line
    first, last = _around(match, start, start + len(lines) - 1, MAX_LINES - before - after)
    begin, wide = _between(bundle, chunk, lines, max(first - before, 1), last + after)
    shown = _clipped(wide)
    return Snippet(
        lines=shown[first - begin : last - begin + 1],
        start_line=first,
        match_line=match,
        symbol=symbol if symbol >= 0 else _any_symbol(chunk),
        before=shown[: first - begin],
        after=shown[last - begin + 1 :],
    )


def _clipped(lines: Sequence[str]) -> tuple[str, ...]:
    """Each line at its greatest length, and without the carriage return of some systems."""
    if any("\r" in line for line in lines[:2]):
        lines = [line.rstrip("\r") for line in lines]
    if max(map(len, lines), default=0) <= MAX_COLUMNS:
        return tuple(lines)
    return tuple(line if len(line) <= MAX_COLUMNS else line[: MAX_COLUMNS - 3] + "..." for line in lines)
