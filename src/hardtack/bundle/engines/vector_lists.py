"""Quantised vectors in, inverted lists out: the list of each chunk, and how many lists a search must scan.

A list has the chunks that are nearest to its centroid (spherical k-means). The number of lists to scan is measured here and stored:
enough to find 99.5 % of the 50 nearest, for queries that are chunks and for mixtures of three chunks, which are as far from all
chunks as users' queries are. If that is more than half of the lists, no lists are made, and every search is exact.

The same codes give the same lists on any processor with any number of threads: all sums are of whole numbers small enough for
float32 to add exactly, in any order of a matrix product. For that, vectors of length 1 are scaled to length :data:`_LENGTH` and
rounded. Nothing is random: samples are evenly spaced.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.float32]
"""Rows of whole numbers, each row at most 4,096 long."""

_LENGTH: Final = 3200.0
"""The length that 1 is scaled to. Rounding adds at most sqrt(4,096) / 2, and quantisation adds less than a quarter, so rows are at
most 4,032 long; then the terms of a product of two add up to less than 2^24 in any order (Cauchy-Schwarz)."""

_BLOCK: Final = 4096
"""Rows that are multiplied together."""
_SAMPLE: Final = 64
"""Chunks for each list in the sample that centroids are trained on."""
_ROUNDS: Final = 8
"""Iterations of k-means. On 200,000 chunks, two more change the number of probes by less than a twentieth."""
_QUERIES: Final = 256
"""Queries of each kind that recall is measured with."""
DEPTH: Final = 50
"""The number of nearest neighbours for which recall is measured."""
RECALL: Final = 0.995
"""The recall to reach here, so that it is at least 0.99 for users' queries: with 0.99 here and 200,001 chunks, it was 0.987 for the
queries of ``benchmarks/vectors_at_scale.py``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvertedLists:
    """Which chunks lie in which list."""

    centroids: Whole
    """(lists, d)."""
    ordinals: NDArray[np.int64]
    """(n,) of the chunks, list after list, ascending within each."""
    sizes: NDArray[np.int64]
    """(lists,): how many chunks are in each."""
    probes: int
    """Lists that a search looks through."""
    recall: float
    """The share of the exact :data:`DEPTH` nearest that this finds, for the kind of query with the lower share."""


class WholeVectors:
    """The stored vectors, as whole numbers."""

    def __init__(self, codes: NDArray[np.uint8], minima: NDArray[np.float32], ranges: NDArray[np.float32]) -> None:
        """Take codes (n, d) and their minima and ranges, both (d,)."""
        self._codes = codes
        self._scale = ranges * np.float32(_LENGTH / 255)
        self._offset = minima * np.float32(_LENGTH) + self._scale / 2

    def __len__(self) -> int:
        return len(self._codes)

    def take(self, rows: slice | NDArray[np.int64]) -> Whole:
        """Some rows, in that order."""
        taken = self._codes[rows].astype(np.float32)
        taken *= self._scale
        taken += self._offset
        return np.rint(taken, out=taken)

    def blocks(self) -> Iterator[tuple[int, Whole]]:
        """All rows, some at a time, with the number of the first."""
        for start in range(0, len(self), _BLOCK):
            yield start, self.take(slice(start, start + _BLOCK))


def whole(vectors: NDArray[np.float32]) -> Whole:
    """Vectors of length 1 as whole numbers."""
    scaled: Whole = np.rint(vectors * np.float32(_LENGTH))
    return scaled


def inverted_lists(codes: NDArray[np.uint8], minima: NDArray[np.float32], ranges: NDArray[np.float32]) -> InvertedLists | None:
    """Lists for the chunks with these ``codes`` (n, d), or None if a search would have to scan more than half of the lists."""
    vectors = WholeVectors(codes, minima, ranges)
    lists = 1 << round(math.log2(2 * math.sqrt(len(vectors))))
    centroids = _trained(vectors, lists)
    labels = np.concatenate([_labels(block, centroids) for _, block in vectors.blocks()])
    probes, recall = _probes(vectors, centroids, labels)
    if probes > lists // 2:
        return None
    return InvertedLists(
        centroids=centroids,
        ordinals=np.argsort(labels, kind="stable"),
        sizes=np.bincount(labels, minlength=lists),
        probes=probes,
        recall=recall,
    )


