"""Ranked candidates in, hits out: each with the lines to show, one for all that say the same; files that come after are named."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, FileRecord, SymbolRecord
from hardtack.model import Candidate, Hit, Place, Query
from hardtack.query.collapse import Collapse, Shown
from hardtack.query.context import Context, context_of
from hardtack.query.focus import Focus
from hardtack.query.freshness import Freshness, freshness_of
from hardtack.query.retrieve import DENSE, LEXICAL
from hardtack.query.snippet import Cutter, Snippet

# What no retriever found comes in by its name alone, which is a match of words.
_MATCH_TYPES: Final = {(True, True): "both", (True, False): "keyword", (False, True): "semantic", (False, False): "keyword"}
_PUTS: Final = tuple(getattr(Hit, each.name).__set__ for each in fields(Hit))
"""What sets each field of a hit. The constructor of a frozen class asks for its fields' names, which takes twice as long."""
_NO_CONTEXT: Final = Context(imports="", related=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What an answer is made of."""

    hits: tuple[Hit, ...]
    further: tuple[Place, ...]
    """The best place of each file that comes after the hits."""
    truncated: bool
    """Candidates were left out that no hit stands for."""


@dataclass(slots=True)
class _Kept:
    """A candidate that becomes a hit."""

    candidate: Candidate
    chunk: ChunkRecord
    snippet: Snippet
    symbol: SymbolRecord | None
    """The one that answers."""
    also: list[Place] = field(default_factory=list)


def hits_of(
    bundle: Bundle,
    cutter: Cutter,
    query: Query,
    candidates: Iterable[Candidate],
    reasons: Callable[[Candidate, int], tuple[str, ...]],
    stems: Iterable[str],
    checkout: Path | None,
) -> Gathered:
    """The first ``query.limit`` of ``candidates`` that do not repeat one before them, and what comes after.

    Args:
        bundle: holds what is shown.
        cutter: of the bundle's text.
        query: says how much.
        candidates: best first.
        reasons: why a candidate of a file ranks where it does.
        stems: of the words the query is about; they choose the lines.
        checkout: a checkout that each hit is compared with, or None.
    """
    kept, further, is_truncated = _sifted(bundle, cutter, query, candidates, Focus(stems))
    is_surrounded = query.surroundings and query.smart_context and query.before is None and query.after is None
    file_ranks: dict[int, int] = {}
    hits: list[Hit] = []
    for each in kept:
        file = bundle.file(each.chunk.file)
        file_rank = file_ranks.setdefault(each.chunk.file, len(file_ranks) + 1)
        context = context_of(bundle, each.chunk) if is_surrounded else _NO_CONTEXT
        said = reasons(each.candidate, each.chunk.file)
        hits.append(_hit(each, file, context, said, len(hits) + 1, file_rank, freshness_of(file, checkout)))
    return Gathered(hits=tuple(hits), further=further, truncated=is_truncated)


def _sifted(
    bundle: Bundle, cutter: Cutter, query: Query, candidates: Iterable[Candidate], focus: Focus
) -> tuple[list[_Kept], tuple[Place, ...], bool]:
    """The candidates to show, the places to name, and whether any are neither."""
    kept: list[_Kept] = []
    further: list[Place] = []
    named: set[int] = set()
    contents: dict[bytes, _Kept] = {}
    collapse = Collapse()
    is_truncated = False
    for candidate in candidates:
        if len(kept) == query.limit:
            is_truncated = True
            if len(further) == query.further:
                break
            file = bisect_right(bundle.file_column("first_chunk"), candidate.ordinal) - 1
            if file not in named:
                named.add(file)
                further.append(_place(bundle, candidate, bundle.chunk(candidate.ordinal)))
            continue
        chunk = bundle.chunk(candidate.ordinal)
        named.add(chunk.file)
        twin = contents.get(chunk.content_hash)
        if twin is None:
            snippet = cutter.cut(query, focus, candidate.ordinal, candidate.symbol)
            symbol = bundle.symbol(snippet.symbol) if snippet.symbol >= 0 else None
            each = _Kept(candidate, chunk, snippet, symbol)
            number = collapse.twin_of(_shown(each))
            twin = None if number is None else kept[number]
            if twin is None:
                kept.append(each)
                contents[chunk.content_hash] = each
        if twin is not None:
            twin.also.append(_place(bundle, candidate, chunk))
    return kept, tuple(further), is_truncated


def _shown(each: _Kept) -> Shown:
    text, first, last, match, symbol, *_ = each.snippet
    return Shown(each.chunk.file, symbol, each.symbol.name if each.symbol else "", first, last, match, text)


def _place(bundle: Bundle, candidate: Candidate, chunk: ChunkRecord) -> Place:
    """Where a candidate lies: its symbol, or else the first that starts in it, or its beginning."""
    path = bundle.file(chunk.file).path
    ordinal = candidate.symbol
    if ordinal < 0:
        if not chunk.symbol_count:
            return Place(path=path, line=chunk.start_line)
        ordinal = chunk.first_symbol
    symbol = bundle.symbol(ordinal)
    line = symbol.selection_line
    return Place(path=path, line=line, kind=str(symbol.kind), name=symbol.name, qualified_name=symbol.qualified_name)


def _hit(
    each: _Kept, file: FileRecord, context: Context, reasons: tuple[str, ...], rank: int, file_rank: int, freshness: Freshness
) -> Hit:
    candidate, chunk, snippet, symbol = each.candidate, each.chunk, each.snippet, each.symbol
    if symbol:
        of_symbol = (str(symbol.kind), symbol.name, symbol.qualified_name, symbol.signature, symbol.package)
    else:
        of_symbol = ("", "", "", "", file.package)
    has_text = snippet.start_line <= snippet.end_line
    dense, lexical = candidate.scores.get(DENSE), candidate.scores.get(LEXICAL)
    values = (  # in the order of the fields
        file.path,
        *(chunk.start_line, chunk.end_line),
        *(round(candidate.score, 6), rank),
        _chunk_id(file.path, chunk.start, chunk.end, chunk.content_hash),
        file.language,
        *of_symbol,
        snippet.text,
        _MATCH_TYPES[lexical is not None, dense is not None],
        *(None if dense is None else round(dense, 6), None if lexical is None else round(lexical, 6)),
        freshness,
        reasons,
        file_rank,
        *((snippet.start_line, snippet.end_line, snippet.match_line) if has_text else (None, None, None)),
        symbol.selection_line if symbol else None,
        *(snippet.before, snippet.after),
        *(context.imports, context.related),
        tuple(each.also),
    )
    hit = Hit.__new__(Hit)
    for put, value in zip(_PUTS, values, strict=True):
        put(hit, value)
    return hit


@lru_cache(maxsize=1 << 12)
def _chunk_id(path: str, start: int, end: int, content_hash: bytes) -> str:
    """Names one chunk of one file's content, in any bundle: 32 hex digits."""
    return hashlib.blake2b(f"{path}\0{start}\0{end}\0".encode() + content_hash, digest_size=16).hexdigest()
