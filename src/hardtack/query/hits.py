"""Ranked candidates in, hits out: each with the lines to show, one for all that say the same; files that come after are named."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, FileRecord
from hardtack.model import Candidate, Hit, Place, Query
from hardtack.query.collapse import Collapse, Shown
from hardtack.query.context import Context, context_of
from hardtack.query.focus import Focus
from hardtack.query.freshness import freshness_of
from hardtack.query.retrieve import DENSE, LEXICAL
from hardtack.query.snippet import Snippet, cut

# What no retriever found comes in by its name alone, which is a match of words.
_MATCH_TYPES: Final = {(True, True): "both", (True, False): "keyword", (False, True): "semantic", (False, False): "keyword"}
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
    also: list[Place] = field(default_factory=list)


def hits_of(
    bundle: Bundle,
    query: Query,
    candidates: Iterable[Candidate],
    reasons: Callable[[Candidate, int], tuple[str, ...]],
    stems: Iterable[str],
    checkout: Path | None,
) -> Gathered:
    """The first ``query.limit`` of ``candidates`` that do not repeat one before them, and what comes after.

    Args:
        bundle: holds what is shown.
        query: says how much.
        candidates: best first.
        reasons: why a candidate of a file ranks where it does.
        stems: of the words the query is about; they choose the lines.
        checkout: a checkout that each hit is compared with, or None.
    """
    kept, further, is_truncated = _sifted(bundle, query, candidates, Focus(stems))
    file_ranks: dict[int, int] = {}
    for each in kept:
        file_ranks.setdefault(each.chunk.file, len(file_ranks) + 1)
    hits = (
        _hit(bundle, query, each, reasons, rank=rank, file_rank=file_ranks[each.chunk.file], checkout=checkout)
        for rank, each in enumerate(kept, start=1)
    )
    return Gathered(hits=tuple(hits), further=further, truncated=is_truncated)


def _sifted(
    bundle: Bundle, query: Query, candidates: Iterable[Candidate], focus: Focus
) -> tuple[list[_Kept], tuple[Place, ...], bool]:
    """The candidates to show, the places to name, and whether any are neither."""
    kept: list[_Kept] = []
    further: list[Place] = []
    named: set[int] = set()
    contents: dict[bytes, _Kept] = {}
    collapse = Collapse()
    is_truncated = False
    for candidate in candidates:
        if len(kept) == query.limit and len(further) == query.further:
            is_truncated = True
            break
        chunk = bundle.chunk(candidate.ordinal)
        if len(kept) == query.limit:
            is_truncated = True
            if chunk.file not in named:
                named.add(chunk.file)
                further.append(_place(bundle, candidate, chunk))
            continue
        named.add(chunk.file)
        twin = contents.get(chunk.content_hash)
        if twin is None:
            each = _Kept(candidate, chunk, cut(bundle, query, focus, chunk, candidate.symbol))
            number = collapse.twin_of(_shown(bundle, each))
            twin = None if number is None else kept[number]
            if twin is None:
                kept.append(each)
                contents[chunk.content_hash] = each
        if twin is not None:
            twin.also.append(_place(bundle, candidate, chunk))
    return kept, tuple(further), is_truncated


def _shown(bundle: Bundle, each: _Kept) -> Shown:
    snippet = each.snippet
    name = bundle.symbol_name(snippet.symbol).name if snippet.symbol >= 0 else ""
    return Shown(each.chunk.file, snippet.symbol, name, snippet.start_line, snippet.end_line, snippet.match_line, snippet.lines)


def _place(bundle: Bundle, candidate: Candidate, chunk: ChunkRecord) -> Place:
    """Where a candidate lies: its symbol, or else the first that starts in it, or its beginning."""
    path = bundle.file(chunk.file).path
    ordinal = candidate.symbol
    if ordinal < 0:
        if not chunk.symbol_count:
            return Place(path=path, line=chunk.span.start_line)
        ordinal = chunk.first_symbol
    symbol = bundle.symbol(ordinal)
    line = symbol.selection.start_line
    return Place(path=path, line=line, kind=symbol.kind.value, name=symbol.name, qualified_name=symbol.qualified_name)


def _hit(
    bundle: Bundle,
    query: Query,
    each: _Kept,
    reasons: Callable[[Candidate, int], tuple[str, ...]],
    *,
    rank: int,
    file_rank: int,
    checkout: Path | None,
) -> Hit:
    candidate, chunk, snippet = each.candidate, each.chunk, each.snippet
    file = bundle.file(chunk.file)
    symbol = bundle.symbol(snippet.symbol) if snippet.symbol >= 0 else None
    is_asked = query.surroundings and query.smart_context and query.before is None and query.after is None
    context = context_of(bundle, chunk) if is_asked else _NO_CONTEXT
    has_text = bool(snippet.lines)
    return Hit(
        path=file.path,
        start_line=chunk.span.start_line,
        end_line=chunk.span.end_line,
        score=round(candidate.score, 6),
        rank=rank,
        chunk_id=_chunk_id(file, chunk),
        language=file.language,
        kind=symbol.kind.value if symbol else "",
        name=symbol.name if symbol else "",
        qualified_name=symbol.qualified_name if symbol else "",
        signature=symbol.signature if symbol else "",
        package=symbol.package if symbol else file.package,
        snippet="\n".join(snippet.lines),
        match_type=_MATCH_TYPES[LEXICAL in candidate.ranks, DENSE in candidate.ranks],
        vector_score=_rounded(candidate.scores.get(DENSE)),
        keyword_score=_rounded(candidate.scores.get(LEXICAL)),
        freshness=freshness_of(file, checkout),
        reasons=reasons(candidate, chunk.file),
        file_rank=file_rank,
        snippet_start_line=snippet.start_line if has_text else None,
        snippet_end_line=snippet.end_line if has_text else None,
        match_line=snippet.match_line if has_text else None,
        selection_line=symbol.selection.start_line if symbol else None,
        context_before=_joined(snippet.before),
        context_after=_joined(snippet.after),
        imports=context.imports,
        related=context.related,
        also=tuple(each.also),
    )


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def _chunk_id(file: FileRecord, chunk: ChunkRecord) -> str:
    """Names one chunk of one file's content, in any bundle: 32 hex digits."""
    place = f"{file.path}\0{chunk.span.start}\0{chunk.span.end}\0".encode()
    return hashlib.blake2b(place + chunk.content_hash, digest_size=16).hexdigest()


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 6)
