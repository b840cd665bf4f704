"""Ranked candidates in, hits out: each with the lines to show, one for all near-duplicates; further files are named.

A tree may hold a hundred copies of one file. They become one hit, but they fill the retrievers' lists, so a search with too few
hits is repeated with more chunks (:func:`widened`).
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

# (has a lexical score, has a dense score). A chunk without either was found by its name, which is a match of words.
_MATCH_TYPES: Final = {(True, True): "both", (True, False): "keyword", (False, True): "semantic", (False, False): "keyword"}


class Context(NamedTuple):
    """What helps a reader of a chunk, besides its lines."""

    imports: str
    """The file's package and its import statements, as written; empty if there are none."""
    related: tuple[str, ...]
    """Signatures of the next symbols with the same parent."""


_NO_CONTEXT: Final = Context(imports="", related=())

ReasonsOfFile = Callable[[int], Sequence[str]]
"""Takes the ordinal of a file, gives the reasons for its rank."""


class Gathered(NamedTuple):
    """The hits and further files of an answer."""

    hits: tuple[Hit, ...]
    further: tuple[Place, ...]
    """The best place of each file that ranks after those of the hits."""
    truncated: bool
    """Whether candidates were left out that are no near-duplicate of a hit."""


class _CandidateHit:
    """A candidate that may become a hit, with the lines that it would show."""

    also: tuple[Candidate, ...] = ()
    """Its near-duplicates, which are not shown."""

    def __init__(self, cutter: SnippetCutter, query: Query, best_line: BestLine, candidate: Candidate) -> None:
        self.cutter = cutter
        self.query = query
        self.candidate = candidate
        self.chunk: ChunkRecord = cutter.bundle.chunk(candidate.ordinal)
        self._best_line = best_line

    @cached_property
    def view(self) -> View:
        """The lines to show."""
        return self.cutter.view(self.query, self._best_line, self.candidate.ordinal, self.candidate.symbol)

    def lines(self, first: int, last: int) -> str:
        """The text of some lines of the chunk or around it."""
        return self.cutter.lines(self.candidate.ordinal, first, last)


def gather(cutter: SnippetCutter, trace: Trace, checkout: Path | None) -> Gathered:
    """The hits of a search.

    Args:
        cutter: of the bundle.
        trace: of the search, with its filtered candidates.
        checkout: a checkout that each hit is compared with, or None.
    """
    reasons_of_file = trace.ranking.reasons_of if trace.ranking else no_reasons
    return gather_candidates(cutter, trace.query, trace.filtered, reasons_of_file, trace.analysis.stems.values(), checkout)


def no_reasons(_: int) -> Sequence[str]:
    """The reasons of any file in a search that does not rank files."""
    return ()


def gather_candidates(
    cutter: SnippetCutter,
    query: Query,
    candidates: Sequence[Candidate],
    reasons_of_file: ReasonsOfFile,
    stems: Iterable[str],
    checkout: Path | None,
) -> Gathered:
    """The hits of the first ``query.limit`` candidates that repeat no earlier one, and the files after them.

    Args:
        cutter: of the bundle.
        query: says how many hits, how much context and how many further files.
        candidates: best first.
        reasons_of_file: gives the reasons for a file's rank.
        stems: of the query's content words, which choose the lines.
        checkout: a checkout that each hit is compared with, or None.
    """
    bundle = cutter.bundle
    shown, rest = _without_duplicates(cutter, query, candidates, BestLine(stems))
    file_ranks: dict[int, int] = {}
    hits = []
    for rank, each in enumerate(shown, start=1):
        file = bundle.file(each.chunk.file)
        file_rank = file_ranks.setdefault(each.chunk.file, len(file_ranks) + 1)
        reasons = (*_reasons(bundle, each.candidate), *reasons_of_file(each.chunk.file))
        hits.append(_hit(each, file, reasons, rank, file_rank))
    if checkout is not None:
        from hardtack.query.checkout.worktree import with_freshness  # only with a checkout: it runs git

        hits = with_freshness(bundle, hits, checkout)
    if bundle.moved_on and (edited := {*bundle.moved_on.changed_paths}):
        hits = [hit._replace(freshness="edited") if hit.path in edited else hit for hit in hits]
    named = candidates[: len(candidates) - len(rest)]
    return Gathered(tuple(hits), _further(bundle, named, rest, query.further), truncated=bool(rest))


