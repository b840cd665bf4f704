"""A word of a query in, the words of a bundle's names that may mean the same out, each with how much it counts.

People write ``authentication`` where code says ``auth``, and ``composition`` where it says ``compose``. A word of the code counts
fully when it is the query's, nearly so when both have one stem, and about half when one abbreviates the other or both begin alike.
The weights are set by hand; what near matches are worth in a ranking is learned.
"""

from __future__ import annotations

from typing import Final

from hardtack.bundle.names import NameIndex
from hardtack.stems import stem_of

SAME_STEM: Final = 0.95
BEGINS_SO: Final = 0.6
"""The query's word begins the code's: ``encod`` for ``encoder``."""
ABBREVIATES: Final = 0.55
"""The code's word begins the query's: ``auth`` for ``authentication``."""
SHORT: Final = 0.4
"""The same with three letters, which abbreviate many things."""
ALIKE: Final = 0.5
"""Both begin with the same six letters or more, and with more than half of the longer word; or the code's with the stem."""

_LEAST = 3
_LEAST_ALIKE = 6
_SHARE_ALIKE = 0.54
_LEAST_STEM = 4


def near_words(names: NameIndex, term: str) -> list[tuple[int, float]]:
    """Rows of the vocabulary that ``term`` may mean, with their weights, least first; equal weights in order of row.

    Args:
        names: of the bundle.
        term: one lower-case word.
    """
    weights: dict[int, float] = {}
    words = names.words
    for length in range(_LEAST, len(term)):
        row = names.row(term[:length])
        if row >= 0:
            weights[row] = ABBREVIATES if length > _LEAST else SHORT
    stem = stem_of(term)
    common = max(_LEAST, min(len(stem), _LEAST_ALIKE))
    if len(term) > _LEAST:
        for row in names.rows_from(term[:common]):
            weight = _weight(term, stem, words[row])
            if weight > weights.get(row, 0.0):
                weights[row] = weight
    elif (row := names.row(term)) >= 0:
        weights[row] = 1.0
    return sorted(weights.items(), key=lambda pair: (pair[1], pair[0]))


def _weight(term: str, stem: str, word: str) -> float:
    if word == term:
        return 1.0
    if stem_of(word) == stem:
        return SAME_STEM
    if word.startswith(term):
        return BEGINS_SO
    if len(stem) >= _LEAST_STEM and word.startswith(stem):
        return ALIKE
    same = 0
    for mine, other in zip(term, word, strict=False):
        if mine != other:
            break
        same += 1
    return ALIKE if same >= _LEAST_ALIKE and same >= _SHARE_ALIKE * max(len(term), len(word)) else 0.0
