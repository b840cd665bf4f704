"""The stems of a query in, how files as wholes answer them out: BM25 over whole files.

The lexical index knows chunks; a file whose words are spread over many of them answers as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.shortlist import Matches
from hardtack.query.retrieval.sorted_sets import sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

# The customary constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).
_K1: Final = 1.2
_B: Final = 0.75


class Told(NamedTuple):
    """How files as wholes answer a query."""

    matches: Matches
    """Which have which words; a word is there or it is not."""
    whole: Floats
    """(all files,), the score of each as a whole; 0 for one that has none of the words."""


class Bodies:
    """The words in the files of a bundle. Threads may share one."""

    def __init__(self, bundle: Bundle) -> None:
        """Take an open bundle; its index of words is mapped when a query is read."""
        self._bundle = bundle
        self._lengths = np.asarray(bundle.columns.of_files("length"))
        self._mean_length = (float(self._lengths.mean()) if len(self._lengths) else 0.0) or 1.0

    def read(self, stems: Sequence[str], weights: Floats) -> Told:
        """What the files say to these stems, each of which counts for so much."""
        count = len(self._lengths)
        ordinals, counts, lengths = self._bundle.words.postings(stems)
        files = ordinals.astype(np.int64)
        tells = weights * np.log1p((count - lengths + 0.5) / (lengths + 0.5))
        terms = np.arange(len(stems)).repeat(lengths)
        normed = _K1 * (1 - _B + _B / self._mean_length * self._lengths[files])
        scores = tells[terms] * counts * (_K1 + 1) / (counts + normed)
        return Told(Matches(files, terms, np.ones(len(files))), sums(files, scores, count=count))
