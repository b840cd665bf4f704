"""Hits of a search in, the descriptors of their symbols with snippets and scores out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hardtack.bundle.reader import Bundle
from hardtack.nouns.descriptors import SymbolDescriptor, SymbolLocation
from hardtack.nouns.model import Hit, Kind
from hardtack.query.lookup.describe import describe_symbol


def describe_hits(bundle: Bundle, hits: Sequence[Hit]) -> tuple[SymbolDescriptor, ...]:
    """The descriptor of each hit's symbol, in their order; for a hit without a symbol that of its file, of kind ``file``.

    ``metadata`` has the shown lines as ``snippet``, and the scores, 0 to 1: ``hybrid_score``, and ``semantic_score`` and
    ``lexical_score`` where a retriever found the chunk.
    """
    return tuple(_describe_hit(bundle, hit) for hit in hits)


def _describe_hit(bundle: Bundle, hit: Hit) -> SymbolDescriptor:
    scores: dict[str, Any] = {
        "snippet": hit.snippet,
        "hybrid_score": hit.score,
        "semantic_score": hit.vector_score,
        "lexical_score": hit.keyword_score,
    }
    metadata = {key: value for key, value in scores.items() if value not in (None, "")}
    symbol = _symbol_of(bundle, hit)
    if symbol is not None:
        descriptor = describe_symbol(bundle, symbol)
        return replace(descriptor, metadata={**descriptor.metadata, **metadata})
    return SymbolDescriptor(
        language=hit.language,
        kind=Kind.FILE.value,
        name=hit.path.rpartition("/")[2],
        package=hit.package,
        location=SymbolLocation(file_path=hit.path, start_line=hit.start_line, end_line=hit.end_line),
        metadata=metadata,
    )


def _symbol_of(bundle: Bundle, hit: Hit) -> int | None:
    """The ordinal of a hit's symbol, which starts in its chunk or encloses it; None if the hit has none."""
    file = bundle.file_at(hit.path)
    if file is None or not hit.name:
        return None
    chunks = range(file.first_chunk, file.first_chunk + file.chunk_count)
    starts = [bundle.chunk(chunk).start_line for chunk in chunks]
    place = bisect_right(starts, hit.start_line) - 1
    while place >= 0 and starts[place] == hit.start_line:  # two chunks may start on one line
        chunk = bundle.chunk(chunks[place])
        symbols = list(range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count))
        enclosing = chunk.enclosing
        while enclosing >= 0:
            symbols.append(enclosing)
            enclosing = bundle.symbol(enclosing).parent
        for symbol in symbols:
            record = bundle.symbol(symbol)
            if (record.qualified_name, record.selection_line) == (hit.qualified_name, hit.selection_line):
                return symbol
        place -= 1
    return None
