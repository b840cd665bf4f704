"""A pool of chunks in, candidates out, best first, each with reasons: files by what was learned, chunks within their files.

What a person looks for is mostly one file, and in it one place. So files are scored first (:mod:`hardtack.query.ranking.features`
says what speaks for each, :mod:`hardtack.query.ranking.model` what that counts for), then the chunks of a file stand in line behind
its best. One rule stands above what is learned: a chunk that defines exactly what was typed comes before one that defines it in
other case, and both come before all that merely mention it (:mod:`hardtack.query.ranking.exact_names`): the name of a thing leads
to the thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Candidate, NameMatch
from hardtack.query.ranking.exact_names import SAME_NAME_FOLDED, Definition, definitions
from hardtack.query.ranking.features import FEATURES, FeatureMaker, FileTable
from hardtack.query.ranking.model import RankingModel
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.selection import Selection
from hardtack.query.retrieval.fuse import Pool
from hardtack.query.retrieval.sorted_sets import distinct, grouped, located

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

# How a file's chunks stand in line: by what the retrievers say of each, and whether it holds the symbol that is named best.
# Set by hand; only their order within a file depends on the first three.
LEXICAL_SHARE: Final = 1.0
DENSE_SHARE: Final = 0.5
NAMED_SHARE: Final = 1.0
NEXT_CHUNK_PENALTY: Final = 1.5
"""How far in score each further chunk of a file stands behind the one before it, and more where it is weaker."""

_APART: Final = 4.0
"""More than all that can speak for a chunk within its file together."""

_REASONS: Final = 3
"""Features at most that a hit's reasons name."""
_LEAST_SAID: Final = 0.2
"""What a feature must add to be named."""

_SAID: Final = [name.replace("_", " ") for name in FEATURES]
_SYMBOL_MATCH: Final = FEATURES.index("symbol_match")


class Ranking:
    """The candidates, best first, and the table they were ranked by: what explaining a ranking asks."""

    def __init__(self, candidates: list[Candidate], table: FileTable, model: RankingModel) -> None:
        """Take candidates that say what they define or are named like; :meth:`reasons_of` has the rest."""
        self.candidates = candidates
        self.table = table
        self.model = model

    @cached_property
    def added(self) -> Floats:
        """(files, features), what each feature added to each file's score."""
        return self.model.contributions(self.table.values)

    def reasons_of(self, file: int) -> tuple[str, ...]:
        """The features that speak most for a file, in words, with what each adds; none for a file that was not scored."""
        row = self.table.row_of(file)
        if row < 0:
            return ()
        added = self.model.contributions(self.table.values[row]).tolist()
        told = sorted((-gain, feature) for feature, gain in enumerate(added) if gain >= _LEAST_SAID)
        return tuple(f"{_SAID[feature]} +{-less:.1f}" for less, feature in told[:_REASONS])


class _BestNamed(NamedTuple):
    """The chunks that hold the symbol which is named best of its file, ascending; all columns are (n,)."""

    chunks: Ordinals
    symbols: Ordinals
    nearness: Floats
    """How near the name of each is to the query."""


class _ChunkTable(NamedTuple):
    """The chunks that stand in line, ascending; all columns are (n,)."""

    chunks: Ordinals
    files: Ordinals
    rows: Ordinals
    """Of their files in the table; -1 for a file that is not there."""
    places: Ordinals
    """Their own in the pool; -1 for a chunk that no retriever found."""
    symbols: Ordinals
    """What they are named like; -1 for nothing."""


