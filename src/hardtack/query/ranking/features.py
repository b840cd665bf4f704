"""A query and the chunks that were retrieved in, a table of named features out: one row a file that may answer.

Three sorts of evidence meet here: what the retrievers gave a file's chunks, how the words of the query stand in its path, in the
names of what it defines and in its text (:mod:`hardtack.query.ranking.name_match`, :mod:`hardtack.query.ranking.file_bm25`), and
what is known of it beforehand (:mod:`hardtack.query.ranking.priors`). What each counts for is learned
(:mod:`hardtack.query.ranking.model`). Everything is arithmetic on whole columns: one query touches hundreds of files.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.file_bm25 import FileScores, FileTerms, WordPairs, paired_shares, pairs_of
from hardtack.query.ranking.name_match import FOLDER_SHARE, FileNameMatches, NameMatcher, SymbolNameMatches
from hardtack.query.ranking.paths import PathFacts, Paths
from hardtack.query.ranking.priors import PRIORS, Priors
from hardtack.query.ranking.shortlist import Shortlist
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.retrieval.fuse import Pool
from hardtack.query.retrieval.retrieve import DENSE, LEXICAL
from hardtack.query.retrieval.sorted_sets import beginnings, distinct, located
from hardtack.text.terms import whole_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

EVIDENCE: Final = (
    *("lexical_best", "lexical_share", "lexical_three", "dense_best", "dense_share", "dense_three"),
    *("stem_cover", "stem_precision", "stem_is_named", "stem_in_query", "folder_cover", "path_cover"),
    *("name_cover", "type_cover", "identity_cover", "symbol_match", "type_match", "symbol_references"),
    *("defines", "defines_alone", "folder_share", "words_best", "words_share", "words_cover", "any_cover", "pairs_share"),
)
"""Features that depend on the query, in order; :data:`PRIORS` follow them. Models name them in this order, too."""

FEATURES: Final = (*EVIDENCE, *PRIORS)

# Files at most that come in by their best chunks, by what they are called and define, and by all the words in them.
_FROM_CHUNKS: Final = 110
_FROM_NAMES: Final = 40
_FROM_WORDS: Final = 40

_COVERS: Final = (
    *("stem_cover", "folder_cover", "name_cover", "type_cover", "words_cover"),
    *("path_cover", "identity_cover", "any_cover"),
)
"""The features that say how much of the query something of a file covers: what is told of it, then what that comes to together."""

_FOLDER_IDENTITY: Final = 0.8
"""What a word counts for in the name of a folder where it is asked what a file is, and not only what it is called."""

_WORDS_HALF: Final = 10.0
"""The score of a whole file that counts as one half."""

_NOWHERE: Final = np.empty(0, dtype=np.int64)

_SPELT: Final = 1.0
_SPELT_IN_PART: Final = 0.5
"""What it counts for that the query spells the name of a file, or only the part before its first dot."""

_SHORT: Final = 2
"""Characters of names that stand in any query by chance."""


class FileTable(NamedTuple):
    """The files that may answer a query, ascending, and what speaks for each."""

    files: Ordinals
    values: Floats
    """(files, features), in the order of :data:`FEATURES`."""
    best_symbols: Ordinals
    """The symbol of each whose name is nearest to the query; -1 for none. The feature ``symbol_match`` says how near."""

    def row_of(self, file: int) -> int:
        """The row of a file; -1 for one that is not here."""
        row = int(self.files.searchsorted(file))
        return row if row < len(self.files) and self.files[row] == file else -1


class _Words(NamedTuple):
    """The words of a query, and how they stand in all of a bundle."""

    terms: tuple[str, ...]
    weights: Floats
    """(terms,), how much each tells; 1 together."""
    files: FileNameMatches
    symbols: SymbolNameMatches
    bodies: FileScores
    pairs: WordPairs


class FeatureMaker:
    """Makes the tables of one bundle; threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        """Map the columns; nothing is decoded yet."""
        self.bundle = bundle
        self._priors = Priors(bundle)
        self._paths = Paths(bundle)
        self._names = NameMatcher(bundle)
        self._bodies = FileTerms(bundle)
        self._first_chunks = np.asarray(bundle.columns.of_files("first_chunk")).astype(np.int64)

    def files_of_chunks(self, chunks: Ordinals) -> Ordinals:
        """The file of each chunk."""
        return self._first_chunks.searchsorted(chunks, side="right") - 1

    def table(self, analysis: TextAnalysis, pool: Pool, allowed: Sequence[int] | None, times: int = 1) -> FileTable:
        """What speaks for each file that may answer.

        Args:
            analysis: of the query.
            pool: the chunks that the retrievers found.
            allowed: files that may come in by their names and words alone; None for all.
            times: how many times the usual number of files may come in.
        """
        words = self._words(analysis)
        of_pool = self.files_of_chunks(pool.ordinals)
        files = Shortlist(self._candidates(pool, of_pool, words, allowed, times), of=len(self._first_chunks))
        told = self._paths.of(files.files)
        defining = files.places(words.symbols.files)
        best = files.told(defining, words.symbols.best, missing=-1)
        columns = {  # by name, so that a new feature is a name in EVIDENCE and an entry here or in one of these
            **_retrieved(files, pool, of_pool, told),
            **self._covered(files, words, told),
            **self._called(words, analysis, told),
            **self._defined(files, analysis),
            "symbol_match": files.told(defining, words.symbols.nearness),
            "type_match": files.told(defining, words.symbols.type_nearness),
            "symbol_references": self._names.references(best),
        }
        values = np.empty((len(FEATURES), len(files)))
        for place, name in enumerate(EVIDENCE):
            values[place] = columns[name]
        values[len(EVIDENCE) :] = self._priors.rows(files.files, analysis).T
        return FileTable(files=files.files, values=values.T, best_symbols=best)

    def _words(self, analysis: TextAnalysis) -> _Words:
        terms = tuple(term for term in analysis.content_terms if term)
        weights = self._weights(analysis, terms)
        files, symbols = self._names.read(terms, weights)
        stems, tells = [analysis.stems[term] for term in terms], [analysis.weights[term] for term in terms]
        bodies, pairs = self._bodies.read(stems, np.array(tells)), pairs_of(analysis, terms)
        return _Words(terms, weights, files, symbols, bodies, pairs)

    def _weights(self, analysis: TextAnalysis, terms: Sequence[str]) -> Floats:
        """What each term counts for, 1 together: its weight times its inverse document frequency among chunks, as BM25 has it.

        Words that are not found count as rare ones.
        """
        chunks = self.bundle.manifest.counts.chunks
        rare = 0.7 * math.log1p(chunks)
        counts = self.bundle.lexical.chunks_with(terms)
        rarities = [math.log1p((chunks - count + 0.5) / (count + 0.5)) if count else rare for count in counts]
        weights = [analysis.weights[term] * rarity for term, rarity in zip(terms, rarities, strict=True)]
        return np.array(weights) / (sum(weights) or 1.0)

    def _candidates(self, pool: Pool, of_pool: Ordinals, words: _Words, allowed: Sequence[int] | None, times: int) -> Ordinals:
        """The files of the best chunks, and those whose names, or words as a whole, answer best; ascending.

        Args:
            pool: the chunks that the retrievers found.
            of_pool: their files.
            words: of the query.
            allowed: files that may come in without a chunk in the pool; None for all.
            times: how many times the usual number of them.
        """
        first = beginnings(of_pool)
        retrieved = of_pool[first]
        if len(retrieved) > times * _FROM_CHUNKS:
            retrieved = retrieved[_greatest(np.maximum.reduceat(pool.fused, first), times * _FROM_CHUNKS)]
        others = np.concatenate((self._best_named(words, times * _FROM_NAMES), _greatest(words.bodies.whole, times * _FROM_WORDS)))
        if allowed is not None:
            others = others[located(others, np.asarray(allowed, dtype=np.int64))[1]]
        return distinct(retrieved, others)

    def _best_named(self, words: _Words, limit: int) -> Ordinals:
        """The files that are called by the words, or define what is, best or all of them, at most ``limit``."""
        if words.weights.min(initial=1.0) > 0:  # then whatever matches counts for something
            is_named = np.zeros(len(self._first_chunks), dtype=np.bool_)
            for files in (words.files.stems.files, words.files.folders.files, words.symbols.files):
                is_named[files] = True
            named = is_named.nonzero()[0]
            if len(named) <= limit:
                return named
        scores = self._names.covered(words.files, words.weights)
        scores[words.symbols.files] += words.symbols.nearness
        return _greatest(scores, limit)

    def _covered(self, files: Shortlist, words: _Words, told: PathFacts) -> dict[str, Floats]:
        """How much of the query is covered by each file's path, by the names in it, and by its text."""
        weights, whole = words.weights, words.bodies.whole
        found = (words.files.stems, words.files.folders, words.symbols.names, words.symbols.types, words.bodies.matches)
        strengths = files.strongest(found, len(weights), room=len(_COVERS))
        stem, folder, name, _, body = strengths[: len(found)]
        path = np.maximum(stem, FOLDER_SHARE * folder)
        identity = np.maximum(np.maximum(stem, _FOLDER_IDENTITY * folder), name)
        any_ = np.maximum(np.maximum(stem, folder), np.maximum(name, body))
        for place, together in enumerate((path, identity, any_), start=len(found)):
            strengths[place] = together
        scores = whole[files.files]
        return {
            **dict(zip(_COVERS, strengths @ weights, strict=True)),
            "stem_precision": np.minimum(stem.sum(axis=1) / told.lengths, 1.0),
            "words_best": scores / (scores + _WORDS_HALF),
            "words_share": scores / (whole.max(initial=0.0) or 1.0),
            "pairs_share": paired_shares(self.bundle, files.files, body > 0, words.pairs),
        }

    def _called(self, words: _Words, analysis: TextAnalysis, told: PathFacts) -> dict[str, Floats]:
        """Whether the query spells each file's name, or has it in it."""
        joined = "".join(words.terms)
        wanted = {whole_name(_last(each)).replace("_", "") for each in (*analysis.names, *words.terms)}
        is_named, in_query = np.zeros(len(told.bases)), np.zeros(len(told.bases))
        for place, base in enumerate(told.bases):
            if base in wanted:
                is_named[place] = _SPELT if told.is_whole[place] else _SPELT_IN_PART
            if base in joined and len(base) > _SHORT:
                in_query[place] = len(base) / len(joined)
        return {"stem_is_named": is_named, "stem_in_query": in_query}

    def _defined(self, files: Shortlist, analysis: TextAnalysis) -> dict[str, Floats]:
        """Which files define a name that the query spells out, and how few others do."""
        defines, alone = np.zeros(len(files)), np.zeros(len(files))
        for name in dict.fromkeys(whole_name(_last(each)) for each in analysis.names if " " not in each):
            definers, weights = self._names.definers(name)
            if len(definers):
                of_files = files.told(files.places(definers), weights)
                np.maximum(defines, of_files, out=defines)
                alone += (of_files > 0) / len(definers)
        return {"defines": defines, "defines_alone": alone}


