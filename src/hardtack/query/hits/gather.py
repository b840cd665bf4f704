"""Ranked candidates in, hits out: each with the lines to show, one for all that say the same; files that come after are named.

A tree may hold one file a hundred times: all copies become one hit, and they fill the lists that the retrievers give. So a search
that comes to too few hits is made again among more chunks (:func:`widened`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from hardtack.bundle.format.records import ChunkRecord, FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Answer, Candidate, Hit, Mode, Place, Query
from hardtack.query.hits.best_line import BestLine
from hardtack.query.hits.duplicates import Duplicates, View
from hardtack.query.hits.snippet import SnippetCutter
from hardtack.query.retrieval.retrieve import depth_of
from hardtack.query.trace import Trace

# A chunk that no retriever found comes in by its name alone, which is a match of words.
_MATCH_TYPES: Final = {(True, True): "both", (True, False): "keyword", (False, True): "semantic", (False, False): "keyword"}


class Context(NamedTuple):
    """What a reader of one chunk should know besides it."""

    imports: str
    """The file's package and its import statements, as they are written; empty when there are none."""
    related: tuple[str, ...]
    """Signatures of the next symbols that have the same parent."""


_NO_CONTEXT: Final = Context(imports="", related=())

ReasonsOfFile = Callable[[int], Sequence[str]]
"""Gives why a file, by its ordinal, ranks where it does."""


class Gathered(NamedTuple):
    """What an answer is made of."""

    hits: tuple[Hit, ...]
    further: tuple[Place, ...]
    """The best place of each file that comes after the hits."""
    truncated: bool
    """Candidates were left out that no hit stands for."""


class _CandidateHit:
    """A candidate that may become a hit: where it lies and which lines it would show."""

    also: tuple[Candidate, ...] = ()
    """Candidates that say the same and are not shown."""

    def __init__(self, cutter: SnippetCutter, query: Query, best_line: BestLine, candidate: Candidate) -> None:
        self.cutter = cutter
        self.query = query
        self.candidate = candidate
        self.chunk: ChunkRecord = cutter.bundle.chunk(candidate.ordinal)
        self._best_line = best_line

    @cached_property
    def view(self) -> View:
        """Which lines are shown."""
        return self.cutter.view(self.query, self._best_line, self.candidate.ordinal, self.candidate.symbol)

    def lines(self, first: int, last: int) -> str:
        """The text of some lines that may be shown."""
        return self.cutter.lines(self.candidate.ordinal, first, last)


def gather(cutter: SnippetCutter, trace: Trace, checkout: Path | None) -> Gathered:
    """The hits of a search.

    Args:
        cutter: of the bundle's text.
        trace: of the search, as far as its filtered candidates.
        checkout: a checkout that each hit is compared with, or None.
    """
    reasons_of_file = trace.ranking.reasons_of if trace.ranking else no_reasons
    return gather_candidates(cutter, trace.query, trace.filtered, reasons_of_file, trace.analysis.stems.values(), checkout)


def no_reasons(_: int) -> Sequence[str]:
    """The reasons of a file that was not ranked."""
    return ()


def gather_candidates(
    cutter: SnippetCutter,
    query: Query,
    candidates: Sequence[Candidate],
    reasons_of_file: ReasonsOfFile,
    stems: Iterable[str],
    checkout: Path | None,
) -> Gathered:
    """The first ``query.limit`` of the candidates that do not repeat one before them, and what comes after.

    Args:
        cutter: of the text of the bundle that holds what is shown.
        query: says how much.
        candidates: best first.
        reasons_of_file: why a file ranks where it does.
        stems: of the words the query is about; they choose the lines.
        checkout: a checkout that each hit is compared with, or None.
    """
    bundle = cutter.bundle
    shown, rest = _chosen(cutter, query, candidates, BestLine(stems))
    file_ranks: dict[int, int] = {}
    hits = []
    for rank, each in enumerate(shown, start=1):
        file = bundle.file(each.chunk.file)
        file_rank = file_ranks.setdefault(each.chunk.file, len(file_ranks) + 1)
        reasons = (*_reasons(bundle, each.candidate), *reasons_of_file(each.chunk.file))
        hits.append(_hit(each, file, reasons, rank, file_rank))
    if checkout is not None:
        from hardtack.query.checkout.worktree import compared_with  # and with it what runs git

        hits = compared_with(bundle, hits, checkout)
    named = candidates[: len(candidates) - len(rest)]
    return Gathered(tuple(hits), _further(bundle, named, rest, query.further), truncated=bool(rest))


