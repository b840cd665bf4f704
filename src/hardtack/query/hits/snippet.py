"""A chunk in, the lines to show for it out.

At most :data:`MAX_LINES` lines are shown, each cut at :data:`MAX_COLUMNS` characters. With smart context they are the lines of the
function or type around the match, even if it is larger than the chunk; without it, the lines of the chunk. If there are too many,
those around the match are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hardtack.bundle.format.records import ChunkRecord, SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import CALLABLES, TYPES, Kind, Query
from hardtack.query.hits.best_line import BestLine
from hardtack.query.hits.duplicates import Extent, View
from hardtack.query.request.filters import is_about_symbols
from hardtack.text import folded

MAX_LINES = 50
"""Lines of a hit at most."""
MAX_COLUMNS = 200
"""Characters of a line at most."""
SMALL_SCOPE = 24
"""A scope of at most this many lines is shown with the function in it: a short type explains a three-line method."""

SCOPES: Final = CALLABLES | TYPES | {Kind.SECTION, Kind.BLOCK, Kind.RESOURCE, Kind.STAGE, Kind.ROUTE, Kind.TARGET}
"""Kinds that are shown as the context of a match. A field or key is shown in its parent; a namespace is too large."""

SymbolOf = Callable[[int], SymbolRecord]
"""Takes an ordinal, gives the symbol."""


def any_symbol(chunk: ChunkRecord) -> int:
    """Ordinal of the first symbol that starts in the chunk, or of the one around it; -1 if there is neither."""
    return chunk.first_symbol if chunk.symbol_count else chunk.enclosing


def innermost(symbol_of: SymbolOf, chunk: ChunkRecord, line: int) -> int:
    """Ordinal of the innermost symbol around ``line``, preferably one of :data:`SCOPES`; -1 if there is none."""
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
    """The scope of a symbol (:func:`scope_of`); None if it does not hold the line."""
    scope = scope_of(symbol_of, ordinal)
    return scope if scope is not None and scope.extent_start_line <= line <= scope.end_line else None


def scope_of(symbol_of: SymbolOf, ordinal: int) -> SymbolRecord | None:
    """The function or type that is or encloses a symbol, widened to the scopes around it that are small; None without one."""
    while ordinal >= 0 and (scope := symbol_of(ordinal)).kind not in SCOPES:
        ordinal = scope.parent
    if ordinal < 0:
        return None
    while scope.parent >= 0 and _is_small_scope(outer := symbol_of(scope.parent)):
        scope = outer
    return scope


def _is_small_scope(symbol: SymbolRecord) -> bool:
    """Whether the symbol is a scope that is shown around its members."""
    return symbol.kind in SCOPES and symbol.end_line - symbol.extent_start_line < SMALL_SCOPE


def lines_around(line: int, first: int, last: int, count: int = MAX_LINES) -> tuple[int, int]:
    """First and last of the ``count`` lines around ``line``, between ``first`` and ``last``; all lines if they are fewer."""
    if last - first < count:
        return first, last
    start = min(max(line - count // 2, first), last - count + 1)
    return start, start + count - 1


def extent_of(symbol_of: SymbolOf, chunk: ChunkRecord, scope: SymbolRecord | None) -> Extent:
    """What a hit is compared by: its scope, or its chunk if there is no scope or it is too long to be shown whole."""
    if scope is None or not is_shown_whole(scope):
        symbol = any_symbol(chunk)
        name, size = symbol_of(symbol).name if symbol >= 0 else "", chunk.end - chunk.start
        return Extent(name, chunk.end_line - chunk.start_line + 1, size, chunk.start_line, chunk.end_line)
    first, last = scope.extent_start_line, scope.end_line
    return Extent(scope.name, last - first + 1, scope.end - scope.extent_start, first, last)


def is_shown_whole(scope: SymbolRecord) -> bool:
    """Whether a function or type has no more lines than a hit shows."""
    return scope.end_line - scope.extent_start_line < MAX_LINES


def clipped(lines: Sequence[str]) -> Sequence[str]:
    """The lines, cut at :data:`MAX_COLUMNS` characters, without a final carriage return."""
    if any("\r" in line for line in lines):
        lines = [line.rstrip("\r") for line in lines]
    if max(map(len, lines), default=0) <= MAX_COLUMNS:
        return lines
    return [line if len(line) <= MAX_COLUMNS else line[: MAX_COLUMNS - 3] + "..." for line in lines]


_CACHED: Final = 2048
"""Chunk texts that are cached, and as many snippets: 10 MB for chunks of 40 lines."""
_MOST_CACHED: Final = 6 << 10
"""Bytes of the longest chunk whose text is cached: all but one of a hundred are shorter, and what is cached stays small."""

_REACH = MAX_LINES * MAX_COLUMNS
"""Bytes read before and after a chunk: as many characters as a hit can show."""


class SnippetText(NamedTuple):
    """Lines of one file."""

    text: str
    """Without the last line end; empty if the bundle has no text."""
    start_line: int
    end_line: int
    """Last line shown; ``start_line - 1`` if none is shown."""
    before: str = ""
    after: str = ""


class _Enclosing(NamedTuple):
    """The symbol and scope around a line."""

    symbol: int
    """Ordinal of :func:`innermost`."""
    scope: SymbolRecord | None
    """:func:`scope_around` of it."""


class _ChunkText(NamedTuple):
    """The text of a chunk, with a cache of what encloses its lines."""

    text: str
    folded: str
    """As terms are spelt, which may change the number of characters, but not of lines."""
    enclosing: dict[int, _Enclosing]
    """By line number, for the lines that were matched so far."""


class SnippetCutter:
    """Cuts snippets out of one bundle. Caches texts and snippets, because related queries show the same chunks."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._between = lru_cache(maxsize=_CACHED)(self._cut)
        self._kept_text = lru_cache(maxsize=_CACHED)(self._read)

    def view(self, query: Query, best_line: BestLine, ordinal: int, symbol: int) -> View:
        """The lines to show of a chunk; :meth:`cut` reads them.

        Args:
            query: says how much context is wanted.
            best_line: finds the query's words.
            ordinal: of the chunk.
            symbol: ordinal of the symbol whose name matches the query; -1 for none.
        """
        bundle = self.bundle
        chunk = bundle.chunk(ordinal)
        if not bundle.has_text:
            symbol = symbol if symbol >= 0 else any_symbol(chunk)
            line = bundle.symbol(symbol).selection_line if symbol >= 0 else chunk.start_line
            return View(symbol, line, line - 1, line, extent_of(bundle.symbol, chunk, None))
        match, symbol, scope = _match(bundle, query, best_line, chunk, self._text(ordinal), symbol)
        symbol = symbol if symbol >= 0 else any_symbol(chunk)
        if query.before is not None or query.after is not None:
            before, after = _wanted(query)
            first, last = lines_around(match, chunk.start_line, chunk.end_line, MAX_LINES - before - after)
            return View(symbol, first, last, match, extent_of(bundle.symbol, chunk, None), _name(bundle, symbol))
        scope = scope if query.smart_context else None
        first, last = (scope.extent_start_line, scope.end_line) if scope else (chunk.start_line, chunk.end_line)
        name = "" if scope and is_shown_whole(scope) else _name(bundle, symbol)
        return View(symbol, *lines_around(match, first, last), match, extent_of(bundle.symbol, chunk, scope), name)

    def cut(self, query: Query, ordinal: int, view: View) -> SnippetText:
        """The lines of a view, as far as the bundle has them."""
        if not self.bundle.has_text:
            return SnippetText("", view.first, view.last)
        if query.before is not None or query.after is not None:
            return _surrounded(self.bundle, query, self.bundle.chunk(ordinal), self._text(ordinal).text, view)
        return self._between(ordinal, view.first, view.last)

    def lines(self, ordinal: int, first: int, last: int) -> str:
        """Some lines of a chunk or around it, cut as for display; empty if the bundle has no text."""
        return self._between(ordinal, first, last).text if self.bundle.has_text else ""

    def _text(self, ordinal: int) -> _ChunkText:
        chunk = self.bundle.chunk(ordinal)
        return self._read(ordinal) if chunk.end - chunk.start > _MOST_CACHED else self._kept_text(ordinal)

    def _read(self, ordinal: int) -> _ChunkText:
        text = _text_of(self.bundle, self.bundle.chunk(ordinal))
        return _ChunkText(text, folded(text), {})

    def _cut(self, ordinal: int, first: int, last: int) -> SnippetText:
        """The lines from ``first`` to ``last``, as far as they are within :data:`_REACH` of the chunk."""
        start, lines = _between(self.bundle, self.bundle.chunk(ordinal), self._text(ordinal).text, first, last)
        return SnippetText("\n".join(clipped(lines)), start, start + len(lines) - 1)


