"""The words of a query in, the files and symbols that are called by them out, and how nearly.

A word meets a name through the words of the bundle that may mean the same. People write ``authentication`` where code says
``auth``, and ``composition`` where it says ``compose``. A word of the code counts fully when it is the query's, nearly so when both
have one stem, and about half or less when one begins the other or both begin alike. These weights are set by hand; what near
matches are worth in a ranking is learned. All posting lists of these words are read at once and nothing beside them: the cost grows
with how often the words occur in names, not with the bundle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.format.records import KINDS
from hardtack.bundle.indexes.names import Family, NameIndex
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import TYPES, Kind
from hardtack.query.ranking.shortlist import WordMatches
from hardtack.query.request.analysis import MAX_TERMS
from hardtack.query.retrieval.sorted_sets import beginnings, grouped, sums
from hardtack.text.stems import LONGEST_ENDING, stem_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]


SAME_STEM: Final = 0.95
PREFIX: Final = 0.6
"""The query's word begins the code's: ``encod`` for ``encoder``."""
ABBREVIATION: Final = 0.4
"""The code's word begins the query's: ``auth`` for ``authentication``."""
SHORT_ABBREVIATION: Final = 0.3
"""The same with three letters, which abbreviate many things."""
COMMON_PREFIX: Final = 0.5
"""Both begin with the same six letters or more, and with more than half of the longer word; or the code's with the stem."""

_LEAST = 3
_LEAST_COMMON = 6
_COMMON_SHARE = 0.54
_LEAST_STEM = 4


def similar_terms(names: NameIndex, term: str) -> list[tuple[int, float]]:
    """Rows of the vocabulary that ``term`` may mean, with their weights, least first; equal weights in order of row.

    Args:
        names: of the bundle.
        term: one lower-case word.
    """
    weights = {
        row: ABBREVIATION if length > _LEAST else SHORT_ABBREVIATION for length, row in names.rows_of_beginnings(term, _LEAST)
    }
    if len(term) > _LEAST:
        for row, weight in _words_alike(names, term):
            if weight > weights.get(row, 0.0):
                weights[row] = weight
    elif (row := names.row(term)) >= 0:
        weights[row] = 1.0
    return sorted(weights.items(), key=lambda pair: (pair[1], pair[0]))


def _words_alike(names: NameIndex, term: str) -> Iterator[tuple[int, float]]:
    """Rows of words that begin as ``term`` or its stem does, and what they count for.

    There are hundreds of them for some terms, so what is cheaply told is told first: most have another stem by their length.
    """
    stem = stem_of(term)
    longest, trunk = len(stem) + LONGEST_ENDING, stem[:-1]
    is_telling = len(stem) >= _LEAST_STEM
    first, words = names.beginning(term[: max(_LEAST, min(len(stem), _LEAST_COMMON))])
    for row, word in enumerate(words, start=first):
        if len(word) <= longest and word.startswith(trunk) and stem_of(word) == stem:
            yield row, 1.0 if word == term else SAME_STEM
        elif word.startswith(term):
            yield row, PREFIX
        elif is_telling and word.startswith(stem):
            yield row, COMMON_PREFIX
        else:
            share = math.ceil(_COMMON_SHARE * max(len(term), len(word)))
            if word.startswith(term[: max(share, _LEAST_COMMON)]):
                yield row, COMMON_PREFIX


WEAK: Final = frozenset(
    {
        *(Kind.KEY, Kind.SECTION, Kind.VARIABLE, Kind.FIELD, Kind.PROPERTY, Kind.ELEMENT, Kind.NAMESPACE, Kind.PACKAGE),
        *(Kind.MODULE, Kind.FILE, Kind.ENUM_MEMBER, Kind.CONSTANT),
    }
)
"""Kinds whose names say less of what a file is about."""

_KIND_WEIGHTS: Final = np.array([0.5 if kind in WEAK else 1.0 for kind in KINDS])
_IS_TYPE: Final = np.array([kind in TYPES for kind in KINDS])

