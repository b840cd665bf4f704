"""A query and the retrieved chunks in, a table of named features out: one row for each file that may answer.

There are three sorts of features: the retrievers' scores of the file's chunks; the matches of the query's words in its path, in the
names that it defines and in its text (:mod:`hardtack.query.ranking.name_match`, :mod:`hardtack.query.ranking.file_bm25`); and those
that do not depend on the query (:mod:`hardtack.query.ranking.priors`). An issue has the first two for its title and again for its
body, and those of the files that it mentions (:mod:`hardtack.query.ranking.mentions`). The weights of all are learned
(:mod:`hardtack.query.ranking.model`). All arithmetic is on whole columns, because one query touches hundreds of files.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.file_bm25 import FileScores, FileTerms, WordPairs, paired_shares, pairs_of
from hardtack.query.ranking.mentions import MENTIONS, Mentions, mentioned
from hardtack.query.ranking.name_match import FOLDER_SHARE, FileNameMatches, NameMatcher, SymbolNameMatches
from hardtack.query.ranking.past_changes import PAST_CHANGES, PastChanges, columns_of
from hardtack.query.ranking.paths import PathFacts, Paths
from hardtack.query.ranking.priors import PRIORS, Priors
from hardtack.query.ranking.shortlist import Shortlist
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.aspects import BODY, TITLE, Reading
from hardtack.query.retrieval.fuse import Pool
from hardtack.query.retrieval.retrieve import DENSE, LEXICAL
from hardtack.query.retrieval.sorted_sets import grouped
from hardtack.text import folded, whole_name

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
"""Features that depend on the query, in the order of the model file."""

FEATURES: Final = (*EVIDENCE, *PAST_CHANGES, *PRIORS)
"""Of a question."""

ISSUE_FEATURES: Final = (*(f"{aspect}_{name}" for aspect in (TITLE, BODY) for name in EVIDENCE), *MENTIONS, *PAST_CHANGES, *PRIORS)
"""Of an issue: the evidence of each of its aspects, of what it mentions, and the same priors."""

# Files at most that are taken for their best chunks, for their names and definitions, for their BM25 score as whole files, and for
# their earlier changes.
_FROM_CHUNKS: Final = 110
_FROM_NAMES: Final = 40
_FROM_WORDS: Final = 40
_FROM_CHANGES: Final = 20

_COVERS: Final = (
    *("stem_cover", "folder_cover", "name_cover", "type_cover", "words_cover"),
    *("path_cover", "identity_cover", "any_cover"),
)
"""Features that are a share of the query's weight: five of one field each, then three of several fields together."""

_FOLDER_IDENTITY: Final = 0.8
"""Weight of a word in the name of a folder, for ``identity_cover``."""

_WORDS_HALF: Final = 10.0
"""The BM25 score of a whole file for which ``words_best`` is one half."""

_NOWHERE: Final = np.empty(0, dtype=np.int64)

_NAMED: Final = 1.0
_NAMED_IN_PART: Final = 0.5
"""Values of ``stem_is_named``: the query has the whole name of the file, or only the part before the first of several dots."""

_SHORT: Final = 2
"""Characters; names this short occur in any query by chance."""


class FileTable(NamedTuple):
    """The files that may answer a query, ascending, and the features of each."""

    files: Ordinals
    values: Floats
    """(files, features), in the order of :attr:`features`."""
    features: tuple[str, ...]
    """:data:`FEATURES` or :data:`ISSUE_FEATURES`."""
    best_symbols: Ordinals
    """The symbol of each file whose name is nearest to the query; -1 for none."""
    nearness: Floats
    """(files,), of that name, 0 to 1."""

    def row_of(self, file: int) -> int:
        """The row of a file; -1 for a file that is not in the table."""
        row = int(self.files.searchsorted(file))
        return row if row < len(self.files) and self.files[row] == file else -1