def _chosen(
    cutter: SnippetCutter, query: Query, candidates: Sequence[Candidate], best_line: BestLine
) -> tuple[list[_CandidateHit], Sequence[Candidate]]:
    """The candidates to show, and those that come after the last of them."""
    shown: list[_CandidateHit] = []
    duplicates: Duplicates[_CandidateHit] = Duplicates()
    for number, candidate in enumerate(candidates):
        if len(shown) == query.limit:
            return shown, candidates[number:]
        each = _CandidateHit(cutter, query, best_line, candidate)
        if (twin := duplicates.twin_of(each)) is None:
            shown.append(each)
        else:
            twin.also = (*twin.also, candidate)
    return shown, ()


def _further(bundle: Bundle, named: Iterable[Candidate], rest: Iterable[Candidate], count: int) -> tuple[Place, ...]:
    """The best place of each file that no hit is of, ``count`` at most."""
    if not count:
        return ()
    files = {bundle.chunk(candidate.ordinal).file for candidate in named}
    further: list[Place] = []
    for candidate in rest:
        file = bundle.chunk(candidate.ordinal).file
        if file not in files:
            files.add(file)
            further.append(_place(bundle, candidate))
            if len(further) == count:
                break
    return tuple(further)


def _hit(shown: _CandidateHit, file: FileRecord, reasons: tuple[str, ...], rank: int, file_rank: int) -> Hit:
    cutter, query, candidate, chunk, view = shown.cutter, shown.query, shown.candidate, shown.chunk, shown.view
    bundle, snippet = cutter.bundle, cutter.cut(query, candidate.ordinal, view)
    symbol = bundle.symbol(view.symbol) if view.symbol >= 0 else None
    is_surrounded = query.surroundings and query.smart_context and query.before is None and query.after is None
    context = context_of(bundle, chunk) if is_surrounded else _NO_CONTEXT
    has_lines = snippet.start_line <= snippet.end_line
    return Hit(
        path=file.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        score=round(candidate.score, 6),
        rank=rank,
        chunk_id=_chunk_id(file.path, chunk.start, chunk.end, chunk.content_hash),
        language=file.language,
        kind=symbol.kind.value if symbol else "",
        name=symbol.name if symbol else "",
        qualified_name=symbol.qualified_name if symbol else "",
        signature=symbol.signature if symbol else "",
        package=symbol.package if symbol else file.package,
        snippet=snippet.text,
        match_type=_MATCH_TYPES[candidate.lexical is not None, candidate.dense is not None],
        vector_score=None if candidate.dense is None else round(candidate.dense, 6),
        keyword_score=None if candidate.lexical is None else round(candidate.lexical, 6),
        freshness="unknown",
        reasons=reasons,
        file_rank=file_rank,
        snippet_start_line=snippet.start_line if has_lines else None,
        snippet_end_line=snippet.end_line if has_lines else None,
        match_line=view.match if has_lines else None,
        selection_line=symbol.selection_line if symbol else None,
        context_before=snippet.before,
        context_after=snippet.after,
        imports=context.imports,
        related=context.related,
        also=tuple(_place(bundle, each) for each in shown.also),
    )


def _reasons(bundle: Bundle, candidate: Candidate) -> tuple[str, ...]:
    """In what way the candidate's name answers the query, in words."""
    if candidate.name_match is None:
        return candidate.reasons
    symbol = bundle.symbol(candidate.name_match.symbol)
    return (f"{candidate.name_match.how} {symbol.kind.value} {symbol.qualified_name}", *candidate.reasons)


def _place(bundle: Bundle, candidate: Candidate) -> Place:
    """Where a candidate lies: its symbol, or else the first that starts in its chunk, or the beginning of that."""
    chunk = bundle.chunk(candidate.ordinal)
    path = bundle.file(chunk.file).path
    ordinal = candidate.symbol
    if ordinal < 0:
        if not chunk.symbol_count:
            return Place(path=path, line=chunk.start_line)
        ordinal = chunk.first_symbol
    symbol = bundle.symbol(ordinal)
    return Place(
        path=path, line=symbol.selection_line, kind=symbol.kind.value, name=symbol.name, qualified_name=symbol.qualified_name
    )


