"""A word of a query in, the words of a bundle's names that may mean the same out, each with how much it counts.

People write ``authentication`` where code says ``auth``, and ``composition`` where it says ``compose``. A word of the code counts
fully when it is the query's, nearly so when both have one stem, and about half or less when one begins the other or both begin
alike. The weights are set by hand, in thousandths at the finest; what near matches are worth in a ranking is learned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from hardtack.bundle.indexes.names import NameIndex
from hardtack.text import LONGEST_ENDING, stem_of

SAME_STEM: Final = 0.95
BEGINS_SO: Final = 0.6
"""The query's word begins the code's: ``encod`` for ``encoder``."""
ABBREVIATES: Final = 0.4
"""The code's word begins the query's: ``auth`` for ``authentication``."""
SHORT: Final = 0.3
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
    weights = {row: ABBREVIATES if length > _LEAST else SHORT for length, row in names.rows_of_beginnings(term, _LEAST)}
    if len(term) > _LEAST:
        for row, weight in _alike(names, term):
            if weight > weights.get(row, 0.0):
                weights[row] = weight
    elif (row := names.row(term)) >= 0:
        weights[row] = 1.0
    return sorted(weights.items(), key=lambda pair: (pair[1], pair[0]))


def _alike(names: NameIndex, term: str) -> Iterator[tuple[int, float]]:
    """Rows of words that begin as ``term`` or its stem does, and what they count for.

    There are hundreds of them for some terms, so what is cheaply told is told first: most have another stem by their length.
    """
    stem = stem_of(term)
    longest, trunk = len(stem) + LONGEST_ENDING, stem[:-1]
    is_telling = len(stem) >= _LEAST_STEM
    first, words = names.beginning(term[: max(_LEAST, min(len(stem), _LEAST_ALIKE))])
    for row, word in enumerate(words, start=first):
        if len(word) <= longest and word.startswith(trunk) and stem_of(word) == stem:
            yield row, 1.0 if word == term else SAME_STEM
        elif word.startswith(term):
            yield row, BEGINS_SO
        elif is_telling and word.startswith(stem):
            yield row, ALIKE
        else:
            share = math.ceil(_SHARE_ALIKE * max(len(term), len(word)))
            if word.startswith(term[: max(share, _LEAST_ALIKE)]):
                yield row, ALIKE