class _Words(NamedTuple):
    """The words of a query and their matches in a bundle."""

    terms: tuple[str, ...]
    weights: Floats
    """(terms,), adding up to 1."""
    files: FileNameMatches
    symbols: SymbolNameMatches
    texts: FileScores
    pairs: WordPairs


class _Searched(NamedTuple):
    """An aspect of a query and what was found for it."""

    words: _Words
    analysis: TextAnalysis
    pool: Pool
    of_pool: Ordinals
    """The file of each of the pool's chunks, ascending."""


class _Evidence(NamedTuple):
    """What speaks for each file in one aspect of a query."""

    columns: dict[str, Floats]
    """The features :data:`EVIDENCE`, each (files,)."""
    symbols: Ordinals
    nearness: Floats


class FeatureMaker:
    """Makes the feature tables of one bundle. Threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._priors = Priors(bundle)
        self._paths = Paths(bundle)
        self._names = NameMatcher(bundle)
        self._mentions = Mentions(bundle, self._names)
        self._texts = FileTerms(bundle)
        self.past_changes = PastChanges(bundle)
        self._first_chunks = np.asarray(bundle.columns.of_files("first_chunk")).astype(np.int64)

    def mentioned_chunks(self, reading: Reading) -> tuple[Ordinals, Floats]:
        """The chunks of the symbols that an issue mentions, ascending, and how much each is worth; none for a question."""
        worth = self._mentions.symbols(reading) if reading.issue else {}
        chunks = self.bundle.columns.chunks_of(np.array([*worth], dtype=np.int64))
        mentioned, places = np.unique(chunks[chunks >= 0], return_inverse=True)
        strengths = np.zeros(len(mentioned))
        np.maximum.at(strengths, places, np.array([*worth.values()])[chunks >= 0])
        return mentioned, strengths

    def files_of_chunks(self, chunks: Ordinals) -> Ordinals:
        """The file of each chunk."""
        return self._first_chunks.searchsorted(chunks, side="right") - 1

    def table(self, reading: Reading, pools: Sequence[Pool], allowed: Sequence[int] | None, times: int = 1) -> FileTable:
        """The features of each file that may answer.

        Args:
            reading: of the query.
            pools: the chunks that the retrievers found for each aspect of it.
            allowed: files that pass the filters, for files without a chunk in a pool; None for all.
            times: factor for the greatest number of files.
        """
        searched = [
            _Searched(self._words(aspect.analysis), aspect.analysis, pool, self.files_of_chunks(pool.ordinals))
            for aspect, pool in zip(reading.aspects, pools, strict=True)
        ]
        mentions = self._mentions.of(reading) if reading.issue else {}
        changed = self._changed(reading)
        others = (*mentioned(mentions), *_greatest(changed, times * _FROM_CHANGES).tolist())
        files = Shortlist(self._candidates(searched, others, allowed, times), of=len(self._first_chunks))
        paths = self._paths.of(files.files)
        evidence = [self._evidence(files, each, paths) for each in searched]
        priors = self._priors.rows(files.files, reading.aspects[0].analysis)
        of_mentions = self._mentions.columns(reading, mentions, files) if reading.issue else {}
        of_changes = columns_of(changed, files.files)
        rows = [
            *(each.columns[name] for each in evidence for name in EVIDENCE),
            *(of_mentions[name] for name in (MENTIONS if reading.issue else ())),
            *(of_changes[name] for name in PAST_CHANGES),
        ]
        nearness = np.array([each.nearness for each in evidence])
        nearest = nearness.argmax(axis=0), np.arange(len(files))
        return FileTable(
            files=files.files,
            values=np.vstack((*rows, priors.T)).T,
            features=ISSUE_FEATURES if reading.issue else FEATURES,
            best_symbols=np.array([each.symbols for each in evidence])[nearest],
            nearness=nearness[nearest],
        )

    def _changed(self, reading: Reading) -> Floats:
        """The score of every file by its earlier changes; 0 for questions."""
        analysis = reading.analysis
        if reading.issue is None and not analysis.describes_change:
            return np.zeros(len(self._first_chunks))
        stems = [analysis.stems[term] for term in analysis.content_terms]
        return self.past_changes.read(stems, np.array([analysis.weights[term] for term in analysis.content_terms]))

    def _evidence(self, files: Shortlist, searched: _Searched, paths: PathFacts) -> _Evidence:
        words, analysis = searched.words, searched.analysis
        defining = files.places(words.symbols.files)
        best = files.column(defining, words.symbols.best, missing=-1)
        nearness = files.column(defining, words.symbols.nearness)
        columns = {  # by name: a new feature is a name in EVIDENCE and an entry here or in one of these functions
            **_retrieved(files, searched.pool, searched.of_pool, paths),
            **self._covered(files, words, paths),
            **_named(words, analysis, paths),
            **self._defined(files, analysis),
            "symbol_match": nearness,
            "type_match": files.column(defining, words.symbols.type_nearness),
            "symbol_references": self._names.references(best),
        }
        return _Evidence(columns, best, nearness)

    def _words(self, analysis: TextAnalysis) -> _Words:
        terms = tuple(term for term in analysis.content_terms if term)
        weights = self._weights(analysis, terms)
        files, symbols = self._names.read(terms, weights)
        stems = [analysis.stems[term] for term in terms]
        texts = self._texts.read(stems, np.array([analysis.weights[term] for term in terms]))
        return _Words(terms, weights, files, symbols, texts, pairs_of(analysis, terms))

    def _weights(self, analysis: TextAnalysis, terms: Sequence[str]) -> Floats:
        """The weight of each term, adding up to 1: its weight as a word times BM25's inverse document frequency among chunks.

        A term that no chunk has counts as a rare one: 0.7 ln(1 + chunks).
        """
        chunks = self.bundle.manifest.counts.chunks
        rare = 0.7 * math.log1p(chunks)
        counts = self.bundle.lexical.chunks_with(terms)
        rarities = [math.log1p((chunks - count + 0.5) / (count + 0.5)) if count else rare for count in counts]
        weights = [analysis.weights[term] * rarity for term, rarity in zip(terms, rarities, strict=True)]
        return np.array(weights) / (sum(weights) or 1.0)

    def _candidates(
        self, searched: Iterable[_Searched], others: Iterable[int], allowed: Sequence[int] | None, times: int
    ) -> Ordinals:
        """The files of the best chunks, those of the best name matches and of the best BM25 scores, and others; ascending.

        Args:
            searched: what was found for each aspect of the query.
            others: files that something else speaks for.
            allowed: files that may be taken without a chunk in a pool; None for all.
            times: factor for the greatest number of files of each aspect.
        """
        is_candidate = np.zeros(len(self._first_chunks), dtype=np.bool_)
        is_candidate[list(others)] = True
        for each in searched:
            is_candidate[self._best_named(each.words, times * _FROM_NAMES)] = True
            is_candidate[_greatest(each.words.texts.whole, times * _FROM_WORDS)] = True
        if allowed is not None:
            is_allowed = np.zeros(len(is_candidate), dtype=np.bool_)
            is_allowed[np.asarray(allowed, dtype=np.int64)] = True
            is_candidate &= is_allowed
        for each in searched:
            retrieved, first, _ = grouped(each.of_pool)
            if len(retrieved) > times * _FROM_CHUNKS:
                retrieved = retrieved[_greatest(np.maximum.reduceat(each.pool.fused, first), times * _FROM_CHUNKS)]
            is_candidate[retrieved] = True
        return is_candidate.nonzero()[0]

    def _best_named(self, words: _Words, limit: int) -> Ordinals:
        """The files whose paths or symbols match the words: all of them, or the best ``limit``."""
        if words.weights.min(initial=1.0) > 0:  # every match scores above 0, so few matches need no scores
            is_named = np.zeros(len(self._first_chunks), dtype=np.bool_)
            for files in (words.files.stems.files, words.files.folders.files, words.symbols.files):
                is_named[files] = True
            named = is_named.nonzero()[0]
            if len(named) <= limit:
                return named
        scores = self._names.covered(words.files, words.weights)
        scores[words.symbols.files] += words.symbols.nearness
        return _greatest(scores, limit)

    def _covered(self, files: Shortlist, words: _Words, paths: PathFacts) -> dict[str, Floats]:
        """The shares of the query's weight that each file's path, names and text cover, and the scores of its text."""
        weights, whole = words.weights, words.texts.whole
        found = (words.files.stems, words.files.folders, words.symbols.names, words.symbols.types, words.texts.matches)
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
            "stem_precision": np.minimum(stem.sum(axis=1) / paths.lengths, 1.0),
            "words_best": scores / (scores + _WORDS_HALF),
            "words_share": scores / (whole.max(initial=0.0) or 1.0),
            "pairs_share": paired_shares(self.bundle, files.files, body > 0, words.pairs),
        }

    def _defined(self, files: Shortlist, analysis: TextAnalysis) -> dict[str, Floats]:
        """Which files define a name of the query; ``defines_alone`` adds 1 / (files that define the name) for each name."""
        defines, alone = np.zeros(len(files)), np.zeros(len(files))
        for name in dict.fromkeys(whole_name(_last(each)) for each in analysis.names if " " not in each):
            definers, weights = self._names.definers(name)
            if len(definers):
                of_files = files.column(files.places(definers), weights)
                np.maximum(defines, of_files, out=defines)
                alone += (of_files > 0) / len(definers)
        return {"defines": defines, "defines_alone": alone}


def _named(words: _Words, analysis: TextAnalysis, paths: PathFacts) -> dict[str, Floats]:
    """Whether a word or name of the query is the name of each file, and the share of the query that the file's name makes up."""
    joined = "".join(words.terms)
    wanted = {folded(whole_name(_last(each))).replace("_", "") for each in (*analysis.names, *words.terms)}
    is_named, in_query = np.zeros(len(paths.bases)), np.zeros(len(paths.bases))
    for place, base in enumerate(paths.bases):
        if base in wanted:
            is_named[place] = _NAMED if paths.is_whole[place] else _NAMED_IN_PART
        if base in joined and len(base) > _SHORT:
            in_query[place] = len(base) / len(joined)
    return {"stem_is_named": is_named, "stem_in_query": in_query}


