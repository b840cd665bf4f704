"""Whole files and a query's words: BM25 over whole files, and the pairs of words that stand on one line.

The lexical index knows chunks; a file whose words are spread over many of them answers as a whole. Words that answer together stand
together: ``retry`` and ``timeout`` on one line say more of a file than both of them far apart. A pair that few of the files have
tells more than one that most have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.indexes.cooccurrence import is_paired, pair_hashes
from hardtack.bundle.indexes.words import stem_hash
from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.shortlist import WordMatches
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.vocabulary import LITTLE_WEIGHT
from hardtack.query.retrieval.sorted_sets import sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]


# The customary constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).
_K1: Final = 1.2
_B: Final = 0.75


class FileScores(NamedTuple):
    """How files as wholes answer a query."""

    matches: WordMatches
    """Which have which words; a word is there or it is not."""
    whole: Floats
    """(all files,), the score of each as a whole; 0 for one that has none of the words."""


class FileTerms:
    """The words in the files of a bundle. Threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        """Take an open bundle; its index of words is mapped when a query is read."""
        self._bundle = bundle
        self._lengths = np.asarray(bundle.columns.of_files("length"))
        self._mean_length = (float(self._lengths.mean()) if len(self._lengths) else 0.0) or 1.0

    def read(self, stems: Sequence[str], weights: Floats) -> FileScores:
        """What the files say to these stems, each of which counts for so much."""
        count = len(self._lengths)
        ordinals, counts, lengths = self._bundle.words.postings(stems)
        files = ordinals.astype(np.int64)
        tells = weights * np.log1p((count - lengths + 0.5) / (lengths + 0.5))
        terms = np.arange(len(stems)).repeat(lengths)
        normed = _K1 * (1 - _B + _B / self._mean_length * self._lengths[files])
        scores = tells[terms] * counts * (_K1 + 1) / (counts + normed)
        return FileScores(WordMatches(files, terms, np.ones(len(files))), sums(files, scores, count=count))


MOST_WORDS: Final = 12
"""Words whose pairs are looked for: those that tell most."""


class WordPairs(NamedTuple):
    """The pairs of one query's words; all columns are (pairs,)."""

    one: Ordinals
    other: Ordinals
    """Places of the words in the query."""
    hashes: NDArray[np.uint32]


def pairs_of(analysis: TextAnalysis, terms: Sequence[str]) -> WordPairs:
    """The pairs of ``terms``, the analysed query's or some of them, that are worth a look; compound names are in by their parts."""
    weights, compounds = analysis.weights, analysis.compounds
    telling = [
        place for place, term in enumerate(terms) if weights[term] >= LITTLE_WEIGHT and is_paired(term) and term not in compounds
    ]
    if len(telling) > MOST_WORDS:
        telling = sorted(sorted(telling, key=lambda place: -weights[terms[place]])[:MOST_WORDS])
    places = np.array(telling, dtype=np.int64)
    hashes = np.array([stem_hash(analysis.stems[terms[place]]) for place in telling], dtype=np.uint32)
    one, other = _pairs_among(len(telling))
    differ = hashes[one] != hashes[other]
    one, other = one[differ], other[differ]
    return WordPairs(places[one], places[other], pair_hashes(hashes[one], hashes[other]))


@lru_cache(maxsize=MOST_WORDS + 1)
def _pairs_among(count: int) -> tuple[Ordinals, Ordinals]:
    """Every two of so many, the earlier one first."""
    one, other = np.triu_indices(count, 1)
    return one, other


def paired_shares(bundle: Bundle, files: Ordinals, has_words: NDArray[np.bool_], pairs: WordPairs) -> Floats:
    """The share of a query's pairs that stand on one line of each file, rare ones counting for more.

    Args:
        bundle: where to look.
        files: those that may answer.
        has_words: (files, terms), whether each has each word anywhere.
        pairs: of the query's words.

    Returns:
        (files,), 0 to 1.
    """
    if not len(pairs.hashes):
        return np.zeros(len(files))
    found = has_words[:, pairs.one] & has_words[:, pairs.other]
    rows, columns = found.nonzero()
    found[rows, columns] = bundle.pairs.has(files[rows], pairs.hashes[columns])
    having = found.sum(axis=0)
    rarities = np.log1p((len(files) - having + 0.5) / (having + 0.5))
    shares: Floats = found @ rarities / (rarities.sum() or 1.0)
    return shares
