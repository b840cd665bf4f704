"""The retrievers' lists in, one pool of chunks out, by reciprocal rank fusion.

A chunk's fused score is the sum of 1 / (60 + rank) over the lists that hold it (Cormack, Clarke and Buettcher, SIGIR 2009),
divided by the sum of a chunk that is first in two lists, so that it is 0 to 1. The fused scores choose which files are ranked; the
pool also keeps each retriever's own scores, from which ranking makes features.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardtack.nouns.model import Candidate
from hardtack.query.retrieval.retrieve import DENSE, EMPTY_LIST, LEXICAL, RankedList
from hardtack.query.retrieval.sorted_sets import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

K = 60
TOP = 2 / (K + 1)
"""The sum of a chunk that is first in two lists."""


class Pool(NamedTuple):
    """The chunks that the retrievers found, ascending; all columns but ``lists`` are (chunks,)."""

    lists: Mapping[str, NDArray[np.int64]]
    """Retriever to the positions of its chunks in this pool, best first."""
    ordinals: NDArray[np.int64]
    fused: NDArray[np.float64]
    lexical: NDArray[np.float64]
    """Score of the lexical retriever; 0 if it did not find the chunk."""
    dense: NDArray[np.float64]
    lexical_rank: NDArray[np.int64]
    """1-based rank in the lexical list; 0 if it is not there."""
    dense_rank: NDArray[np.int64]

    def best_first(self) -> NDArray[np.int64]:
        """The positions of all chunks, best fused score first; equal scores in order of ordinal."""
        return (-self.fused).argsort(kind="stable")

    def candidates(self) -> list[Candidate]:
        """All chunks as candidates, best fused score first."""
        places = self.best_first()
        ordinals, scores = self.ordinals[places].tolist(), self.fused[places].tolist()
        return [
            Candidate(ordinal, score, lexical=lexical, dense=dense)
            for ordinal, score, (lexical, dense) in zip(ordinals, scores, self.evidence(places), strict=True)
        ]

    def evidence(self, places: NDArray[np.int64]) -> list[tuple[float | None, float | None]]:
        """The lexical and the dense score of some chunks; None from a retriever that did not find the chunk.

        Args:
            places: positions in the pool; -1 for a chunk that is not in it.
        """
        if not len(self.ordinals):
            return [(None, None)] * len(places)
        lexical, dense = (
            [score if rank and place >= 0 else None for place, rank, score in zip(*columns, strict=True)]
            for columns in (
                (places.tolist(), ranks[places].tolist(), scores[places].tolist())
                for ranks, scores in ((self.lexical_rank, self.lexical), (self.dense_rank, self.dense))
            )
        )
        return [*zip(lexical, dense, strict=True)]


def fuse(lists: Mapping[str, RankedList]) -> Pool:
    """Fuse the lists into one pool. With a single list the fused scores are its own scores."""
    ordinals = distinct(EMPTY_LIST.ordinals, *(found.ordinals for found in lists.values()))
    count = len(ordinals)
    fused, columns, places = np.zeros(count), {}, {}
    for retriever in (LEXICAL, DENSE):
        scores, ranks = columns[retriever] = np.zeros(count), np.zeros(count, dtype=np.int64)
        if retriever in lists:
            found = lists[retriever]
            at = places[retriever] = ordinals.searchsorted(found.ordinals)
            numbers, shares = _rank_shares(len(at))
            scores[at] = found.scores
            ranks[at] = numbers
            fused[at] += found.scores if len(lists) == 1 else shares
    (lexical, lexical_rank), (dense, dense_rank) = columns[LEXICAL], columns[DENSE]
    return Pool(places, ordinals, fused, lexical, dense, lexical_rank, dense_rank)


@lru_cache(maxsize=16)
def _rank_shares(count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The ranks 1 to ``count`` and the share of a fused score that each gives. Cached: most lists have the same length."""
    numbers = np.arange(1, count + 1)
    return numbers, 1 / (K + numbers) / TOP
