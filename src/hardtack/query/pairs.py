"""The words of a query in, how many of their pairs stand on one line of each file out.

Words that answer together stand together: ``retry`` and ``timeout`` on one line say more of a file than both of them far apart. A
pair that few of the files have tells more than one that most have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.pairs import is_paired, pair_hashes
from hardtack.bundle.reader import Bundle
from hardtack.bundle.words import stem_hash
from hardtack.query.analysis import Analysis
from hardtack.query.word_weights import LITTLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

MOST_WORDS: Final = 12
"""Words whose pairs are looked for: those that tell most."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of one query's words; all columns are (pairs,)."""

    one: Ordinals
    other: Ordinals
    """Places of the words in the query."""
    hashes: NDArray[np.uint32]


def pairs_of(analysis: Analysis, terms: Sequence[str]) -> Pairs:
    """The pairs of ``terms``, the analysed query's or some of them, that are worth a look; compound names are in by their parts."""
    weights = [analysis.weights[term] if is_paired(term) and term not in analysis.compounds else 0.0 for term in terms]
    telling = sorted(range(len(terms)), key=lambda place: -weights[place])[:MOST_WORDS]
    telling = [place for place in telling if weights[place] >= LITTLE]
    hashes = [stem_hash(analysis.stems[term]) for term in terms]
    pairs = [(one, other) for one, other in combinations(sorted(telling), 2) if hashes[one] != hashes[other]]
    one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    of_stems = np.array(hashes, dtype=np.uint32)
    return Pairs(one, other, pair_hashes(of_stems[one], of_stems[other]))


def paired_shares(bundle: Bundle, files: Ordinals, has_words: NDArray[np.bool_], pairs: Pairs) -> Floats:
    """The share of a query's pairs that stand on one line of each file, rare ones counting for more.

    Args:
        bundle: where to look.
        files: those that may answer.
        has_words: (files, terms), whether each has each word anywhere.
        pairs: of the query's words.

    Returns:
        (files,), 0 to 1.
    """
    found = has_words[:, pairs.one] & has_words[:, pairs.other]
    rows, columns = found.nonzero()
    found[rows, columns] = bundle.pairs.has(files[rows], pairs.hashes[columns])
    having = found.sum(axis=0)
    rarities = np.log1p((len(files) - having + 0.5) / (having + 0.5))
    shares: Floats = found @ rarities / (rarities.sum() or 1.0)
    return shares
