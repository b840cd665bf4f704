"""A place in a bundle in, the chunks that are most like what stands there out: copies, twins, other ways of doing the same.

Two things speak for likeness: the cosine of the stored vectors, made of paths, names and documentation as much as of code, and how
much of what a chunk's rarer words are worth (BM25) another has of them, 1 for all. The mean of both is the score; a copy's is 1.
Nothing is encoded: what is stored of the place is the query, so this needs no encoder. A bundle without vectors, or without text,
answers by what it has.

Measured on 1,692 functions of 32 repositories that other files define under the same name (``benchmarks/similar_functions.py``):
0.659 of those places are among the first ten hits and the first has a mean reciprocal rank of 0.568; in order of the vectors alone
that is 0.570 and 0.489, of the words alone 0.637 and 0.560.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

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
from hardtack.text.terms import STOP_WORDS, terms_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DEPTH: Final = 200
"""Chunks that are looked at of each sort of likeness, at least."""
_PER_HIT, _SPARE = 4, 32
"""Chunks that are ranked out for each hit, and besides: some say what another says."""
_WORDS: Final = 64
"""Of a place, those that tell most."""

COPY: Final = "the same text"
"""The reason of a hit that is a copy of what was asked for."""


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
    """The chunks that are most like the chunk at a line, or like those of a range of lines together.

    Args:
        bundle: has vectors or text.
        path: of the file, as :class:`Tree` takes it.
        line: in the chunk that is asked for; of a function that was split, all of its chunks are what is asked for.
        end_line: the last line of a range; None for the line alone.
        limit: hits at most; never more than 100.
        min_score: the least likeness, 0 to 1.
        exclude_same_file: leave out what is in the same file.
        checkout: says of each hit whether it is still current there.

    Raises:
        UsageError: LIMIT_INVALID, RANGE_INVALID, what :meth:`Tree.file` says of paths, or EMBEDDING_UNAVAILABLE: the bundle
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
        smart_context=False,  # what was compared is what is shown
    )
    return _answer(bundle, query, _nearest(bundle, own, excluded, _PER_HIT * query.limit + _SPARE), checkout)


def _answer(bundle: Bundle, query: Query, candidates: list[Candidate], checkout: Path | None) -> Answer:
    sufficing = [each for each in candidates if round(each.score, 6) >= query.min_score]
    found = gather_candidates(SnippetCutter(bundle), query, sufficing, no_reasons, (), checkout)
    return Answer(
        query=query.text,
        mode=query.mode,
        hits=found.hits,
        truncated=found.truncated,
        hint="" if found.hits else _hint(candidates, query.min_score),
        bundle_digest=bundle.digest,
        bundle_commit=bundle.manifest.provenance.commit,
        bundle_name=bundle.name,
    )


def _chunks_at(bundle: Bundle, file: FileRecord, first: int, last: int) -> range:
    """The chunks that have any of these lines, those of a function that was split together; of a blank line the one after it."""
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
    """The ``count`` chunks most like ``own``, best first; of a function that was split only the one that is most like it."""
    likeness = _likeness(bundle, own, max(_DEPTH, count) + len(excluded))
    ordinals = frozenset[int]().union(*likeness.values()).difference(excluded)
    means = {ordinal: sum(alike.get(ordinal, 0.0) for alike in likeness.values()) / len(likeness) for ordinal in ordinals}
    asked = {bundle.chunk(ordinal).content_hash for ordinal in own}
    best: dict[int, Candidate] = {}
    for ordinal in sorted(ordinals, key=lambda ordinal: (-means[ordinal], ordinal))[:count]:
        chunk = bundle.chunk(ordinal)
        is_copy = chunk.content_hash in asked
        candidate = Candidate(
            ordinal,
            score=1.0 if is_copy else means[ordinal],
            lexical=likeness.get(LEXICAL, {}).get(ordinal),
            dense=likeness.get(DENSE, {}).get(ordinal),
            symbol=_symbol_of(bundle, chunk),
            reasons=(COPY,) if is_copy else (),
        )
        best.setdefault(ordinal - chunk.part + 1, candidate)
    return sorted(best.values(), key=lambda candidate: -candidate.score)


def _likeness(bundle: Bundle, own: range, depth: int) -> Mapping[str, Mapping[int, float]]:
    """How like ``own`` the likest chunks are, 0 to 1: by their words and by their vectors, as far as the bundle has those."""
    likeness: dict[str, Mapping[int, float]] = {}
    if bundle.has_text and (by_words := _by_words(bundle, own, depth)):
        likeness[LEXICAL] = by_words
    if bundle.has_vectors and (by_vectors := _by_vectors(bundle, own, depth, likeness.get(LEXICAL, ()))):
        likeness[DENSE] = by_vectors
    return likeness


def _by_words(bundle: Bundle, own: range, depth: int) -> Mapping[int, float]:
    """The share that chunks have of what the words of ``own`` are worth."""
    first, last = bundle.chunk(own[0]), bundle.chunk(own[-1])
    text = bundle.text_of(bundle.file(first.file), first.start, last.end).decode("utf-8", "replace")
    counts = Counter(term for term in terms_of(text) if len(term) > 1 and term not in STOP_WORDS)
    chunks = bundle.manifest.counts.chunks
    rarities = (math.log1p((chunks - with_it + 0.5) / (with_it + 0.5)) for with_it in bundle.lexical.chunks_with([*counts]))
    weights = {term: 1.0 + math.log(count) for term, count in counts.items()}
    worth = {term: weights[term] * rarity for term, rarity in zip(counts, rarities, strict=True)}
    telling = sorted(worth, key=lambda term: (-worth[term], term))[:_WORDS]
    found, scores = bundle.lexical.search({"body": [(term, weights[term]) for term in telling]}, depth, Filter())
    alike = dict(zip(found, scores, strict=True))
    whole = max((alike[ordinal] for ordinal in own if ordinal in alike), default=max(scores, default=1.0))
    return {ordinal: min(score / whole, 1.0) for ordinal, score in alike.items()}


def _by_vectors(bundle: Bundle, own: range, depth: int, besides: Collection[int]) -> Mapping[int, float]:
    """The cosines of the nearest chunks, and of some besides, with the mean of the vectors of ``own``."""
    import numpy as np

    together: NDArray[np.float64] = np.array([bundle.vectors.vector(ordinal) for ordinal in own], dtype=np.float64).sum(axis=0)
    length = float(np.linalg.norm(together))
    if not length:
        return {}
    vector = (together / length).astype(np.float32)
    nearest, cosines = bundle.vectors.search(vector, min(depth, bundle.manifest.counts.chunks))
    alike = dict(zip(nearest.tolist(), cosines.tolist(), strict=True))
    others = [ordinal for ordinal in besides if ordinal not in alike]
    alike |= zip(others, bundle.vectors.scores(vector, others).tolist(), strict=True)
    return {ordinal: min(max(cosine, 0.0), 1.0) for ordinal, cosine in alike.items()}


def _symbol_of(bundle: Bundle, chunk: ChunkRecord) -> int:
    """What a chunk is about: the first type or function that starts in it, or any symbol, or the one it is inside of."""
    symbols = range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)
    telling = (each for each in symbols if bundle.symbol_name(each).kind in TYPES | CALLABLES)
    return next(telling, chunk.first_symbol if chunk.symbol_count else chunk.enclosing)


def _hint(candidates: list[Candidate], min_score: float) -> str:
    if candidates:
        return f"Nothing is as similar as {min_score}; the most similar has {candidates[0].score:.3f}."
    return "Nothing else is in this bundle."
