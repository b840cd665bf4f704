"""A chunk in, what could be shown of it out, whatever is asked: enough to tell most hits apart without cutting them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, SymbolRecord
from hardtack.model import Query
from hardtack.query.collapse import Bounds
from hardtack.query.focus import Searched
from hardtack.query.scopes import SCOPE_NUMBERS, any_symbol, lines_around, scope_of, shape_of

_KEPT: Final = 2048
"""Chunks of which is kept what could be shown."""

_MOST_BOUNDED: Final = 32
"""Symbols of a chunk of which is told beforehand what could be shown: reading more of them takes longer than cutting it."""

_WORD: Final = re.compile(r"\w")
"""What a line must have to be one where a query's words stand."""


class Bounder:
    """Tells what could be shown of the chunks of one bundle."""

    def __init__(self, bundle: Bundle, searched: Callable[[int], Searched]) -> None:
        """Take an open bundle, and what gives the text of a chunk as it is searched."""
        self._bundle = bundle
        self._searched = searched
        self._bounds = lru_cache(maxsize=_KEPT)(self._bound)
        self._bounds_of = lru_cache(maxsize=_KEPT)(self._bounds_with)

    @cached_property
    def _kinds(self) -> memoryview[int]:
        return self._bundle.symbol_column("kind")

    def under(self, query: Query) -> Callable[[int, int], Bounds | None]:
        """Tells what could be shown of a chunk to who asks for no other lines than these; None where it is as well cut at once.

        It is asked with the ordinal of the chunk, and that of the symbol that seems to answer, or -1.
        """
        is_usual = query.smart_context and query.before is None and query.after is None and self._bundle.has_text
        return self._bounds_of if is_usual else _no_bounds

    def _bounds_with(self, ordinal: int, symbol: int) -> Bounds | None:
        """Of a scope that starts in the chunk the same as of no symbol, as it is in view in any case: both are worked out once."""
        chunk = self._bundle.chunk(ordinal)
        is_own = chunk.first_symbol <= symbol < chunk.first_symbol + chunk.symbol_count
        return self._bounds(ordinal, -1 if is_own and self._is_scope(symbol) else symbol)

    def _bound(self, ordinal: int, symbol: int) -> Bounds | None:
        bundle = self._bundle
        chunk = bundle.chunk(ordinal)
        if chunk.symbol_count > _MOST_BOUNDED:
            return None
        low, high = chunk.start_line, chunk.end_line
        shapes = {shape_of(bundle, chunk, any_symbol(chunk), None)}
        for each in dict.fromkeys((*self._arounds(chunk, ordinal), *((symbol,) if symbol >= 0 else ()))):
            scope = scope_of(bundle, each)
            if scope is not None:
                first, last = scope.extent_start_line, scope.end_line
                low = min(low, lines_around(max(chunk.start_line, first), first, last)[0])
                high = max(high, lines_around(min(chunk.end_line, last), first, last)[1])
            shapes.add(shape_of(bundle, chunk, each, scope))
        return Bounds(chunk.start_line, chunk.end_line, low, high, tuple(shapes))

    def _arounds(self, chunk: ChunkRecord, ordinal: int) -> list[int]:
        """Ordinals of symbols: one of them is the innermost around any line of a chunk that has a word on it and one around it."""
        bundle, own = self._bundle, range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)
        scopes = [symbol for symbol in own if self._is_scope(symbol)]
        arounds = scopes
        if len(scopes) < len(own) and not (chunk.enclosing >= 0 and self._is_scope(chunk.enclosing)):
            arounds, covered = [], 0
            for symbol in own:  # in the order in which they begin
                is_scope, end = symbol in scopes, bundle.symbol(symbol).end_line
                if is_scope or end > covered:
                    arounds.append(symbol)
                covered = max(covered, end) if is_scope else covered
        if chunk.enclosing >= 0 and self._reaches_out(ordinal, map(bundle.symbol, scopes)):
            arounds.append(chunk.enclosing)
        return arounds

    def _is_scope(self, symbol: int) -> bool:
        """Whether a symbol can be the context of a match. No row is decoded."""
        return self._kinds[symbol] in SCOPE_NUMBERS

    def _reaches_out(self, ordinal: int, symbols: Iterable[SymbolRecord]) -> bool:
        """Whether a line of a chunk has a word and lies in no scope that starts there: such a match is in what encloses the chunk.

        Args:
            ordinal: of the chunk.
            symbols: scopes that start in it, in order.
        """
        chunk = self._bundle.chunk(ordinal)
        start, next_line = chunk.start_line, chunk.start_line
        gaps: list[tuple[int, int]] = []
        for symbol in symbols:
            if symbol.extent_start_line > next_line:
                gaps.append((next_line, symbol.extent_start_line))
            next_line = max(next_line, symbol.end_line + 1)
        if next_line <= chunk.end_line:
            gaps.append((next_line, chunk.end_line + 1))
        if not gaps:
            return False
        text, nexts, _ = self._searched(ordinal)
        begins = [0, *nexts]
        return any(
            _WORD.search(text, begins[min(first - start, len(nexts))], begins[min(after - start, len(nexts))])
            for first, after in gaps
        )


def _no_bounds(_: int, _symbol: int) -> None:
    """Nothing is known beforehand."""