def _text_of(bundle: Bundle, chunk: ChunkRecord) -> str:
    return bundle.text_of(bundle.file(chunk.file), chunk.start, chunk.end).decode("utf-8", "replace")


def _match(
    bundle: Bundle, query: Query, best_line: BestLine, chunk: ChunkRecord, text: _ChunkText, symbol: int
) -> tuple[int, int, SymbolRecord | None]:
    """The best line for the query's words, the symbol around it, and the scope around that, if any.

    If a filter asks for ``symbol`` or its name has all words of the query, the line is one of its own lines. Otherwise the best
    line of the chunk wins, so that a symbol that shares one word with the query does not hide the lines with more of them.
    """
    named = bundle.symbol(symbol) if symbol >= 0 else None
    if named is not None and (is_about_symbols(query.filters) or best_line.is_all_in(named.qualified_name)):
        line = _line_within(best_line, chunk, text.folded, named)
        return line, symbol, scope_around(bundle.symbol, symbol, line)
    start = chunk.start_line
    at = best_line.find(text.folded, definition=named.selection_line - start if named else None)
    line = start + (at or 0)
    if at is not None:
        around = text.enclosing.get(line)
        if around is None:
            inner = innermost(bundle.symbol, chunk, line)
            around = text.enclosing[line] = _Enclosing(inner, scope_around(bundle.symbol, inner, line))
        if around.symbol >= 0:
            return line, *around
    if named is not None:
        line = _line_within(best_line, chunk, text.folded, named)
    return line, symbol, scope_around(bundle.symbol, symbol, line)


