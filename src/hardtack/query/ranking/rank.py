"""A pool of chunks in, candidates out, best first.

A query mostly looks for one file, and for one place in it. So files are scored first, by learned weights
(:mod:`hardtack.query.ranking.model`) of their features (:mod:`hardtack.query.ranking.features`); each chunk then gets the score of
its file less a penalty, which is 0 for the best chunk of the file. One rule overrides the model: a chunk that defines exactly the
typed name comes before one that defines it in other case, and both come before all others
(:mod:`hardtack.query.ranking.exact_names`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Candidate, NameMatch
from hardtack.query.ranking.exact_names import SAME_NAME_FOLDED, Definition, definitions
from hardtack.query.ranking.features import FeatureMaker, FileTable
from hardtack.query.ranking.model import RankingModel
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.aspects import Reading
from hardtack.query.request.selection import Selection
from hardtack.query.retrieval.fuse import Pool
from hardtack.query.retrieval.sorted_sets import distinct, grouped
from hardtack.text import is_unspaced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

# Weights of what orders the chunks of one file: the retrievers' scores, and holding the symbol with the best name. Set by hand.
LEXICAL_SHARE: Final = 1.0
DENSE_SHARE: Final = 0.5
NAMED_SHARE: Final = 1.0
MENTIONED_SHARE: Final = 0.5
"""Of a symbol that an issue mentions, by its worth (:meth:`hardtack.query.ranking.mentions.Mentions.symbols`)."""
NEXT_CHUNK_PENALTY: Final = 1.5
"""Penalty of the second chunk of a file; each further one has as much more. What it is weaker than the best is added."""
NEXT_CHUNK_OF_ISSUE_PENALTY: Final = 0.2
"""The same for an issue: its file is found more surely than the place in it, so several places of few files are shown."""

_FILE_GAP: Final = 4.0
"""More than the sum of the four shares above: keeps the chunks of different files apart when all are sorted by one number."""

TORN_PENALTY: Final = 6.0
"""Penalty of a chunk with no word of a query that is written without spaces. The terms of such a word are pairs of characters, and
the weights were learned from words: a chunk that only has some of the pairs would win by what else speaks for its file."""

_REASONS: Final = 3
"""Features that a hit's reasons name at most."""
_LEAST_GAIN: Final = 0.2
"""A feature must add as much to the score to be named."""


class Ranking:
    """The candidates, best first, and the table and model that ranked them, which ``explain`` reads."""

    def __init__(self, candidates: list[Candidate], table: FileTable, model: RankingModel) -> None:
        """Take candidates with their name matches; the other reasons are made by :meth:`reasons_of`."""
        self.candidates = candidates
        self.table = table
        self.model = model

    @cached_property
    def added(self) -> Floats:
        """(files, features), what each feature added to each file's score."""
        return self.model.contributions(self.table.values)

    def reasons_of(self, file: int) -> tuple[str, ...]:
        """The features that add most to a file's score, in words, with what each adds; none for a file that was not scored."""
        row = self.table.row_of(file)
        if row < 0:
            return ()
        values = self.table.values[row]
        added = self.model.contributions(values).tolist()
        gains = sorted((-gain, feature) for feature, gain in enumerate(added) if gain >= _LEAST_GAIN)
        names = self.table.features
        return tuple(f"{_in_words(names[each], values.item(each))} +{added[each]:.1f}" for _, each in gains[:_REASONS])


def _in_words(feature: str, value: float) -> str:
    """A feature as a reason names it. A property that a file does not have, and that would count against it, is told as lacking."""
    words = feature.replace("_", " ")
    if value:
        return words
    return {"other language": "main language"}.get(words, f"no {words.removeprefix('is ')}" if words.startswith("is ") else words)


class _BestNamed(NamedTuple):
    """The chunks that hold the symbol of their file with the name nearest to the query, ascending; all columns are (n,)."""

    chunks: Ordinals
    symbols: Ordinals
    nearness: Floats
    """Of each symbol's name to the query, 0 to 1."""


