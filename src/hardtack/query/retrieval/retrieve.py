"""A query in, one ranked list of chunks for each retriever out.

Two retrievers: ``lexical`` asks the BM25 index for the query's terms, weighted by field; ``dense`` asks the vectors for the
neighbours of the encoded query. Filters are applied inside the engines where they can, so a list is short only when the bundle has
no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Candidate, Mode, Query
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.selection import Selection
from hardtack.text.terms import whole_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEXICAL: Final = "lexical"
DENSE: Final = "dense"

DEPTH: Final = 80
"""Chunks each retriever gives at least; ranking can only lift what is in a list."""

# And as many for each hit, and for each file to be named after them: several chunks are of one file, or say the same.
_PER_HIT: Final = 2
_PER_FILE: Final = 5

# Weights of the fields of a BM25 sum. Set by hand: a whole name is the strongest evidence there is, the parts of a
# name outweigh prose, a path says less than a name. What their sum is worth in a ranking is learned.
FIELD_WEIGHTS: Final = {"name": 2.5, "scope": 0.6, "signature": 1.0, "doc": 1.2, "path": 1.0, "body": 1.0}
WHOLE_NAME_WEIGHT: Final = 6.0

KEYWORD_HALF: Final = 10.0
"""The BM25 score that is reported as one half."""


class RankedList(NamedTuple):
    """What one retriever found, best first."""

    ordinals: NDArray[np.int64]
    """Of chunks."""
    scores: NDArray[np.float64]
    """0 to 1: BM25 s as s / (s + 10), cosines clipped at 0."""

    def candidates(self) -> list[Candidate]:
        """The same as candidates, for who looks at them one by one."""
        pairs = zip(self.ordinals.tolist(), self.scores.tolist(), strict=True)
        return [Candidate(ordinal, score) for ordinal, score in pairs]


EMPTY_LIST: Final = RankedList(np.empty(0, dtype=np.int64), np.empty(0))


def depth_of(query: Query) -> int:
    """How many chunks each list is to have at first."""
    return max(DEPTH, _PER_HIT * query.limit, _PER_FILE * query.further)


def retrieve(
    bundle: Bundle,
    query: Query,
    analysis: TextAnalysis,
    selection: Selection,
    vector: NDArray[np.float32] | None,
    depth: int,
    lap: Callable[[str], None] = lambda _: None,
) -> dict[str, RankedList]:
    """The lists of the retrievers that ``query.mode`` asks for.

    Args:
        bundle: where to look.
        query: what is asked.
        analysis: of its text.
        selection: what may answer.
        vector: of the text; None leaves the dense retriever out.
        depth: chunks that each list has at most; see :func:`depth_of`.
        lap: told of each part when it is done, to be timed: ``keyword_search``, ``vector_search``.
    """
    lists: dict[str, RankedList] = {}
    if query.mode in (Mode.HYBRID, Mode.KEYWORD):
        lists[LEXICAL] = _lexical(bundle, analysis, selection, depth)
        lap("keyword_search")
    if vector is not None and query.mode in (Mode.HYBRID, Mode.VECTOR):
        lists[DENSE] = _dense(bundle, vector, selection, depth)
        lap("vector_search")
    return lists


def _lexical(bundle: Bundle, analysis: TextAnalysis, selection: Selection, depth: int) -> RankedList:
    terms: dict[str, Sequence[tuple[str, float]]] = {
        field: [(term, weight * tells) for term, tells in analysis.weights.items()] for field, weight in FIELD_WEIGHTS.items()
    }
    terms["symbol"] = [(whole, WHOLE_NAME_WEIGHT) for name in analysis.names if (whole := whole_name(name))]

    def search(limit: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        ordinals, scores = bundle.lexical.search(terms, limit, selection.lexical)
        return np.array(ordinals, dtype=np.int64), np.array(scores, dtype=np.float64)

    ordinals, scores = selection.first(depth, search)
    return RankedList(ordinals, scores / (scores + KEYWORD_HALF))


def _dense(bundle: Bundle, vector: NDArray[np.float32], selection: Selection, depth: int) -> RankedList:
    if not vector.any():
        return EMPTY_LIST
    search = bundle.vectors.search
    ordinals, scores = selection.first(depth, lambda limit: search(vector, limit, selection.flags))
    return RankedList(ordinals, scores.clip(0.0, 1.0))
