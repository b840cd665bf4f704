"""A query and the chunks that were retrieved in, a table of named features out: one row a file that may answer.

Three sorts of evidence meet here: what the retrievers gave a file's chunks, how the words of the query stand in its path and in the
names of what it defines, and what is known of it beforehand (:mod:`hardtack.query.priors`). What each counts for is learned
(:mod:`hardtack.query.ranking`). Everything is arithmetic on whole columns: one query touches hundreds of files.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.names import Family, stem_words
from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import KINDS
from hardtack.model import TYPES, Kind
from hardtack.query.analysis import Analysis
from hardtack.query.fuse import Pool
from hardtack.query.near import near_words
from hardtack.query.priors import PRIORS, Priors
from hardtack.terms import whole_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

EVIDENCE: Final = (
    *("lexical_best", "lexical_share", "lexical_three", "dense_best", "dense_share", "dense_three"),
    *("stem_cover", "stem_precision", "stem_is_named", "stem_in_query", "folder_cover", "path_cover"),
    *("name_cover", "type_cover", "identity_cover", "symbol_match", "type_match", "symbol_references"),
    *("defines", "defines_alone", "folder_share", "words_best", "words_share", "words_cover", "any_cover"),
)
"""Features that depend on the query, in order; :data:`PRIORS` follow them."""

FEATURES: Final = (*EVIDENCE, *PRIORS)

MOST_FILES: Final = 150
"""Files that are ranked; a query's answer is hardly ever below these."""

_FROM_NAMES: Final = 40
"""Files at most that come in by their names alone."""

_WEAK: Final = frozenset(
    {
        *(Kind.KEY, Kind.SECTION, Kind.VARIABLE, Kind.FIELD, Kind.PROPERTY, Kind.ELEMENT, Kind.NAMESPACE, Kind.PACKAGE),
        *(Kind.MODULE, Kind.FILE, Kind.ENUM_MEMBER, Kind.CONSTANT),
    }
)
"""Kinds whose names say less of what a file is about."""

_KIND_WEIGHTS: Final = np.array([0.5 if kind in _WEAK else 1.0 for kind in KINDS])
_IS_TYPE: Final = np.array([kind in TYPES for kind in KINDS])

# BM25 over whole files, with the customary constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).
_K1: Final = 1.2
_B: Final = 0.75
_WORDS_HALF: Final = 10.0
"""The score of a whole file that counts as one half."""


@dataclass(frozen=True, slots=True)
class FileTable:
    """The files that may answer a query, ascending, and what speaks for each."""

    files: Ordinals
    values: Floats
    """(files, features), in the order of :data:`FEATURES`."""
    best_symbols: Ordinals
    """The symbol of each whose name is nearest to the query; -1 for none."""
    symbol_matches: dict[int, float]
    """Symbol to how near its name is to the query, 0 to 1, for the nearest of each file."""


