"""The retrievers' lists in, one pool of chunks out, by reciprocal rank fusion.

A chunk's fused score is the sum over the lists of 1 / (60 + its rank there) (Cormack, Clarke and Buettcher, SIGIR 2009), divided by
what a chunk that leads both lists of a hybrid search gets, so that it lies in 0..1. A pool keeps what each retriever said beside
it: ranking weighs those, and fusion alone orders nothing that a user sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardtack.nouns.model import Candidate
from hardtack.query.retrieval.retrieve import DENSE, LEXICAL, RankedList
from hardtack.query.retrieval.sorted_sets import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

K = 60
TOP = 2 / (K + 1)
"""The sum of a chunk that is first in two lists."""


class Pool(NamedTuple):
    """Chunks that may answer, in order of ordinal; one number of each a chunk."""

    lists: Mapping[str, NDArray[np.int64]]
    """What was fused: retriever to the places here of what it found, best first."""
    ordinals: NDArray[np.int64]
    fused: NDArray[np.float64]
    lexical: NDArray[np.float64]
    """The lexical retriever's score; 0 where it did not find the chunk."""
    dense: NDArray[np.float64]
    lexical_rank: NDArray[np.int64]
    """1-based rank in the list; 0 where it is not there."""
    dense_rank: NDArray[np.int64]

    def best_first(self) -> NDArray[np.int64]:
        """The places of all chunks, best fused score first, equal ones in order of ordinal."""
        return (-self.fused).argsort(kind="stable")

    def candidates(self) -> list[Candidate]:
        """The same as candidates, best first."""
        places = self.best_first()
        ordinals, scores = self.ordinals[places].tolist(), self.fused[places].tolist()
        return [
            Candidate(ordinal, score, lexical=lexical, dense=dense)
            for ordinal, score, (lexical, dense) in zip(ordinals, scores, self.evidence(places), strict=True)
        ]

    def evidence(self, places: NDArray[np.int64]) -> list[tuple[float | None, float | None]]:
        """What the lexical and the dense retriever gave the chunks at some places of the pool; None for one that was not found.

        Args:
            places: -1 for a chunk that is not in the pool.
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
    """One pool of all that was found. Of a single list the fused scores are its own."""
    ordinals = distinct(*(found.ordinals for found in lists.values())) if lists else np.empty(0, dtype=np.int64)
    count = len(ordinals)
    fused, columns, places = np.zeros(count), {}, {}
    for retriever in (LEXICAL, DENSE):
        scores, ranks = columns[retriever] = np.zeros(count), np.zeros(count, dtype=np.int64)
        if retriever in lists:
            found = lists[retriever]
            at = places[retriever] = ordinals.searchsorted(found.ordinals)
            numbers, shares = _of_ranks(len(at))
            scores[at] = found.scores
            ranks[at] = numbers
            fused[at] += found.scores if len(lists) == 1 else shares
    (lexical, lexical_rank), (dense, dense_rank) = columns[LEXICAL], columns[DENSE]
    return Pool(places, ordinals, fused, lexical, dense, lexical_rank, dense_rank)


@lru_cache(maxsize=16)
def _of_ranks(count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The first ranks, and what each gives to a fused score; the same for most lists, as they are equally long."""
    numbers = np.arange(1, count + 1)
    return numbers, 1 / (K + numbers) / TOP
