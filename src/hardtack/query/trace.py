"""The record of one search: the result and the duration of each stage, which ``explain`` reads."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hardtack.nouns.model import Candidate, Query
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.request.aspects import Reading
from hardtack.query.retrieval.fuse import Pool, fuse
from hardtack.query.retrieval.retrieve import RankedList

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.query.ranking.rank import Ranking


class Trace:
    """The results of each stage of one search. Every search writes one, so ``explain`` shows what really happened."""

    def __init__(self, query: Query, reading: Reading, *, was_cached: bool = False) -> None:
        self.query = query
        """The checked query, with filters as parsed values."""
        self.reading = reading
        self.was_cached = was_cached
        """Whether the answer to the same query was in the cache."""
        self.degraded = ""
        """Why hits are by keyword alone although the query asks for vectors too; else empty."""
        self.vectors: NDArray[np.float32] | None = None
        """(aspects, dimension), of the query's aspects; None without them."""
        self.lists: Mapping[str, RankedList] = {}
        """Retriever to its ranked list, of all aspects together."""
        self.pool: Pool = fuse({})
        """The lists, fused."""
        self.ranking: Ranking | None = None
        """The ranking and the features of its files; None in a search by vectors alone."""
        self.ranked: Sequence[Candidate] = ()
        """The candidates, in order of final scores."""
        self.filtered: Sequence[Candidate] = ()
        """The candidates that reach the least score, each about a symbol that passes the filters."""
        self.times: dict[str, float] = {}
        """Stage to its seconds, in order of the first time."""
        self._since = time.perf_counter()

    @property
    def analysis(self) -> TextAnalysis:
        """Of the whole text."""
        return self.reading.analysis

    @property
    def candidates_by_retriever(self) -> dict[str, list[Candidate]]:
        """Retriever to its candidates, best first."""
        return {retriever: ranked.candidates() for retriever, ranked in self.lists.items()}

    @property
    def fused(self) -> list[Candidate]:
        """The candidates of all retrievers, best fused score first."""
        return self.pool.candidates()

    def lap(self, stage: str) -> None:
        """Add the time since the last lap, or since the start, to ``stage``."""
        now = time.perf_counter()
        self.times[stage] = self.times.get(stage, 0.0) + now - self._since
        self._since = now
