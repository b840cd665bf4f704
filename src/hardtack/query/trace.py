"""What the stages of one search saw and how long they took: written by them as they go, read by ``explain``."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hardtack.nouns.model import Candidate, Query
from hardtack.query.request.analysis import TextAnalysis
from hardtack.query.retrieval.fuse import Pool, fuse
from hardtack.query.retrieval.retrieve import RankedList

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.query.ranking.rank import Ranking


class Trace:
    """One search, stage by stage. Every search keeps one, so that what is explained is what happened."""

    def __init__(self, query: Query, analysis: TextAnalysis, *, was_cached: bool = False) -> None:
        """Begin now."""
        self.query = query
        """As it was understood: languages are ids, and so on."""
        self.analysis = analysis
        self.was_cached = was_cached
        """The answer to this very query was in the cache."""
        self.degraded = ""
        """Why hits are by keyword alone where vectors were asked for as well; empty when they are not."""
        self.vector: NDArray[np.float32] | None = None
        """The query's, once it was made."""
        self.lists: Mapping[str, RankedList] = {}
        """Retriever to what it found."""
        self.pool: Pool = fuse({})
        """All that was found, fused."""
        self.ranking: Ranking | None = None
        """The files that were ranked and what spoke for each; None where vectors alone were asked for."""
        self.ranked: Sequence[Candidate] = ()
        """What may become hits, in order of final scores."""
        self.filtered: Sequence[Candidate] = ()
        """Those of them that reach the least score."""
        self.times: dict[str, float] = {}
        """Stage to the seconds it took, in order."""
        self._since = time.perf_counter()

    @property
    def candidates_by_retriever(self) -> dict[str, list[Candidate]]:
        """Retriever to the candidates it found, best first."""
        return {retriever: ranked.candidates() for retriever, ranked in self.lists.items()}

    @property
    def fused(self) -> list[Candidate]:
        """The candidates of all retrievers, best fused score first."""
        return self.pool.candidates()

    def lap(self, stage: str) -> None:
        """Count the time since the last lap, or since the beginning, for ``stage``."""
        now = time.perf_counter()
        self.times[stage] = self.times.get(stage, 0.0) + now - self._since
        self._since = now