def _line_within(best_line: BestLine, chunk: ChunkRecord, folded: str, named: SymbolRecord) -> int:
    """The best line of a symbol: for the query's words, or the line of its name, or the line of the chunk nearest to that."""
    start = chunk.start_line
    definition = named.selection_line - start
    at = best_line.find(folded, max(named.extent_start_line - start, 0), named.end_line - start + 1, definition)
    return start + (min(max(definition, 0), chunk.end_line - start) if at is None else at)


def _name(bundle: Bundle, symbol: int) -> str:
    return bundle.symbol(symbol).name if symbol >= 0 else ""


def _between(bundle: Bundle, chunk: ChunkRecord, text: str, first: int, last: int) -> tuple[int, Sequence[str]]:
    """The lines from ``first`` to ``last``, as far as they are within :data:`_REACH` of the chunk; the number of the first."""
    lines = text.split("\n")[: chunk.end_line - chunk.start_line + 1]
    start, stop = chunk.start_line, chunk.start_line + len(lines) - 1
    if start <= first and last <= stop:
        return first, lines[first - start : last - start + 1]
    file = bundle.file(chunk.file)
    low = max(chunk.start - _REACH, 0) if first < start else chunk.start
    high = min(chunk.end + _REACH, file.text_length) if last > stop else chunk.end
    data = bundle.text_of(file, low, high)
    before = data[: chunk.start - low]
    start -= before.count(b"\n")
    if 0 < low < chunk.start:
        start += 1  # the text may begin inside a line, so its first line is not used
    first, last = max(first, start), min(last, file.line_count)
    shown = _lines_of(data, before, chunk.start_line, first, last, is_cut=chunk.end < high < file.text_length)
    return (first, shown) if shown else (chunk.start_line, lines[:MAX_LINES])


def _lines_of(data: bytes, before: bytes, line: int, first: int, last: int, *, is_cut: bool) -> Sequence[str]:
    """The lines from ``first`` to ``last`` of a text. Counts line ends from a known position, and decodes only these lines.

    Args:
        data: the text.
        before: its part up to the known position.
        line: number of the line at that position.
        first: number of the first line; not before the text's first line.
        last: number of the last line.
        is_cut: the text may end inside a line, so its last line is not given.
    """
    if first <= line:
        skipped = before.rsplit(b"\n", line - first + 1)
        at = len(skipped[0]) + 1 if len(skipped) > line - first + 1 else 0
    else:
        skipped = data[len(before) :].split(b"\n", first - line)
        if len(skipped) <= first - line:
            return []
        at = len(data) - len(skipped[-1])
    count = max(last - first + 1, 0)
    wanted = data[at:].split(b"\n", count)
    if len(wanted) > count or is_cut:
        wanted.pop()
    return b"\n".join(wanted).decode("utf-8", "replace").split("\n") if wanted else []


def _wanted(query: Query) -> tuple[int, int]:
    """The lines to show before and after the match's own, within :data:`MAX_LINES`."""
    before = min(query.before or 0, MAX_LINES - 1)
    return before, min(query.after or 0, MAX_LINES - 1 - before)


def _surrounded(bundle: Bundle, query: Query, chunk: ChunkRecord, text: str, view: View) -> SnippetText:
    """The lines of a view, and those that the query asks for before and after them; together at most :data:`MAX_LINES`."""
    before, after = _wanted(query)
    first, last = view.first, view.last
    begin, wide = _between(bundle, chunk, text, max(first - before, 1), last + after)
    shown = clipped(wide)
    inside = shown[first - begin : last - begin + 1]
    return SnippetText(
        "\n".join(inside),
        first,
        first + len(inside) - 1,
        "\n".join(shown[: first - begin]),
        "\n".join(shown[last - begin + 1 :]),
    )