class _Mentioned(NamedTuple):
    """The chunks of symbols that an issue mentions, ascending; both columns are (n,)."""

    chunks: Ordinals
    worth: Floats
    """How much the mention is worth, 0 to 1."""


class _ChunkTable(NamedTuple):
    """The chunks to rank, ascending; all columns are (n,)."""

    ordinals: Ordinals
    files: Ordinals
    rows: Ordinals
    """Row of the chunk's file in the :class:`FileTable`; -1 for a file without one."""
    places: Ordinals
    """Position of the chunk in the pool; -1 for a chunk that no retriever found."""
    symbols: Ordinals
    """The symbol in the chunk with the name nearest to the query; -1 for none."""


def rank(
    maker: FeatureMaker,
    model: RankingModel,
    reading: Reading,
    pools: Sequence[Pool],
    pool: Pool,
    selection: Selection,
    count: int,
    times: int = 1,
) -> Ranking:
    """The ``count`` best chunks.

    Args:
        maker: makes the features of the bundle's files.
        model: weights the features.
        reading: of the query.
        pools: the chunks that the retrievers found for each aspect of the query.
        pool: all of them.
        selection: the chunks that pass the filters.
        count: candidates at most.
        times: factor for the greatest number of files.
    """
    bundle, analysis = maker.bundle, reading.analysis
    table = maker.table(reading, pools, selection.files, times)
    scores = model.scores(table.values)
    defined = {chunk: each for chunk, each in definitions(bundle, analysis).items() if selection.passes(chunk)}
    named = _best_named(bundle, table, selection)
    mentioned = _mentioned(maker, reading, selection)
    chunks = _chunk_table(maker, pool, table, named, mentioned, np.array(sorted(defined), dtype=np.int64))
    of_files = _padded(scores, scores.min(initial=0.0))[chunks.rows]
    each_next = NEXT_CHUNK_OF_ISSUE_PENALTY if reading.issue else NEXT_CHUNK_PENALTY
    penalties = _penalties(chunks, _strengths(chunks, named, mentioned, pools), each_next)
    penalties += TORN_PENALTY * _torn_shares(bundle, analysis, chunks, table)
    chances = model.chances(of_files - penalties, scores)
    finals = SAME_NAME_FOLDED * chances
    for chunk, definition in defined.items():
        place = chunks.ordinals.searchsorted(chunk)
        finals[place] = definition.score(chances.item(place))
    order = (-finals).argsort(kind="stable")[:count]
    return Ranking(_candidates(pool, chunks, defined, finals, order), table, model)


def _candidates(
    pool: Pool, chunks: _ChunkTable, defined: Mapping[int, Definition], finals: Floats, order: Ordinals
) -> list[Candidate]:
    """The chunks in this order, each with its final score and the symbol whose name matches the query."""
    candidates = []
    ordinals, symbols, scores = (column[order].tolist() for column in (chunks.ordinals, chunks.symbols, finals))
    for chunk, symbol, score, evidence in zip(ordinals, symbols, scores, pool.evidence(chunks.places[order]), strict=True):
        match = NameMatch("is named like", symbol) if symbol >= 0 else None
        if chunk in defined:
            match = NameMatch(defined[chunk].how, defined[chunk].symbol)
        candidates.append(Candidate(chunk, score, match.symbol if match else -1, *evidence, name_match=match))
    return candidates


def _best_named(bundle: Bundle, table: FileTable, selection: Selection) -> _BestNamed:
    has_symbol = table.best_symbols >= 0
    symbols, nearness = table.best_symbols[has_symbol], table.nearness[has_symbol]
    chunks = bundle.columns.chunks_of(symbols)
    passes = chunks >= 0
    if not selection.is_everything:
        passes[passes] = [selection.passes(chunk) for chunk in chunks[passes].tolist()]
    return _BestNamed(chunks[passes], symbols[passes], nearness[passes])


def _mentioned(maker: FeatureMaker, reading: Reading, selection: Selection) -> _Mentioned:
    chunks, worth = maker.mentioned_chunks(reading)
    if selection.is_everything:
        return _Mentioned(chunks, worth)
    passes = np.array([selection.passes(chunk) for chunk in chunks.tolist()], dtype=np.bool_)
    return _Mentioned(chunks[passes], worth[passes])


