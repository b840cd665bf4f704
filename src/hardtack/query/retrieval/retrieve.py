"""A query in, one ranked list of chunks for each of its aspects and each retriever out.

There are two retrievers: ``lexical`` looks the query's terms up in the BM25 index, weighted by field; ``dense`` looks up the
vectors nearest to the encoded query. Filters are applied inside the engines where possible, so that a list is short only when no
more chunks match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Candidate, Mode, Query
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.aspects import Aspect
from hardtack.query.request.selection import Selection
from hardtack.text import whole_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEXICAL: Final = "lexical"
DENSE: Final = "dense"

DEPTH: Final = 80
"""Least length of each list; ranking can only lift a chunk that is in a list."""

# Chunks for each hit, and for each further file that is named: several chunks belong to one file or are near-duplicates.
_PER_HIT: Final = 2
_PER_FILE: Final = 5

# Weights of the fields of a BM25 sum. Set by hand: a whole name is the strongest evidence, the parts of a name outweigh prose,
# and a path says less than a name. The weight of the sum in the ranking is learned.
FIELD_WEIGHTS: Final = {"name": 2.5, "scope": 0.6, "signature": 1.0, "doc": 1.2, "path": 1.0, "body": 1.0}
WHOLE_NAME_WEIGHT: Final = 6.0

KEYWORD_HALF: Final = 10.0
"""The BM25 score s that is reported as one half, by s / (s + 10)."""


class RankedList(NamedTuple):
    """The chunks that one retriever found, best first; both columns are (n,)."""

    ordinals: NDArray[np.int64]
    """Of chunks."""
    scores: NDArray[np.float64]
    """0 to 1: s / (s + 10) of BM25 scores s, cosines clipped at 0."""

    def candidates(self) -> list[Candidate]:
        """The list as candidates."""
        pairs = zip(self.ordinals.tolist(), self.scores.tolist(), strict=True)
        return [Candidate(ordinal, score) for ordinal, score in pairs]


EMPTY_LIST: Final = RankedList(np.empty(0, dtype=np.int64), np.empty(0))


def depth_of(query: Query) -> int:
    """The length of each list in the first attempt; :func:`hardtack.query.hits.gather.widened` makes more."""
    return max(DEPTH, _PER_HIT * query.limit, _PER_FILE * query.further)


def retrieve(
    bundle: Bundle,
    query: Query,
    aspects: Sequence[Aspect],
    selection: Selection,
    vectors: NDArray[np.float32] | None,
    depth: int,
    lap: Callable[[str], None] = lambda _: None,
) -> list[dict[str, RankedList]]:
    """For each aspect of a query the lists of the retrievers that ``query.mode`` asks for.

    Args:
        bundle: is searched.
        query: whose mode chooses the retrievers.
        aspects: of the query's text.
        selection: the chunks that pass the filters.
        vectors: (aspects, dimension); None leaves the dense retriever out.
        depth: length of each list at most; see :func:`depth_of`.
        lap: called with the name of each part at its end, for timing: ``keyword_search``, ``vector_search``.
    """
    lists: list[dict[str, RankedList]] = [{} for _ in aspects]
    if query.mode in (Mode.HYBRID, Mode.KEYWORD):
        for found, aspect in zip(lists, aspects, strict=True):
            found[LEXICAL] = _lexical(bundle, aspect.analysis, selection, depth)
        lap("keyword_search")
    if vectors is not None and query.mode in (Mode.HYBRID, Mode.VECTOR):
        for found, vector in zip(lists, vectors, strict=True):
            found[DENSE] = _dense(bundle, vector, selection, depth)
        lap("vector_search")
    return lists


def merged(lists: Sequence[Mapping[str, RankedList]]) -> Mapping[str, RankedList]:
    """The lists of several aspects of a query as one for each retriever; a chunk in several has its greatest score."""
    if len(lists) == 1:
        return lists[0]
    retrievers = dict.fromkeys(chain(*lists))
    return {retriever: _merged([each[retriever] for each in lists if retriever in each]) for retriever in retrievers}


def _merged(lists: Sequence[RankedList]) -> RankedList:
    ordinals, places = np.unique(np.concatenate([each.ordinals for each in lists]), return_inverse=True)
    scores = np.zeros(len(ordinals))
    np.maximum.at(scores, places, np.concatenate([each.scores for each in lists]))
    order = (-scores).argsort(kind="stable")
    return RankedList(ordinals[order], scores[order])


def _lexical(bundle: Bundle, analysis: TextAnalysis, selection: Selection, depth: int) -> RankedList:
    terms: dict[str, Sequence[tuple[str, float]]] = {
        field: [(term, weight * share) for term, share in analysis.weights.items()] for field, weight in FIELD_WEIGHTS.items()
    }
    terms["symbol"] = [(whole, WHOLE_NAME_WEIGHT) for name in analysis.names if (whole := whole_name(name))]

    def search(limit: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        ordinals, scores = bundle.lexical.search(terms, limit, selection.lexical, analysis.unspaced)
        return np.array(ordinals, dtype=np.int64), np.array(scores, dtype=np.float64)

    ordinals, scores = selection.first(depth, search)
    return RankedList(ordinals, scores / (scores + KEYWORD_HALF))


def _dense(bundle: Bundle, vector: NDArray[np.float32], selection: Selection, depth: int) -> RankedList:
    if not vector.any():
        return EMPTY_LIST
    search = bundle.vectors.search
    ordinals, scores = selection.first(depth, lambda limit: search(vector, limit, selection.flags))
    return RankedList(ordinals, scores.clip(0.0, 1.0))