def _retrieved(files: Shortlist, pool: Pool, of_pool: Ordinals, paths: PathFacts) -> dict[str, Floats]:
    """The retrievers' scores of each file's chunks and of its folder; ``of_pool`` has the file of each of the pool's chunks."""
    scores = {LEXICAL: pool.lexical, DENSE: pool.dense}
    places = [pool.lists.get(retriever, _NOWHERE) for retriever in scores]
    best, three = files.best_and_three([(of_pool[at], given[at]) for at, given in zip(places, scores.values(), strict=True)])
    columns: dict[str, Floats] = {}
    for row, retriever in enumerate(scores):
        columns[f"{retriever}_best"] = best[row]
        columns[f"{retriever}_share"] = best[row] / (best[row].max(initial=0.0) or 1.0)
        columns[f"{retriever}_three"] = three[row] / (three[row].max(initial=0.0) or 1.0)
    # related code lies in one folder, so a file's neighbours are evidence too
    means = np.bincount(paths.folders, columns["lexical_share"]) / np.maximum(np.bincount(paths.folders), 1)
    return {**columns, "folder_share": means[paths.folders]}


def _last(name: str) -> str:
    """The last part of a qualified name."""
    return name.rpartition(".")[2]


def _greatest(scores: Floats, limit: int) -> Ordinals:
    """Positions of the ``limit`` greatest scores above 0, in no order; of equal scores the first are taken."""
    places = (scores > 0).nonzero()[0]
    if len(places) <= limit:
        return places
    found = scores[places]
    least = np.partition(found, -limit)[-limit]
    above, level = places[found > least], places[found == least]
    return np.concatenate((above, level[: limit - len(above)]))