class FeatureMaker:
    """Makes the tables of one bundle; threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        """Map the columns; nothing is decoded yet."""
        self._bundle = bundle
        self._priors = Priors(bundle)
        self._first_chunks = np.asarray(bundle.file_column("first_chunk")).astype(np.int64)
        self._first_symbols = np.asarray(bundle.file_column("first_symbol")).astype(np.int64)
        self._kinds = np.asarray(bundle.symbol_column("kind"))
        self._references = np.asarray(bundle.symbol_column("references"))
        self._count = len(self._first_chunks)
        self.path_of = lru_cache(maxsize=1 << 14)(self._path_of)
        lengths = np.asarray(bundle.file_column("length")).astype(np.float64)
        self._lengths = _K1 * (1 - _B + _B * lengths / (lengths.mean() if len(lengths) else 1.0))

    def _path_of(self, file: int) -> tuple[str, str, int]:
        """Of a file's path: its folder, its name up to the first dot without case and joints, and how many words that has."""
        folder, _, name = self._bundle.file(file).path.rpartition("/")
        base = name.partition(".")[0]
        return folder, base.lower().replace("_", "").replace("-", ""), max(len(stem_words(f"{base}.x")), 1)

    def files_of_chunks(self, chunks: Ordinals) -> Ordinals:
        """The file of each chunk."""
        return np.searchsorted(self._first_chunks, chunks, side="right") - 1

    def files_of_symbols(self, symbols: Ordinals) -> Ordinals:
        """The file of each symbol."""
        return np.searchsorted(self._first_symbols, symbols, side="right") - 1

    def table(self, analysis: Analysis, pool: Pool, allowed: Sequence[int] | None) -> FileTable:
        """What speaks for each file that may answer.

        Args:
            analysis: of the query.
            pool: the chunks that the retrievers found.
            allowed: files that may come in by their names alone; None for all.
        """
        names = _Names(self, analysis)
        retrieved = self.files_of_chunks(pool.ordinals)
        files = self._candidates(retrieved, names, allowed)
        values = np.zeros((len(files), len(FEATURES)))
        self._fill_retrieved(values, files, retrieved, pool)
        names.fill(values, files)
        values[:, len(EVIDENCE) :] = self._priors.rows(files, analysis)
        best = names.best_symbols[files]
        matches = {int(symbol): float(names.matches[file]) for symbol, file in zip(best, files, strict=True) if symbol >= 0}
        return FileTable(files=files, values=values, best_symbols=best, symbol_matches=matches)

    def _candidates(self, retrieved: Ordinals, names: _Names, allowed: Sequence[int] | None) -> Ordinals:
        """The files of the best chunks, and those whose names answer best, ascending; at most :data:`MOST_FILES`."""
        by_chunks = list(dict.fromkeys(retrieved.tolist()))[: MOST_FILES - _FROM_NAMES]
        by_names = names.best_files(_FROM_NAMES)
        if allowed is not None:
            by_names = np.intersect1d(by_names, np.asarray(allowed, dtype=np.int64))
        return np.union1d(np.array(by_chunks, dtype=np.int64), by_names)

    def _fill_retrieved(self, values: Floats, files: Ordinals, retrieved: Ordinals, pool: Pool) -> None:
        places = np.searchsorted(files, retrieved)
        inside = places < len(files)
        inside[inside] = files[places[inside]] == retrieved[inside]
        places = places[inside]
        for first, scores in ((_LEXICAL, pool.lexical[inside]), (_DENSE, pool.dense[inside])):
            best, three = _best_and_three(len(files), places, scores)
            values[:, first] = best
            most = best.max(initial=0.0)
            if most > 0:
                values[:, first + 1] = best / most
                values[:, first + 2] = three / three.max()
        values[:, _FOLDER_SHARE] = self._folder_shares(files, values[:, _LEXICAL + 1])

    def _folder_shares(self, files: Ordinals, shares: Floats) -> Floats:
        """The mean share of the files of each one's folder: code that belongs together answers together."""
        folders: dict[str, list[int]] = {}
        for place, file in enumerate(files.tolist()):
            folders.setdefault(self.path_of(file)[0], []).append(place)
        means = np.zeros(len(files))
        for places in folders.values():
            means[places] = shares[places].mean()
        return means


_LEXICAL: Final = EVIDENCE.index("lexical_best")
_DENSE: Final = EVIDENCE.index("dense_best")
_FOLDER_SHARE: Final = EVIDENCE.index("folder_share")
_PATHS: Final = EVIDENCE.index("stem_cover")
_NAMES: Final = EVIDENCE.index("name_cover")
_DEFINES: Final = EVIDENCE.index("defines")
_WORDS: Final = EVIDENCE.index("words_best")


def _positive(scores: Floats, limit: int) -> Ordinals:
    """Places of the greatest scores above 0, at most ``limit``."""
    order = np.lexsort((np.arange(len(scores)), -scores))[:limit]
    return order[scores[order] > 0]


