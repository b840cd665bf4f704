"""A place in a bundle in, the chunks that are most similar to it out: copies, near-duplicates, other ways to do the same.

The score is the mean of two similarities, each 0 to 1: the cosine of the stored vectors, and the share of the BM25 score of the
place's rarest words that another chunk has. A copy scores 1. The stored vectors and text of the place are the query, so no encoder
is needed. A bundle without vectors, or without text, is searched by what it has.

Measured on 1,692 functions of 32 repositories that other files define under the same name (``benchmarks/similar_functions.py``):
0.659 of those places are among the first ten hits and the first has a mean reciprocal rank of 0.568; by the vectors alone it is
0.570 and 0.489, by the words alone 0.637 and 0.560.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.engines.lexical import Filter
from hardtack.bundle.format.records import ChunkRecord, FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.nouns.model import CALLABLES, TYPES, Answer, Candidate, Mode, Query
from hardtack.query.files.tree import Tree
from hardtack.query.hits.gather import gather_candidates, no_reasons
from hardtack.query.hits.snippet import SnippetCutter
from hardtack.query.request.parse import MAX_LIMIT, check_limit, check_score, no_vectors
from hardtack.query.retrieval.retrieve import DENSE, LEXICAL
from hardtack.text import STOP_WORDS, terms_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DEPTH: Final = 200
"""Chunks that are compared by each similarity, at least."""
_PER_HIT, _SPARE = 4, 32
"""Chunks that are ranked for each hit, and in addition: some are near-duplicates of others."""
_WORDS: Final = 64
"""Words of the place that are searched for at most: those of the greatest weight."""

_COMPARED: Final = 1 << 20
"""Bytes of the place whose words are looked at: as much as a file has that is not unusually long."""

COPY: Final = "the same text"
"""The reason of a hit that is a copy of the place."""


def similar(
    bundle: Bundle,
    path: str,
    line: int,
    end_line: int | None = None,
    *,
    limit: int = 10,
    min_score: float = 0.0,
    exclude_same_file: bool = False,
    checkout: Path | None = None,
) -> Answer:
    """Find the chunks most similar to the chunk at a line, or to the chunks of a range of lines.

    Args:
        bundle: has vectors or text.
        path: of the file, as :class:`Tree` takes it.
        line: in the chunk, or the first of a range. All chunks of a function that was split count as one place.
        end_line: the last line of a range; None for one line.
        limit: hits at most; never more than 100.
        min_score: the least score, 0 to 1.
        exclude_same_file: leave out chunks of the same file.
        checkout: of the same repository; each hit then says whether it is current there.

    Raises:
        UsageError: LIMIT_INVALID; RANGE_INVALID; the errors of :meth:`Tree.file` for paths; EMBEDDING_UNAVAILABLE if the bundle
            has neither vectors nor text.
        NotFound: FILE_NOT_FOUND.
    """
    check_limit(limit)
    check_score(min_score)
    file = Tree(bundle).file(path)
    own = _chunks_at(bundle, file, line, line if end_line is None else end_line)
    if not (bundle.has_vectors or bundle.has_text):
        raise no_vectors(bundle)
    excluded = range(file.first_chunk, file.first_chunk + file.chunk_count) if exclude_same_file else own
    query = Query(
        text=f"{file.path}:{line}" + (f"-{end_line}" if end_line else ""),
        mode=(Mode.HYBRID if bundle.has_text else Mode.VECTOR) if bundle.has_vectors else Mode.KEYWORD,
        limit=min(limit, MAX_LIMIT),
        min_score=min_score,
        smart_context=False,  # shows the compared chunk
    )
    is_long = bundle.has_text and bundle.chunk(own[-1]).end - bundle.chunk(own[0]).start > _COMPARED
    note = f"Of so long a place, the words of the first {_COMPARED} bytes were compared." if is_long else ""
    return _answer(bundle, query, _nearest(bundle, own, excluded, _PER_HIT * query.limit + _SPARE), checkout, note)


def _answer(bundle: Bundle, query: Query, candidates: list[Candidate], checkout: Path | None, note: str) -> Answer:
    filtered = [each for each in candidates if round(each.score, 6) >= query.min_score]
    found = gather_candidates(SnippetCutter(bundle), query, filtered, no_reasons, (), checkout)
    return Answer(
        query=query.text,
        mode=query.mode,
        hits=found.hits,
        truncated=found.truncated,
        hint=" ".join(filter(None, (note, "" if found.hits else _hint(candidates, query.min_score)))),
        bundle_digest=bundle.digest,
        bundle_commit=bundle.manifest.provenance.commit,
        bundle_name=bundle.name,
    )


def _chunks_at(bundle: Bundle, file: FileRecord, first: int, last: int) -> range:
    """The chunks with any of these lines, extended to all parts of a split function; for a blank line the chunk after it."""
    if not 1 <= first <= last or first > max(file.line_count, 1):
        wanted = f"line {first}" if first == last else f"lines {first} to {last}"
        raise UsageError(
            f"{file.path} has no {wanted}.",
            code="RANGE_INVALID",
            hint=f"It has {file.line_count} lines.",
            details={"path": file.path},
        )
    ordinals = range(file.first_chunk, file.first_chunk + file.chunk_count)
    begin = next((each for each in ordinals if bundle.chunk(each).end_line >= first), ordinals.stop - 1)
    end = begin
    while end + 1 < ordinals.stop and bundle.chunk(end + 1).start_line <= last:
        end += 1
    if not ordinals:
        raise UsageError(f"{file.path} has no text to compare.", code="RANGE_INVALID", details={"path": file.path})
    begin -= bundle.chunk(begin).part - 1
    end += bundle.chunk(end).parts - bundle.chunk(end).part
    return range(begin, end + 1)


def _nearest(bundle: Bundle, own: range, excluded: range, count: int) -> list[Candidate]:
    """The ``count`` chunks most similar to ``own``, best first; of a split function only its most similar part."""
    similarities = _similarities(bundle, own, max(_DEPTH, count) + len(excluded))
    ordinals = frozenset[int]().union(*similarities.values()).difference(excluded)
    means = {ordinal: sum(scores.get(ordinal, 0.0) for scores in similarities.values()) / len(similarities) for ordinal in ordinals}
    own_hashes = {bundle.chunk(ordinal).content_hash for ordinal in own}
    best: dict[int, Candidate] = {}
    for ordinal in sorted(ordinals, key=lambda ordinal: (-means[ordinal], ordinal))[:count]:
        chunk = bundle.chunk(ordinal)
        is_copy = chunk.content_hash in own_hashes
        candidate = Candidate(
            ordinal,
            score=1.0 if is_copy else means[ordinal],
            lexical=similarities.get(LEXICAL, {}).get(ordinal),
            dense=similarities.get(DENSE, {}).get(ordinal),
            symbol=_symbol_of(bundle, chunk),
            reasons=(COPY,) if is_copy else (),
        )
        best.setdefault(ordinal - chunk.part + 1, candidate)
    return sorted(best.values(), key=lambda candidate: -candidate.score)


def _similarities(bundle: Bundle, own: range, depth: int) -> Mapping[str, Mapping[int, float]]:
    """The similarity of the most similar chunks to ``own``, 0 to 1: by words and by vectors, as far as the bundle has those."""
    similarities: dict[str, Mapping[int, float]] = {}
    if bundle.has_text and (by_words := _by_words(bundle, own, depth)):
        similarities[LEXICAL] = by_words
    if bundle.has_vectors and (by_vectors := _by_vectors(bundle, own, depth, similarities.get(LEXICAL, ()))):
        similarities[DENSE] = by_vectors
    return similarities


def _by_words(bundle: Bundle, own: range, depth: int) -> Mapping[int, float]:
    """The BM25 score of chunks for the words of ``own``, as a share of the score of ``own`` itself."""
    first, last = bundle.chunk(own[0]), bundle.chunk(own[-1])
    end = max(min(last.end, first.start + _COMPARED), first.start)
    text = bundle.text_of(bundle.file(first.file), first.start, end).decode("utf-8", "replace")
    counts = Counter(term for term in terms_of(text) if len(term) > 1 and term not in STOP_WORDS)
    chunks = bundle.manifest.counts.chunks
    rarities = (math.log1p((chunks - with_it + 0.5) / (with_it + 0.5)) for with_it in bundle.lexical.chunks_with([*counts]))
    weights = {term: 1.0 + math.log(count) for term, count in counts.items()}
    totals = {term: weights[term] * rarity for term, rarity in zip(counts, rarities, strict=True)}
    best = sorted(totals, key=lambda term: (-totals[term], term))[:_WORDS]
    found, scores = bundle.lexical.search({"body": [(term, weights[term]) for term in best]}, depth, Filter())
    by_chunk = dict(zip(found, scores, strict=True))
    whole = max((by_chunk[ordinal] for ordinal in own if ordinal in by_chunk), default=max(scores, default=1.0))
    return {ordinal: min(score / whole, 1.0) for ordinal, score in by_chunk.items()}


def _by_vectors(bundle: Bundle, own: range, depth: int, others: Collection[int]) -> Mapping[int, float]:
    """The cosine of the nearest chunks, and of ``others``, to the mean of the vectors of ``own``."""
    together: NDArray[np.float64] = np.zeros(bundle.vectors.dimension)
    for ordinal in own:
        together += bundle.vectors.vector(ordinal)
    length = float(np.linalg.norm(together))
    if not length:
        return {}
    vector = (together / length).astype(np.float32)
    nearest, cosines = bundle.vectors.search(vector, min(depth, bundle.manifest.counts.chunks))
    by_chunk = dict(zip(nearest.tolist(), cosines.tolist(), strict=True))
    missing = [ordinal for ordinal in others if ordinal not in by_chunk]
    by_chunk |= zip(missing, bundle.vectors.scores(vector, missing).tolist(), strict=True)
    return {ordinal: min(max(cosine, 0.0), 1.0) for ordinal, cosine in by_chunk.items()}


def _symbol_of(bundle: Bundle, chunk: ChunkRecord) -> int:
    """The main symbol of a chunk: the first type or function that starts in it, else any symbol, else the one around it."""
    symbols = range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)
    main = (each for each in symbols if bundle.symbol_name(each).kind in TYPES | CALLABLES)
    return next(main, chunk.first_symbol if chunk.symbol_count else chunk.enclosing)


def _hint(candidates: list[Candidate], min_score: float) -> str:
    if candidates:
        return f"Nothing is as similar as {min_score}; the most similar has {candidates[0].score:.3f}."
    return "Nothing else is in this bundle."