FOLDER_SHARE: Final = 0.5
"""What a word counts for in the name of a folder, where it counts for 1 in that of a file."""

# Every entry of a posting list is packed into one whole number, by all of which it is then sorted: ordinal, word, and how near
# the two are in thousandths.
_WHOLLY: Final = 1000
_TERM_SHIFT: Final = 10
_SHIFT: Final = _TERM_SHIFT + (MAX_TERMS - 1).bit_length()
_TERM_MASK: Final = (1 << _SHIFT - _TERM_SHIFT) - 1
_NEARNESS_MASK: Final = (1 << _TERM_SHIFT) - 1
_TAG_MASK: Final = (1 << _SHIFT) - 1

_FAMILIES: Final = (Family.STEM, Family.FOLDER, Family.PART)
_NOTHING: Final = np.empty(0, dtype=np.int64)

_KEPT_TERMS: Final = 1 << 12
"""Words whose near words are remembered: queries of one bundle share many."""


class FileNameMatches(NamedTuple):
    """Which files are called by the words of a query."""

    stems: WordMatches
    """By their base names."""
    folders: WordMatches
    """By the folders they lie in."""
    packed: Ordinals
    """All of it, as it was read: first the stems."""


class SymbolNameMatches(NamedTuple):
    """Which symbols are called by the words of a query, told of the files that define them."""

    names: WordMatches
    """With less for kinds that say less of their file."""
    types: WordMatches
    """Types alone."""
    files: Ordinals
    """(n,), those that define anything so called, ascending; what follows is about each."""
    best: Ordinals
    """Its symbol whose name is nearest to the query."""
    nearness: Floats
    """How near that is, above 0 and up to 1."""
    type_nearness: Floats
    """How near the nearest of its types is; 0 without any."""