def _chunk_table(
    maker: FeatureMaker, pool: Pool, table: FileTable, named: _BestNamed, mentioned: _Mentioned, defining: Ordinals
) -> _ChunkTable:
    """The chunks to rank: of the pool, ``named`` and ``mentioned`` those whose files were scored, and all of ``defining``."""
    chunks = distinct(pool.ordinals, named.chunks, mentioned.chunks, defining)
    files = maker.files_of_chunks(chunks)
    rows = _positions(files, table.files)
    is_ranked = rows >= 0
    is_ranked[chunks.searchsorted(defining)] = True
    chunks, files, rows = chunks[is_ranked], files[is_ranked], rows[is_ranked]
    symbols = np.full(len(chunks), -1)
    symbols[chunks.searchsorted(named.chunks)] = named.symbols
    return _ChunkTable(chunks, files, rows, _positions(chunks, pool.ordinals), symbols)


def _strengths(chunks: _ChunkTable, named: _BestNamed, mentioned: _Mentioned, pools: Sequence[Pool]) -> Floats:
    """What speaks for each chunk among those of its file: the retrievers, on average over the query's aspects, and its names."""
    strengths = np.zeros(len(chunks.ordinals))
    for pool in pools:
        lexical = LEXICAL_SHARE * pool.lexical / (pool.lexical.max(initial=0.0) or 1.0)
        dense = DENSE_SHARE * pool.dense / (pool.dense.max(initial=0.0) or 1.0)
        strengths += _padded(lexical + dense, 0.0)[_positions(chunks.ordinals, pool.ordinals)] / len(pools)
    strengths[chunks.ordinals.searchsorted(named.chunks)] += NAMED_SHARE * named.nearness
    places = _positions(mentioned.chunks, chunks.ordinals)
    is_ranked = places >= 0
    strengths[places[is_ranked]] += MENTIONED_SHARE * mentioned.worth[is_ranked]
    return strengths


def _penalties(chunks: _ChunkTable, strengths: Floats, each_next: float) -> Floats:
    """What each chunk's score is less than the score of its file; 0 for the best chunk of a file.

    Args:
        chunks: to rank.
        strengths: (chunks,), what speaks for each.
        each_next: the penalty of each further chunk of a file.
    """
    order = (_FILE_GAP * chunks.files - strengths).argsort(kind="stable")  # by file, and the strongest chunk of each first
    strengths = strengths[order]
    # chunks are ascending, so their files are too: sorting within the files moves no file, and ``first`` holds after it
    _, first, of_file = grouped(chunks.files)
    number = np.arange(len(order)) - first[of_file]
    penalties = np.empty(len(order))
    penalties[order] = each_next * number + strengths[first][of_file] - strengths
    return penalties


def _torn_shares(bundle: Bundle, analysis: TextAnalysis, chunks: _ChunkTable, table: FileTable) -> Floats:
    """The share of the query's words that are written without spaces and that each chunk does not have as a whole."""
    words = analysis.unspaced
    shares = np.zeros(len(chunks.ordinals))
    if not words:
        return shares
    others = sum(not is_unspaced(term) for term in analysis.content_terms)
    for word in words:
        whole = np.array(bundle.lexical.chunks_with_all(word, table.files.tolist()), dtype=np.int64)
        shares += ~np.isin(chunks.ordinals, whole)
    return shares / (len(words) + others)


def _positions(wanted: Ordinals, among: Ordinals) -> Ordinals:
    """The position of each of ``wanted`` in an ascending array; -1 for what it does not hold."""
    if not len(among):
        return np.full(len(wanted), -1)
    places = np.minimum(among.searchsorted(wanted), len(among) - 1)
    return np.where(among[places] == wanted, places, -1)


def _padded(numbers: Floats, last: float) -> Floats:
    """The numbers and ``last``, which index -1 then selects."""
    padded = np.empty(len(numbers) + 1)
    padded[:-1] = numbers
    padded[-1] = last
    return padded