def nearest_lists(query: Whole, centroids: Whole, probes: int) -> NDArray[np.int64]:
    """The numbers of the ``probes`` lists whose centroids are nearest to ``query`` (d,), ascending."""
    return np.sort(np.argpartition(_keys(query[None], centroids)[0], probes - 1)[:probes])


def _keys(queries: Whole, centroids: Whole) -> NDArray[np.int64]:
    """(queries, lists): sort keys, smaller for a nearer list, and for the lower number of two that are equally near."""
    products = (queries @ centroids.T).astype(np.int64)
    return np.arange(len(centroids)) - products * len(centroids)


def _labels(block: Whole, centroids: Whole) -> NDArray[np.int64]:
    """The list of each row."""
    labels: NDArray[np.int64] = np.argmax(block @ centroids.T, axis=1)
    return labels


def _evenly(count: int, of: int) -> NDArray[np.int64]:
    """``count`` row numbers, or fewer, evenly spaced below ``of``."""
    return np.unique(np.arange(count) * of // count)


def _trained(vectors: WholeVectors, lists: int) -> Whole:
    """The centroids of ``lists`` lists."""
    sample = vectors.take(_evenly(lists * _SAMPLE, len(vectors)))
    centroids = sample[_evenly(lists, len(sample))]
    for _ in range(_ROUNDS):
        labels = np.concatenate([_labels(sample[at : at + _BLOCK], centroids) for at in range(0, len(sample), _BLOCK)])
        order = np.argsort(labels, kind="stable")
        ends = np.cumsum(np.bincount(labels, minlength=lists))
        for number, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            centroid = sample[order[start:end]].sum(axis=0, dtype=np.float64).astype(np.int64)
            length = math.sqrt(int((centroid * centroid).sum()))
            if length:  # an empty list keeps the centroid it had
                centroids[number] = np.rint(centroid * (_LENGTH / length))
    return centroids


def _probes(vectors: WholeVectors, centroids: Whole, labels: NDArray[np.int64]) -> tuple[int, float]:
    """The number of lists to scan, and the recall that it gives."""
    rows = _evenly(_QUERIES, len(vectors))
    thirds = [vectors.take((rows + part * len(vectors) // 3) % len(vectors)) for part in range(3)]
    needed = [_needed(vectors, queries, centroids, labels) for queries in (thirds[0], np.add.reduce(thirds))]
    kinds = [each for each in needed if len(each)]
    if not kinds:  # all vectors are zero, so any list will do
        return 1, 1.0
    probes = max(int(each[math.ceil(RECALL * len(each)) - 1]) for each in kinds) + 1
    return probes, min(float((each < probes).mean()) for each in kinds)


def _needed(vectors: WholeVectors, queries: Whole, centroids: Whole, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each nearest chunk of each query, how many lists are nearer to the query than the chunk's own list; sorted."""
    lengths = np.sqrt((queries.astype(np.float64) ** 2).sum(axis=1))
    queries = np.rint(queries[lengths > 0] * (_LENGTH / lengths[lengths > 0])[:, None]).astype(np.float32)
    nearest = _nearest(vectors, queries)
    ranks = np.argsort(np.argsort(_keys(queries, centroids), axis=1), axis=1)
    return np.sort(np.take_along_axis(ranks, labels[nearest], axis=1), axis=None)


def _nearest(vectors: WholeVectors, queries: Whole) -> NDArray[np.int64]:
    """(queries, DEPTH): the rows of the nearest vectors, of equally near ones the first."""
    found = np.empty((3, 0), dtype=np.int64)  # query, row, product
    floors = np.full(len(queries), -np.inf, dtype=np.float32)
    for start, block in vectors.blocks():
        products = queries @ block.T
        numbers, rows = np.nonzero(products > floors[:, None])
        found = np.concatenate([found, [numbers, rows + start, products[numbers, rows].astype(np.int64)]], axis=1)
        found = found[:, np.lexsort((found[1], -found[2], found[0]))]
        firsts = np.searchsorted(found[0], np.arange(len(queries)))
        found = found[:, np.arange(found.shape[1]) - firsts[found[0]] < DEPTH]
        if found.shape[1] == DEPTH * len(queries):
            floors = found[2].reshape(-1, DEPTH)[:, -1].astype(np.float32)
    nearest: NDArray[np.int64] = found[1].reshape(len(queries), min(DEPTH, len(vectors)))
    return nearest