@lru_cache(maxsize=1 << 12)
def _chunk_id(path: str, start: int, end: int, content_hash: bytes) -> str:
    """Names one chunk of one file's content, in any bundle: 32 hex digits."""
    return hashlib.blake2b(f"{path}\0{start}\0{end}\0".encode() + content_hash, digest_size=16).hexdigest()


NEIGHBOURS = 2
"""How many following symbols are named."""
_LOOKED_AT = 32
"""Symbols looked at for them: the next ones with the same parent follow at once, or after what the last one holds."""
_IMPORTS_LIMIT = 4000
"""Bytes of import statements given at most, in whole lines."""


def context_of(bundle: Bundle, chunk: ChunkRecord) -> Context:
    """The context of ``chunk``; without its imports where the bundle holds no text."""
    file = bundle.file(chunk.file)
    imports = [f"package {file.package}"] if file.package else []
    if file.imports and bundle.has_text:
        start, end = file.imports
        written = bundle.text_of(file, start, min(end, start + _IMPORTS_LIMIT)).decode("utf-8", "replace")
        imports.append(written if end - start <= _IMPORTS_LIMIT else written.rpartition("\n")[0])
    last = chunk.first_symbol + chunk.symbol_count
    if chunk.symbol_count:
        parent = bundle.symbol(chunk.first_symbol).parent
    else:
        parent = bundle.symbol(chunk.enclosing).parent if chunk.enclosing >= 0 else -1
    related: list[str] = []
    for ordinal in range(last, min(file.first_symbol + file.symbol_count, last + _LOOKED_AT)):
        symbol = bundle.symbol(ordinal)
        if symbol.parent == parent:
            related.append(symbol.signature)
        if len(related) == NEIGHBOURS:
            break
    return Context(imports="\n\n".join(imports), related=tuple(related))


_FACTORS: Final = (1, 8, 64)
"""How many times the usual number of chunks is looked at, one after another."""

_PER_HIT, _SPARE = 3, 50
"""Candidates that are ranked for each hit, and besides: some say the same as others, and files that come after are named."""


def widened(attempt: Callable[[int], Gathered], trace: Trace, *, chunks: int) -> Gathered:
    """What a search finds; among more chunks where too few hits come of the usual number.

    Args:
        attempt: searches among so many times the usual number of chunks, and writes down in ``trace`` what each stage gave.
        trace: of the search.
        chunks: in the bundle.
    """
    for factor in _FACTORS:
        gathered = attempt(factor)
        if len(gathered.hits) == trace.query.limit or not _has_more(trace, factor, chunks):
            break
    return gathered


def candidates_of(query: Query) -> int:
    """How many candidates are ranked at first."""
    return _PER_HIT * query.limit + query.further + _SPARE


def _has_more(trace: Trace, factor: int, chunks: int) -> bool:
    """Whether chunks were left out that might be hits, all that were looked at being copies of too few."""
    query = trace.query
    if len(trace.filtered) < len(trace.ranked):
        return False  # the last one that was looked at scores less than was asked for
    depth = factor * depth_of(query)
    is_cut = depth < chunks and any(len(found.ordinals) >= depth for found in trace.lists.values())
    return is_cut or (query.mode is not Mode.VECTOR and len(trace.ranked) >= factor * candidates_of(query))


def answer_of(bundle: Bundle, gathered: Gathered, trace: Trace) -> Answer:
    """The answer that a search comes to."""
    query = trace.query
    return Answer(
        query=query.text,
        mode=query.mode,
        hits=gathered.hits,
        truncated=gathered.truncated,
        hint=trace.degraded if gathered.hits else _hint_for_nothing(trace),
        bundle_digest=bundle.digest,
        bundle_commit=bundle.manifest.provenance.commit,
        bundle_name=bundle.name,
        further=gathered.further,
    )


def _hint_for_nothing(trace: Trace) -> str:
    """What to try when there is no hit."""
    if trace.ranked:
        return f"Nothing scores {trace.query.min_score} or more; the best scores {trace.ranked[0].score:.3f}."
    nothing = "Nothing found; try fewer filters." if trace.query.filters else "Nothing found; try other words."
    return f"{nothing} {trace.degraded}".strip()