def _best_and_three(count: int, places: Ordinals, scores: Floats) -> tuple[Floats, Floats]:
    """For each of ``count`` places its best score, and the mean of its three best, missing ones being 0."""
    order = np.lexsort((-scores, places))
    places, scores = places[order], scores[order]
    number = np.arange(len(places)) - np.searchsorted(places, places)
    best, three = np.zeros(count), np.zeros(count)
    best[places[number == 0]] = scores[number == 0]
    top = number < 3
    np.add.at(three, places[top], scores[top])
    return best, three / 3


class _Names:
    """How the words of one query stand in the names of all files and symbols."""

    def __init__(self, maker: FeatureMaker, analysis: Analysis) -> None:
        self._maker = maker
        self._bundle = maker._bundle
        self._analysis = analysis
        self._terms = [term for term in analysis.content_terms if term]
        self._weights = self._term_weights()
        count, terms = maker._count, len(self._terms)
        self._stem, self._folder, self._name, self._type = (np.zeros((terms, count)) for _ in range(4))
        self.best_symbols = np.full(count, -1, dtype=np.int64)
        self.matches = np.zeros(count)
        self._type_matches = np.zeros(count)
        self._body = np.zeros((terms, count))
        self._whole = np.zeros(count)
        self._read()
        self._read_bodies()

    def _term_weights(self) -> Floats:
        """How much each term tells: its inverse document frequency among chunks, as BM25 has it; words not found count as rare."""
        chunks = self._bundle.manifest.counts.chunks
        found = self._bundle.lexical.chunks_with(self._terms)
        rare = 0.7 * math.log1p(chunks)
        weights = [math.log1p((chunks - count + 0.5) / (count + 0.5)) if count else rare for count in found]
        return np.array(weights) / (sum(weights) or 1.0)

    def _read(self) -> None:
        maker, index = self._maker, self._bundle.names
        cover = np.zeros(len(maker._kinds))
        parts = np.zeros(len(maker._kinds))
        weight_of = np.zeros(len(maker._kinds))
        touched: list[Ordinals] = []
        for place, term in enumerate(self._terms):
            having_it: list[Ordinals] = []
            for row, weight in near_words(index, term):  # least first, so that the greatest weight stays
                self._stem[place, index.postings(Family.STEM, row)] = weight
                self._folder[place, index.postings(Family.FOLDER, row)] = weight
                having = index.postings(Family.PART, row)
                weight_of[having] = weight
                having_it.append(having.astype(np.int64))
            if not having_it:
                continue
            symbols = np.concatenate(having_it)
            cover[symbols] += self._weights[place] * weight_of[symbols]  # a symbol that comes twice is set twice, to the same
            parts[symbols] += weight_of[symbols]
            self._mark(place, symbols, weight_of)
            touched.append(symbols)
        if touched:
            self._match(np.unique(np.concatenate(touched)), cover, parts)

    def _read_bodies(self) -> None:
        """BM25 of whole files, and which have which words."""
        maker = self._maker
        stems = [self._analysis.stems[term] for term in self._terms]
        for place, (files, counts) in enumerate(self._bundle.words.postings(stems)):
            if not len(files):
                continue
            tells = math.log1p((maker._count - len(files) + 0.5) / (len(files) + 0.5))
            self._body[place, files] = 1.0
            self._whole[files] += tells * counts * (_K1 + 1) / (counts + maker._lengths[files])

    def _mark(self, place: int, symbols: Ordinals, weight_of: Floats) -> None:
        """Note how near a term is to what each file's symbols are called."""
        maker = self._maker
        files, kinds = maker.files_of_symbols(symbols), maker._kinds[symbols]
        np.maximum.at(self._name[place], files, weight_of[symbols] * _KIND_WEIGHTS[kinds])
        is_type = _IS_TYPE[kinds]
        np.maximum.at(self._type[place], files[is_type], weight_of[symbols[is_type]])

    def _match(self, symbols: Ordinals, cover: Floats, parts: Floats) -> None:
        """The symbol of each file whose name is nearest to the query: the harmonic mean of what it covers and of what it is."""
        maker = self._maker
        lengths = np.maximum(np.asarray(self._bundle.symbol_column("parts"))[symbols], 1)
        precision, kinds = np.minimum(parts[symbols] / lengths, 1.0), maker._kinds[symbols]
        covered = cover[symbols]
        match = _KIND_WEIGHTS[kinds] * 2 * covered * precision / (covered + precision)
        files = maker.files_of_symbols(symbols)
        order = np.lexsort((symbols, -match, files))
        first = np.searchsorted(files[order], np.unique(files))
        best = order[first]
        self.best_symbols[files[best]] = symbols[best]
        self.matches[files[best]] = match[best]
        is_type = _IS_TYPE[kinds]
        np.maximum.at(self._type_matches, files[is_type], match[is_type])

    def best_files(self, limit: int) -> Ordinals:
        """The files whose paths and names answer best, ascending."""
        if not self._terms:
            return np.empty(0, dtype=np.int64)
        scores = self._weights @ np.maximum(self._stem, 0.7 * self._folder) + self.matches
        return np.union1d(_positive(scores, limit), _positive(self._whole, limit))

    def fill(self, values: Floats, files: Ordinals) -> None:
        """Write the features of ``files``."""
        weights = self._weights
        stem, folder, name, type_ = (matrix[:, files] for matrix in (self._stem, self._folder, self._name, self._type))
        paths = [self._maker.path_of(file) for file in files.tolist()]
        lengths = np.array([length for _, _, length in paths])
        joined = "".join(self._terms)
        wanted = {whole_name(each.rpartition(".")[2]).replace("_", "") for each in (*self._analysis.names, *self._terms)}
        folded = [base for _, base, _ in paths]
        values[:, _PATHS : _PATHS + 6] = np.column_stack(
            (
                weights @ stem,
                np.minimum(stem.sum(axis=0) / lengths, 1.0),
                [base in wanted for base in folded],
                [len(base) / len(joined) if len(base) > 2 and base in joined else 0.0 for base in folded],
                weights @ folder,
                weights @ np.maximum(stem, 0.7 * folder),
            )
        )
        best = self.best_symbols[files]
        references = np.where(best >= 0, np.log1p(self._maker._references[best]), 0.0) if len(self._maker._references) else 0.0
        values[:, _NAMES : _NAMES + 6] = np.column_stack(
            (
                weights @ name,
                weights @ type_,
                weights @ np.maximum(np.maximum(stem, 0.8 * folder), name),
                self.matches[files],
                self._type_matches[files],
                np.broadcast_to(references, len(files)),
            )
        )
        whole = self._whole[files]
        values[:, _WORDS : _WORDS + 4] = np.column_stack(
            (
                whole / (whole + _WORDS_HALF),
                whole / (self._whole.max(initial=0.0) or 1.0),
                weights @ self._body[:, files],
                weights @ np.maximum(np.maximum(np.maximum(stem, folder), name), self._body[:, files]),
            )
        )
        self._fill_definitions(values, files)

    def _fill_definitions(self, values: Floats, files: Ordinals) -> None:
        """Which files define a name that the query spells out."""
        maker, index = self._maker, self._bundle.names
        identifiers = {whole_name(each.rpartition(".")[2]) for each in self._analysis.names if " " not in each}
        for identifier in sorted(identifiers):
            row = index.row(identifier) if identifier else -1
            if row < 0:
                continue
            symbols = index.postings(Family.WHOLE, row).astype(np.int64)
            holding = maker.files_of_symbols(symbols)
            weights = np.zeros(maker._count)
            np.maximum.at(weights, holding, _KIND_WEIGHTS[maker._kinds[symbols]])
            values[:, _DEFINES] = np.maximum(values[:, _DEFINES], weights[files])
            values[:, _DEFINES + 1] += (weights[files] > 0) / max(len(np.unique(holding)), 1)