def _without_duplicates(
    cutter: SnippetCutter, query: Query, candidates: Sequence[Candidate], best_line: BestLine
) -> tuple[list[_CandidateHit], Sequence[Candidate]]:
    """The candidates to show, each with its near-duplicates, and those after the last of them."""
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
    """The best place of each file in ``rest`` that is not a file of ``named``, ``count`` at most."""
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
    if candidate.name_match is None:
        return candidate.reasons
    symbol = bundle.symbol(candidate.name_match.symbol)
    return (f"{candidate.name_match.how} {symbol.kind.value} {symbol.qualified_name}", *candidate.reasons)


def _place(bundle: Bundle, candidate: Candidate) -> Place:
    """The place of a candidate: its symbol, or the first symbol that starts in its chunk, or the chunk's first line."""
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
    """The id of a chunk, 32 hex digits: equal in all bundles for the same path, place and content."""
    return hashlib.blake2b(f"{path}\0{start}\0{end}\0".encode() + content_hash, digest_size=16).hexdigest()


NEIGHBOURS = 2
"""Following symbols whose signatures are given."""
_LOOKED_AT = 32
"""Symbols examined for them at most: members of the last symbol may come between."""
_IMPORTS_LIMIT = 4000
"""Bytes of import statements at most, cut at a line end."""


def context_of(bundle: Bundle, chunk: ChunkRecord) -> Context:
    """The context of ``chunk``; without imports if the bundle has no text."""
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
"""Factors for the usual number of chunks, for one attempt after another."""

_PER_HIT, _SPARE = 3, 50
"""Candidates that are ranked for each hit, and in addition: some are near-duplicates, and further files are named."""


def widened(attempt: Callable[[int], Gathered], trace: Trace, *, chunks: int) -> Gathered:
    """The result of a search, repeated with more chunks while it has too few hits and more chunks might give more.

    Args:
        attempt: searches with a factor for the usual number of chunks, and records each stage in ``trace``.
        trace: of the search.
        chunks: number of chunks in the bundle.
    """
    for factor in _FACTORS:
        gathered = attempt(factor)
        if len(gathered.hits) == trace.query.limit or not _has_more(trace, factor, chunks):
            break
    return gathered


def candidates_of(query: Query) -> int:
    """How many candidates the first attempt ranks."""
    return _PER_HIT * query.limit + query.further + _SPARE


def _has_more(trace: Trace, factor: int, chunks: int) -> bool:
    """Whether chunks were left out that might be hits."""
    query = trace.query
    if len(trace.filtered) < len(trace.ranked):
        return False  # the last ones score below the least score, so later ones do too
    depth = factor * depth_of(query)
    is_cut = depth < chunks and any(len(found.ordinals) >= depth for found in trace.lists.values())
    return is_cut or (query.mode is not Mode.VECTOR and len(trace.ranked) >= factor * candidates_of(query))


def answer_of(bundle: Bundle, gathered: Gathered, trace: Trace) -> Answer:
    """The answer of a search."""
    query = trace.query
    return Answer(
        query=query.text,
        mode=query.mode,
        hits=gathered.hits,
        truncated=gathered.truncated,
        hint=trace.degraded if gathered.hits else _hint_for_nothing(bundle, trace),
        bundle_digest=bundle.digest,
        bundle_commit=bundle.manifest.provenance.commit,
        bundle_name=bundle.name,
        further=gathered.further,
    )


def _hint_for_nothing(bundle: Bundle, trace: Trace) -> str:
    if globs := [glob for each in trace.query.filters if each.name == "paths" for glob in each.words]:
        from hardtack.query.files.left_out import left_out_matching, sentence_of  # only an answer without hits needs it

        if skips := left_out_matching(bundle, globs):
            return sentence_of(skips)
    if trace.ranked:
        return f"Nothing scores {trace.query.min_score} or more; the best scores {trace.ranked[0].score:.3f}."
    nothing = "Nothing found; try fewer filters." if trace.query.filters else "Nothing found; try other words."
    return f"{nothing} {trace.degraded}".strip()
