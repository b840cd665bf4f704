"""The words of a query in, the files and symbols whose names contain them out, with the strength of each match.

A word also matches similar terms of the code: people write ``authentication`` where code says ``auth``, and ``composition`` where
it says ``compose``. The strength is 1 for the same word, a little less for the same stem, and 0.6 or less when one word begins the
other or both have a long common prefix. These weights are set by hand; the weight of name matches in the ranking is learned. Only
the posting lists of the matching terms are read, all at once: the cost grows with how often the words occur in names, not with the
size of the bundle.
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
from hardtack.query.retrieval.sorted_sets import grouped
from hardtack.text import LONGEST_ENDING, stem_of

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
"""An abbreviation of three letters, which is ambiguous."""
COMMON_PREFIX: Final = 0.5
"""Both share a prefix of six letters or more that is more than half of the longer word, or the code's word begins with the stem."""

# Lengths in letters: of an abbreviation, of a common prefix, and of a stem that may begin a word of the code.
_LEAST = 3
_LEAST_COMMON = 6
_COMMON_SHARE = 0.54
_LEAST_STEM = 4


def similar_terms(names: NameIndex, term: str) -> list[tuple[int, float]]:
    """Rows of the vocabulary that are similar to ``term``, with their weights, in ascending order of (weight, row)."""
    weights = {
        row: ABBREVIATION if length > _LEAST else SHORT_ABBREVIATION for length, row in names.rows_of_beginnings(term, _LEAST)
    }
    if len(term) > _LEAST:
        for row, weight in _common_prefixes(names, term):
            if weight > weights.get(row, 0.0):
                weights[row] = weight
    elif (row := names.row(term)) >= 0:
        weights[row] = 1.0
    return sorted(weights.items(), key=lambda pair: (pair[1], pair[0]))


def _common_prefixes(names: NameIndex, term: str) -> Iterator[tuple[int, float]]:
    """Rows of words that begin like ``term`` or its stem, with their weights.

    Some terms have hundreds, so the cheap tests come first: the length alone rules out the same stem for most words.
    """
    stem = stem_of(term)
    longest, trunk = len(stem) + LONGEST_ENDING, stem[:-1]
    is_long_stem = len(stem) >= _LEAST_STEM
    first, words = names.beginning(term[: max(_LEAST, min(len(stem), _LEAST_COMMON))])
    for row, word in enumerate(words, start=first):
        if len(word) <= longest and word.startswith(trunk) and stem_of(word) == stem:
            yield row, 1.0 if word == term else SAME_STEM
        elif word.startswith(term):
            yield row, PREFIX
        elif is_long_stem and word.startswith(stem):
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
"""Kinds whose names say less about the purpose of a file."""

_KIND_WEIGHTS: Final = np.array([0.5 if kind in WEAK else 1.0 for kind in KINDS])
_IS_TYPE: Final = np.array([kind in TYPES for kind in KINDS])

FOLDER_SHARE: Final = 0.5
"""Weight of a word in the name of a folder; in the name of a file it is 1."""

# Each entry of a posting list is packed into one 64-bit integer, so that one sort orders the entries by all three fields:
# ordinal of the file or symbol | position of the query's word | strength of the match in thousandths.
_WHOLLY: Final = 1000
_TERM_SHIFT: Final = 10
_SHIFT: Final = _TERM_SHIFT + (MAX_TERMS - 1).bit_length()
_TERM_MASK: Final = (1 << _SHIFT - _TERM_SHIFT) - 1
_NEARNESS_MASK: Final = (1 << _TERM_SHIFT) - 1
_TAG_MASK: Final = (1 << _SHIFT) - 1
"""Word and strength together."""

_FAMILIES: Final = (Family.STEM, Family.FOLDER, Family.PART)
_NOTHING: Final = np.empty(0, dtype=np.int64)

_KEPT_TERMS: Final = 1 << 12
"""Words whose similar terms are cached: the queries of one bundle share many words."""


class FileNameMatches(NamedTuple):
    """Matches of a query's words in the paths of files."""

    stems: WordMatches
    """In base names."""
    folders: WordMatches
    """In the names of their folders."""
    packed: Ordinals
    """Both, packed: the stems first."""


class SymbolNameMatches(NamedTuple):
    """Matches of a query's words in the names of symbols, by the files that define these."""

    names: WordMatches
    """All symbols; those of :data:`WEAK` kinds count half."""
    types: WordMatches
    """Types only."""
    files: Ordinals
    """(n,), files that define a matching symbol, ascending; the columns below have one entry for each."""
    best: Ordinals
    """The symbol of the file whose name is nearest to the query."""
    nearness: Floats
    """Nearness of that symbol's name to the query, above 0 and up to 1."""
    type_nearness: Floats
    """The same of the file's nearest type; 0 if no type matches."""