class NameMatcher:
    """What the files and symbols of a bundle are called. Threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        """Take an open bundle and map its columns."""
        self._bundle = bundle
        self._file_count = bundle.manifest.counts.files
        self._first_symbols = np.asarray(bundle.columns.of_files("first_symbol")).astype(np.int64)
        self._lengths = np.asarray(bundle.columns.of_symbols("parts"))
        self._references = np.asarray(bundle.columns.of_symbols("references"))
        self._near = lru_cache(maxsize=_KEPT_TERMS)(self._near_rows)

    def read(self, terms: Sequence[str], weights: Floats) -> tuple[FileNameMatches, SymbolNameMatches]:
        """What is called by any of these words.

        Args:
            terms: at most :data:`MAX_TERMS`.
            weights: (terms,), how much each tells.
        """
        near = [self._near(term) + (place << _TERM_SHIFT) for place, term in enumerate(terms)]
        packed = np.concatenate((*near, _NOTHING))
        rows = packed >> _SHIFT
        tags = packed & _TAG_MASK
        ordinals, lengths = self._bundle.names.postings_of(_FAMILIES, rows)
        packed = ordinals.astype(np.int64)
        packed <<= _SHIFT
        packed |= np.concatenate([tags] * len(_FAMILIES)).repeat(lengths.ravel())
        of_stems, of_folders, _ = np.add.reduce(lengths, axis=1).tolist()
        of_files, of_symbols = packed[: of_stems + of_folders], packed[of_stems + of_folders :]
        files, places, strengths = _unpacked(of_files)
        stems = WordMatches(files[:of_stems], places[:of_stems], strengths[:of_stems])
        folders = WordMatches(files[of_stems:], places[of_stems:], strengths[of_stems:])
        return FileNameMatches(stems, folders, of_files), self._symbols(_nearest(of_symbols), weights)

    def _near_rows(self, term: str) -> Ordinals:
        """Rows of the bundle's words that a word may mean, and how nearly, in thousandths: packed as of a query's first word."""
        near = similar_terms(self._bundle.names, term)
        return np.array([row << _SHIFT | round(_WHOLLY * weight) for row, weight in near], dtype=np.int64)

    def covered(self, named: FileNameMatches, weights: Floats) -> Floats:
        """(all files,), the share of the query that the path of each covers, folders counting for :data:`FOLDER_SHARE`."""
        packed, of_stems = named.packed.copy(), len(named.stems.files)
        packed[of_stems:] -= np.rint((1 - FOLDER_SHARE) * _WHOLLY * named.folders.strengths).astype(np.int64)
        files, terms, strengths = _unpacked(_nearest(packed))
        return sums(files, weights[terms] * strengths, count=self._file_count)

    def _symbols(self, parts: Ordinals, weights: Floats) -> SymbolNameMatches:
        """What is told of the symbols with these words in their names, ``parts`` being ordered and each word once for each.

        How near a name is, is the harmonic mean of how much of the query it covers and how much of it the query covers.
        """
        symbols, terms, strengths = _unpacked(parts)
        first, symbol_of = grouped(symbols)
        symbols = symbols[first]
        kinds = self._bundle.columns.kinds_of(symbols)
        kind_weights, is_type = _KIND_WEIGHTS[kinds], _IS_TYPE[kinds]
        covered = np.add.reduceat(weights[terms] * strengths, first)
        precision = np.minimum(np.add.reduceat(strengths, first) / np.maximum(self._lengths[symbols], 1), 1.0)
        nearness = 2 * kind_weights * covered * precision / (covered + precision)
        files = self.files_of(symbols)
        begin, file_of = grouped(files)
        best = np.maximum.reduceat(nearness, begin)
        last_best = (nearness == best[file_of]).nonzero()[0][::-1]
        nearest = np.empty(len(begin), dtype=np.int64)
        nearest[file_of[last_best]] = symbols[last_best]  # the first of a file is written last
        files_of_parts = files[symbol_of]
        return SymbolNameMatches(
            names=WordMatches(files_of_parts, terms, strengths * kind_weights[symbol_of]),
            types=WordMatches(files_of_parts, terms, strengths * is_type[symbol_of]),
            files=files[begin],
            best=nearest,
            nearness=best,
            type_nearness=np.maximum.reduceat(nearness * is_type, begin),
        )

    def files_of(self, symbols: Ordinals) -> Ordinals:
        """The file of each symbol."""
        return self._first_symbols.searchsorted(symbols, side="right") - 1

    def references(self, symbols: Ordinals) -> Floats:
        """The logarithm of how often other files refer to each symbol; 0 for -1, which is none."""
        if not len(self._references):
            return np.zeros(len(symbols))
        return np.where(symbols >= 0, np.log1p(self._references[symbols]), 0.0)

    def definers(self, name: str) -> tuple[Ordinals, Floats]:
        """The files that define a symbol of that name, ascending, and how much its kind says of each.

        Args:
            name: as :func:`terms.whole_name` folds it.
        """
        index = self._bundle.names
        row = index.row(name) if name else -1
        if row < 0:
            return np.empty(0, dtype=np.int64), np.empty(0)
        symbols = index.postings(Family.WHOLE, row).astype(np.int64)
        files = self.files_of(symbols)
        first = beginnings(files)
        return files[first], np.maximum.reduceat(_KIND_WEIGHTS[self._bundle.columns.kinds_of(symbols)], first)


def _nearest(packed: Ordinals) -> Ordinals:
    """Of each ordinal and word the nearest, ascending by ordinal, then by word; sorts what it is given."""
    packed.sort()
    keys = packed >> _TERM_SHIFT
    is_last = np.empty(len(packed), dtype=np.bool_)
    is_last[-1:] = True
    is_last[:-1] = keys[1:] != keys[:-1]
    return packed[is_last]


def _unpacked(packed: Ordinals) -> tuple[Ordinals, Ordinals, Floats]:
    """Ordinals, places of words, and how near each is, 0 to 1."""
    return packed >> _SHIFT, packed >> _TERM_SHIFT & _TERM_MASK, (packed & _NEARNESS_MASK) / _WHOLLY