def _retrieved(files: Shortlist, pool: Pool, of_pool: Ordinals, told: PathFacts) -> dict[str, Floats]:
    """What the retrievers gave the chunks of each file, and of its folder; ``of_pool`` are the files of the pool's chunks."""
    scores = {LEXICAL: pool.lexical, DENSE: pool.dense}
    places = [pool.lists.get(retriever, _NOWHERE) for retriever in scores]
    best, three = files.best_and_three([(of_pool[at], given[at]) for at, given in zip(places, scores.values(), strict=True)])
    columns: dict[str, Floats] = {}
    for row, retriever in enumerate(scores):
        columns[f"{retriever}_best"] = best[row]
        columns[f"{retriever}_share"] = best[row] / (best[row].max(initial=0.0) or 1.0)
        columns[f"{retriever}_three"] = three[row] / (three[row].max(initial=0.0) or 1.0)
    # code that belongs together answers together
    means = np.bincount(told.folders, columns["lexical_share"]) / np.maximum(np.bincount(told.folders), 1)
    return {**columns, "folder_share": means[told.folders]}


def _last(name: str) -> str:
    """The last part of a qualified name."""
    return name.rpartition(".")[2]


def _greatest(scores: Floats, limit: int) -> Ordinals:
    """Places of the greatest scores above 0, at most ``limit``; of equal ones the first."""
    places = (scores > 0).nonzero()[0]
    if len(places) <= limit:
        return places
    found = scores[places]
    least = np.partition(found, -limit)[-limit]
    above, level = places[found > least], places[found == least]
    return np.concatenate((above, level[: limit - len(above)]))
