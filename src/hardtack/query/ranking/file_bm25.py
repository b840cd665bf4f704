"""The words of a query in, BM25 scores of whole files and the words' co-occurrence on one line out.

The lexical index holds chunks; the score of the whole file finds files whose matching words are spread over many chunks. Words on
one line say more than words far apart: ``retry`` and ``timeout`` together are better evidence. A pair that few files have weighs
more than one that most have.
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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]


# The customary constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).
_K1: Final = 1.2
_B: Final = 0.75


class FileScores(NamedTuple):
    """How well whole files match a query."""

    matches: WordMatches
    """Which files have which words; every strength is 1."""
    whole: Floats
    """(all files,), BM25 scores; 0 for a file with none of the words."""


class FileTerms:
    """BM25 over the files of a bundle. Threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._lengths = np.asarray(bundle.columns.of_files("length"))
        self._mean_length = (float(self._lengths.mean()) if len(self._lengths) else 0.0) or 1.0

    def read(self, stems: Sequence[str], weights: Floats) -> FileScores:
        """Score all files.

        Args:
            stems: of the query's words.
            weights: (stems,), the weight of each.
        """
        count = len(self._lengths)
        ordinals, counts, lengths = self._bundle.words.postings(stems)
        files = ordinals.astype(np.int64)
        idf = weights * np.log1p((count - lengths + 0.5) / (lengths + 0.5))
        terms = np.arange(len(stems)).repeat(lengths)
        normed = _K1 * (1 - _B + _B / self._mean_length * self._lengths[files])
        scores = idf[terms] * counts * (_K1 + 1) / (counts + normed)
        whole = np.zeros(count)
        np.add.at(whole, files, scores)
        return FileScores(WordMatches(files, terms, np.ones(len(files))), whole)


MOST_WORDS: Final = 12
"""Words whose pairs are looked up at most: those of the greatest weight."""


class WordPairs(NamedTuple):
    """The pairs of one query's words; all columns are (pairs,)."""

    one: Ordinals
    other: Ordinals
    """Positions of the two words in the query."""
    hashes: NDArray[np.uint32]
    """What the co-occurrence index knows the pair by."""


def pairs_of(analysis: TextAnalysis, terms: Sequence[str]) -> WordPairs:
    """The pairs of words to look up: words of some weight, compound names by their parts only.

    Args:
        analysis: of the query.
        terms: all of the query's terms, or some of them.
    """
    weights, compounds = analysis.weights, analysis.compounds
    chosen = [
        place for place, term in enumerate(terms) if weights[term] >= LITTLE_WEIGHT and is_paired(term) and term not in compounds
    ]
    if len(chosen) > MOST_WORDS:
        chosen = sorted(sorted(chosen, key=lambda place: -weights[terms[place]])[:MOST_WORDS])
    places = np.array(chosen, dtype=np.int64)
    hashes = np.array([stem_hash(analysis.stems[terms[place]]) for place in chosen], dtype=np.uint32)
    one, other = _pairs_among(len(chosen))
    differ = hashes[one] != hashes[other]
    one, other = one[differ], other[differ]
    return WordPairs(places[one], places[other], pair_hashes(hashes[one], hashes[other]))


@lru_cache(maxsize=MOST_WORDS + 1)
def _pairs_among(count: int) -> tuple[Ordinals, Ordinals]:
    """All pairs of ``count`` positions, the lower one first."""
    one, other = np.triu_indices(count, 1)
    return one, other


def paired_shares(bundle: Bundle, files: Ordinals, has_words: NDArray[np.bool_], pairs: WordPairs) -> Floats:
    """The share of a query's pairs that each file has on one line, weighted by the rarity of the pair among these files.

    Args:
        bundle: holds the co-occurrence index.
        files: those that may answer.
        has_words: (files, terms), whether the file has the word anywhere.
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