class NameMatcher:
    """Matches words with the names of a bundle's files and symbols. Threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._file_count = bundle.manifest.counts.files
        self._first_symbols = np.asarray(bundle.columns.of_files("first_symbol")).astype(np.int64)
        self._lengths = np.asarray(bundle.columns.of_symbols("parts"))
        self._references = np.asarray(bundle.columns.of_symbols("references"))
        self._near = lru_cache(maxsize=_KEPT_TERMS)(self._near_rows)

    def read(self, terms: Sequence[str], weights: Floats) -> tuple[FileNameMatches, SymbolNameMatches]:
        """The files and symbols whose names contain any of these words.

        Args:
            terms: at most :data:`MAX_TERMS`.
            weights: (terms,), the weight of each.
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
        return FileNameMatches(stems, folders, of_files), self._symbols(_strongest(of_symbols), weights)

    def _near_rows(self, term: str) -> Ordinals:
        """Rows of similar terms and their weights in thousandths, packed as for the first word of a query."""
        near = similar_terms(self._bundle.names, term)
        return np.array([row << _SHIFT | round(_WHOLLY * weight) for row, weight in near], dtype=np.int64)

    def covered(self, named: FileNameMatches, weights: Floats) -> Floats:
        """(all files,), the share of the query's weight that each path covers; words of folders count :data:`FOLDER_SHARE`."""
        packed, of_stems = named.packed.copy(), len(named.stems.files)
        packed[of_stems:] -= np.rint((1 - FOLDER_SHARE) * _WHOLLY * named.folders.strengths).astype(np.int64)
        files, terms, strengths = _unpacked(_strongest(packed))
        covered = np.zeros(self._file_count)
        np.add.at(covered, files, weights[terms] * strengths)
        return covered

    def _symbols(self, parts: Ordinals, weights: Floats) -> SymbolNameMatches:
        """The matching symbols, by file.

        The nearness of a name is the harmonic mean of two shares: of the query's weight that the name covers, and of the
        name's words that the query covers. Weak kinds count half.

        Args:
            parts: packed entries, ascending, each word at most once for each symbol.
            weights: (terms,), the weight of each word.
        """
        symbols_of_parts, terms, strengths = _unpacked(parts)
        symbols, first, symbol_of = grouped(symbols_of_parts)
        kinds = self._bundle.columns.kinds_of(symbols)
        kind_weights, is_type = _KIND_WEIGHTS[kinds], _IS_TYPE[kinds]
        covered = np.add.reduceat(weights[terms] * strengths, first)
        precision = np.minimum(np.add.reduceat(strengths, first) / np.maximum(self._lengths[symbols], 1), 1.0)
        nearness = 2 * kind_weights * covered * precision / (covered + precision)
        files_of_symbols = self.files_of(symbols)
        files, begin, file_of = grouped(files_of_symbols)
        best = np.maximum.reduceat(nearness, begin)
        last_best = (nearness == best[file_of]).nonzero()[0][::-1]
        nearest = np.empty(len(begin), dtype=np.int64)
        nearest[file_of[last_best]] = symbols[last_best]  # reversed: of equally near ones the first wins
        files_of_parts = files_of_symbols[symbol_of]
        return SymbolNameMatches(
            names=WordMatches(files_of_parts, terms, strengths * kind_weights[symbol_of]),
            types=WordMatches(files_of_parts, terms, strengths * is_type[symbol_of]),
            files=files,
            best=nearest,
            nearness=best,
            type_nearness=np.maximum.reduceat(nearness * is_type, begin),
        )

    def files_of(self, symbols: Ordinals) -> Ordinals:
        """The file of each symbol."""
        return self._first_symbols.searchsorted(symbols, side="right") - 1

    def references(self, symbols: Ordinals) -> Floats:
        """log(1 + references from other files) of each symbol; 0 for -1, which is no symbol."""
        if not len(self._references):
            return np.zeros(len(symbols))
        return np.where(symbols >= 0, np.log1p(self._references[symbols]), 0.0)

    def definers(self, name: str) -> tuple[Ordinals, Floats]:
        """The files that define a symbol of that name, ascending, and the greatest kind weight of these symbols in each file.

        Args:
            name: as :func:`terms.whole_name` folds it.
        """
        symbols = self.symbols_named(name)
        if not len(symbols):
            return np.empty(0, dtype=np.int64), np.empty(0)
        files, first, _ = grouped(self.files_of(symbols))
        return files, np.maximum.reduceat(_KIND_WEIGHTS[self._bundle.columns.kinds_of(symbols)], first)

    def symbols_named(self, name: str) -> Ordinals:
        """The symbols of that name, ascending.

        Args:
            name: as :func:`terms.whole_name` folds it.
        """
        index = self._bundle.names
        row = index.row(name) if name else -1
        return index.postings(Family.WHOLE, row).astype(np.int64) if row >= 0 else np.empty(0, dtype=np.int64)


def _strongest(packed: Ordinals) -> Ordinals:
    """The strongest entry of each ordinal and word, ascending by ordinal, then by word. Sorts ``packed`` in place."""
    packed.sort()
    keys = packed >> _TERM_SHIFT
    is_last = np.empty(len(packed), dtype=np.bool_)
    is_last[-1:] = True
    is_last[:-1] = keys[1:] != keys[:-1]
    return packed[is_last]


def _unpacked(packed: Ordinals) -> tuple[Ordinals, Ordinals, Floats]:
    """Ordinals, positions of words, and strengths, 0 to 1."""
    return packed >> _SHIFT, packed >> _TERM_SHIFT & _TERM_MASK, (packed & _NEARNESS_MASK) / _WHOLLY
