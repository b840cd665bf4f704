"""Hits in, accounts of their symbols out: what CONTRACTS 0.3 calls ``SymbolDescriptor`` with what the search said of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.descriptors import SymbolDescriptor, SymbolLocation
from hardtack.nouns.model import Hit, Kind
from hardtack.query.lookup.describe import describe_symbol

_LONGEST: Final = 4096
_DEEPEST: Final = 64
"""Of a path, characters and parts: what is beyond is no file's."""


def describe_hits(bundle: Bundle, hits: Sequence[Hit]) -> tuple[SymbolDescriptor, ...]:
    """The account of the symbol of each hit, in their order; of a hit without a symbol one of its file, of kind ``file``.

    ``metadata`` has the lines shown as ``snippet``, and the scores, 0 to 1: ``hybrid_score``, and ``semantic_score`` and
    ``lexical_score`` where a retriever found the chunk.
    """
    return tuple(_described(bundle, hit) for hit in hits)


def find_file(bundle: Bundle, path: str) -> FileRecord | None:
    """The file that a path of this or any machine means: the longest end of it that is a path of the bundle; None when none is."""
    parts = path[-_LONGEST:].replace("\\", "/").split("/")[-_DEEPEST:]
    endings = ("/".join(parts[at:]) for at in range(len(parts)) if parts[at] not in ("", "."))
    return next((found for ending in endings if (found := bundle.file_at(ending))), None)


def _described(bundle: Bundle, hit: Hit) -> SymbolDescriptor:
    said: dict[str, Any] = {
        "snippet": hit.snippet,
        "hybrid_score": hit.score,
        "semantic_score": hit.vector_score,
        "lexical_score": hit.keyword_score,
    }
    said = {key: value for key, value in said.items() if value not in (None, "")}
    symbol = _symbol_of(bundle, hit)
    if symbol is not None:
        descriptor = describe_symbol(bundle, symbol)
        return replace(descriptor, metadata={**descriptor.metadata, **said})
    return SymbolDescriptor(
        language=hit.language,
        kind=Kind.FILE.value,
        name=hit.path.rpartition("/")[2],
        package=hit.package,
        location=SymbolLocation(file_path=hit.path, start_line=hit.start_line, end_line=hit.end_line),
        metadata=said,
    )


def _symbol_of(bundle: Bundle, hit: Hit) -> int | None:
    """The ordinal of the symbol that a hit is about: one that starts in its chunk, or is around it."""
    file = bundle.file_at(hit.path)
    if file is None or not hit.name:
        return None
    chunks = range(file.first_chunk, file.first_chunk + file.chunk_count)
    starts = [bundle.chunk(chunk).start_line for chunk in chunks]
    place = bisect_right(starts, hit.start_line) - 1
    while place >= 0 and starts[place] == hit.start_line:  # two may begin on one line
        chunk = bundle.chunk(chunks[place])
        around = chunk.enclosing
        symbols = list(range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count))
        while around >= 0:
            symbols.append(around)
            around = bundle.symbol(around).parent
        for symbol in symbols:
            record = bundle.symbol(symbol)
            if (record.qualified_name, record.selection_line) == (hit.qualified_name, hit.selection_line):
                return symbol
        place -= 1
    return None