def rank(
    maker: FeatureMaker,
    model: RankingModel,
    analysis: TextAnalysis,
    pool: Pool,
    selection: Selection,
    count: int,
    times: int = 1,
) -> Ranking:
    """The ``count`` best chunks.

    Args:
        maker: of the bundle's features.
        model: what they count for.
        analysis: of the query.
        pool: what the retrievers found.
        selection: what may answer.
        count: candidates at most.
        times: how many times the usual number of files may answer.
    """
    bundle, table = maker.bundle, maker.table(analysis, pool, selection.files, times)
    scores = model.scores(table.values)
    defined = {chunk: each for chunk, each in definitions(bundle, analysis).items() if selection.passes(chunk)}
    named = _named(bundle, table, selection)
    chunk_table = _chunk_table(maker, pool, table, named, np.array(sorted(defined), dtype=np.int64))
    of_files = _padded(scores, scores.min(initial=0.0))[chunk_table.rows]
    chances = model.chances(of_files - _penalties(chunk_table, named, pool), scores)
    finals = SAME_NAME_FOLDED * chances
    for chunk, definition in defined.items():
        place = chunk_table.chunks.searchsorted(chunk)
        finals[place] = definition.score(chances.item(place))
    order = (-finals).argsort(kind="stable")[:count]
    return Ranking(_candidates(pool, chunk_table, defined, finals, order), table, model)


def _candidates(
    pool: Pool, chunk_table: _ChunkTable, defined: Mapping[int, Definition], finals: Floats, order: Ordinals
) -> list[Candidate]:
    """The chunks at these places of the chunk_table, each with its final score and what its name has to do with the query."""
    candidates = []
    chunks, symbols, scores = (column[order].tolist() for column in (chunk_table.chunks, chunk_table.symbols, finals))
    for chunk, symbol, score, evidence in zip(chunks, symbols, scores, pool.evidence(chunk_table.places[order]), strict=True):
        match = NameMatch("is named like", symbol) if symbol >= 0 else None
        if chunk in defined:
            match = NameMatch(defined[chunk].how, defined[chunk].symbol)
        candidates.append(Candidate(chunk, score, match.symbol if match else -1, *evidence, name_match=match))
    return candidates


def _named(bundle: Bundle, table: FileTable, selection: Selection) -> _BestNamed:
    has_symbol = table.best_symbols >= 0
    symbols, nearness = table.best_symbols[has_symbol], table.values[has_symbol, _SYMBOL_MATCH]
    chunks = bundle.columns.chunks_of(symbols)
    passes = chunks >= 0
    if not selection.is_everything:
        passes[passes] = [selection.passes(chunk) for chunk in chunks[passes].tolist()]
    return _BestNamed(chunks[passes], symbols[passes], nearness[passes])


def _chunk_table(maker: FeatureMaker, pool: Pool, table: FileTable, named: _BestNamed, defining: Ordinals) -> _ChunkTable:
    """The chunks of the pool and those that are named best, as far as their files were scored, and all that are defining."""
    chunks = distinct(pool.ordinals, named.chunks, defining)
    files = maker.files_of_chunks(chunks)
    rows, is_scored = located(files, table.files)
    rows[~is_scored] = -1
    is_scored[chunks.searchsorted(defining)] = True
    chunks, files, rows = chunks[is_scored], files[is_scored], rows[is_scored]
    places, symbols = np.full((2, len(chunks)), -1)
    found, is_there = located(pool.ordinals, chunks)
    places[found[is_there]] = is_there.nonzero()[0]
    symbols[chunks.searchsorted(named.chunks)] = named.symbols
    return _ChunkTable(chunks, files, rows, places, symbols)


def _penalties(chunk_table: _ChunkTable, named: _BestNamed, pool: Pool) -> Floats:
    """How far each chunk stands behind the best of its file."""
    lexical = LEXICAL_SHARE * pool.lexical / (pool.lexical.max(initial=0.0) or 1.0)
    dense = DENSE_SHARE * pool.dense / (pool.dense.max(initial=0.0) or 1.0)
    strengths = _padded(lexical + dense, 0.0)[chunk_table.places]
    strengths[chunk_table.chunks.searchsorted(named.chunks)] += NAMED_SHARE * named.nearness
    order = (_APART * chunk_table.files - strengths).argsort(kind="stable")
    strengths = strengths[order]
    first, of_file = grouped(chunk_table.files)  # in that order files begin where they did
    number = np.arange(len(order)) - first[of_file]
    steps = np.empty(len(order))
    steps[order] = NEXT_CHUNK_PENALTY * number + strengths[first][of_file] - strengths
    return steps


def _padded(numbers: Floats, last: float) -> Floats:
    """The numbers and one more, which stands at place -1."""
    padded = np.empty(len(numbers) + 1)
    padded[:-1] = numbers
    padded[-1] = last
    return padded
