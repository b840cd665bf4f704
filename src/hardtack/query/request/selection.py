"""Filters in, the chunks and symbols that pass them out: as a filter for the lexical engine, and as one flag for each chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hardtack.bundle.engines import lexical
from hardtack.bundle.format.records import ChunkRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Candidate, FilterValue
from hardtack.query.request.filters import BY_NAME, FieldTerm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Columns = tuple[NDArray[np.int64], NDArray[np.float64]]
    """Ordinals of chunks, and the score of each."""

_DEEPER: Final = 8
"""Factor for the number of results of an engine, when too few of them passed."""
_MOST_FOLLOWED: Final = 1000
"""Up to this many narrowed chunks, the lexical engine is restricted to their files."""


class Selection:
    """The chunks of a bundle that pass some filters, and the symbols in them that do."""

    def __init__(self, bundle: Bundle, filters: Sequence[FilterValue]) -> None:
        self._bundle = bundle
        self._filters = filters
        rows = [(BY_NAME[each.name], each.words) for each in filters]
        self._file_tests = [row.file_test(words) for row, words in rows if row.file_test]
        self._symbol_tests = [row.symbol_test(bundle, words) for row, words in rows if row.symbol_test]
        self._bits = [(row.column, row.bits(words)) for row, words in rows if row.bits]
        self._in_index: dict[str, Any] = {row.name: words for row, words in rows if row.in_index}
        self._terms: list[FieldTerm] = [term for row, words in rows for term in row.terms(words)]
        self._index_keeps_to_files = all(row.in_index for row, _ in rows if row.file_test)
        self._passing: dict[int, tuple[int, ...]] = {}

    @property
    def is_everything(self) -> bool:
        """Whether there are no filters, so that every chunk passes."""
        return not self._filters

    @property
    def is_about_symbols(self) -> bool:
        """Whether a filter on symbols is among them: then a chunk passes only by a symbol that starts in it."""
        return bool(self._symbol_tests)

    @cached_property
    def files(self) -> list[int] | None:
        """Ordinals of the files that pass, ascending; None if there is no filter on files."""
        if not self._file_tests:
            return None
        return [ordinal for ordinal, file in enumerate(self._bundle.files) if all(test(file) for test in self._file_tests)]

    @cached_property
    def _narrowed(self) -> frozenset[int] | None:
        """The chunks that the lexical index has for the terms of the filters; None if no filter has a term to look up."""
        found = [set(_chunks_with(self._bundle, *term)) for term in self._terms]
        return frozenset(set.intersection(*found)) if found else None

    @cached_property
    def lexical(self) -> lexical.Filter:
        """The part of the filters that the lexical engine applies by itself."""
        files = None if self._index_keeps_to_files else self.files
        if self._narrowed is not None and len(self._narrowed) <= _MOST_FOLLOWED:
            holding = {self._bundle.chunk(chunk).file for chunk in self._narrowed}
            files = sorted(holding.intersection(self.files) if self.files is not None else holding)
        return lexical.Filter(files=files, **self._in_index)

    @cached_property
    def flags(self) -> NDArray[np.bool_] | None:
        """(chunks,), which chunks may pass by the bundle's columns, for the dense retriever; None if there are no filters."""
        if self.is_everything:
            return None
        bundle = self._bundle
        flags = np.ones(bundle.manifest.counts.chunks, dtype=np.bool_)
        for column, bits in self._bits:
            flags &= (np.asarray(getattr(bundle, column)) & bits) != 0
        if self.files is not None:
            chosen = np.zeros_like(flags)
            for file in map(bundle.file, self.files):
                chosen[file.first_chunk : file.first_chunk + file.chunk_count] = True
            flags &= chosen
        if self._narrowed is not None:
            chosen = np.zeros_like(flags)
            chosen[sorted(self._narrowed)] = True
            flags &= chosen
        return flags

    def first(self, depth: int, search: Callable[[int], Columns]) -> Columns:
        """The first ``depth`` results of an engine that pass. The engine is asked for more until enough pass or it has no more.

        Args:
            depth: at least 1.
            search: takes a number of chunks and returns as many, best first, that pass :attr:`lexical` or :attr:`flags`.
        """
        if not self.is_about_symbols:
            return search(depth)
        most = max(self._bundle.manifest.counts.chunks, 1)
        limit = min(depth, most)
        while True:
            found, scores = search(limit)
            passing = list(islice((place for place, chunk in enumerate(found.tolist()) if self.allows(chunk)), depth))
            if len(passing) == depth or len(found) < limit or limit == most:
                return found[passing], scores[passing]
            limit = min(limit * _DEEPER, most)

    def allows(self, chunk: int) -> bool:
        """Whether a symbol that starts in a chunk passes. Filters on files are not tested: :attr:`lexical` and :attr:`flags` do."""
        if self._narrowed is not None and chunk not in self._narrowed:
            return False
        if any(not getattr(self._bundle, column)[chunk] & bits for column, bits in self._bits):
            return False
        # A column tells that some symbol of the chunk passes one filter, not that one symbol passes all of them.
        return len(self._symbol_tests) == len(self._bits) == 1 or not self._symbol_tests or bool(self.symbols(chunk))

    def passes(self, chunk: int) -> bool:
        """Whether a chunk passes every filter."""
        return self.is_everything or (self.flags is not None and bool(self.flags[chunk]) and self.allows(chunk))

    def symbols(self, chunk: int) -> Sequence[int]:
        """Ordinals of the symbols that start in a chunk and pass, outer before inner; all of them without a filter on symbols."""
        if not self.is_about_symbols:
            return _starting_in(self._bundle.chunk(chunk))
        if chunk not in self._passing:
            self._passing[chunk] = tuple(filter(self._passes, _starting_in(self._bundle.chunk(chunk))))
        return self._passing[chunk]

    def filtered(self, candidates: Sequence[Candidate], min_score: float) -> Sequence[Candidate]:
        """The candidates that reach the least score; with a filter on symbols, each is made about a symbol that passes."""
        if min_score:
            candidates = [each for each in candidates if round(each.score, 6) >= min_score]
        return [self.about(each) for each in candidates] if self.is_about_symbols else candidates

    def about(self, candidate: Candidate) -> Candidate:
        """The candidate, made about a symbol of its chunk that passes."""
        if not self.is_about_symbols:
            return candidate
        symbols = self.symbols(candidate.ordinal)
        return candidate if candidate.symbol in symbols or not symbols else candidate._replace(symbol=symbols[0])

    def _passes(self, symbol: int) -> bool:
        return all(test(symbol) for test in self._symbol_tests)


def _starting_in(chunk: ChunkRecord) -> range:
    return range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)


def _chunks_with(bundle: Bundle, fields: Sequence[str], term: str) -> Iterable[int]:
    terms = {field: [(term, 1.0)] for field in fields}
    found, _ = bundle.lexical.search(terms, max(bundle.manifest.counts.chunks, 1), lexical.Filter())
    return found
