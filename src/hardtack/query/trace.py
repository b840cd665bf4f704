"""What the stages of one search saw and how long they took: written by them as they go, read by ``explain``."""

from __future__ import annotations

import time
from collections.abc import Mapping

from hardtack.hints import TYPE_CHECKING
from hardtack.model import Candidate, Query
from hardtack.query.analysis import Analysis, analyse
from hardtack.query.features import FileTable
from hardtack.query.fuse import Pool, fuse
from hardtack.query.line import Line
from hardtack.query.rank import Ranked
from hardtack.query.retrieve import Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NO_QUERY, _NO_ANALYSIS, _NOTHING, _NOBODY = Query(text=""), analyse(""), fuse({}), Line.of(())


class Trace:
    """One search, stage by stage. Every search keeps one, so that what is explained is what happened."""

    query: Query = _NO_QUERY
    """As it was understood: languages are ids, and so on."""
    was_kept: bool = False
    """The answer to this very query was at hand; where a trace is asked for it is made anew all the same."""
    degraded: str = ""
    """Why hits are by keyword alone where vectors were asked for as well; empty when they are not."""
    vector: NDArray[np.float32] | None = None
    """The query's, once it was made."""
    pool: Pool = _NOTHING
    """All that was found, fused."""
    ranking: Ranked | None = None
    """The files that were ranked and what spoke for each; None where vectors alone were asked for."""
    ranked: Line = _NOBODY
    """What may become hits, in order of final scores."""
    sufficing: Line = _NOBODY
    """Those of them that reach the least score."""

    def __init__(self, analysis: Analysis = _NO_ANALYSIS) -> None:
        """Begin, with an analysis where that is made elsewhere."""
        self.analysis = analysis
        self.found: Mapping[str, Found] = {}
        """Retriever to what it found."""
        self.times: dict[str, float] = {}
        """Stage to the seconds it took, in order."""
        self._since = time.perf_counter()

    @property
    def lists(self) -> dict[str, list[Candidate]]:
        """Retriever to the candidates it found, best first."""
        return {retriever: found.candidates(retriever) for retriever, found in self.found.items()}

    @property
    def fused(self) -> list[Candidate]:
        """The candidates of all retrievers, best fused score first."""
        return self.pool.candidates()

    @property
    def table(self) -> FileTable | None:
        """The files that were ranked and their features; None where vectors alone were asked for."""
        return self.ranking.table if self.ranking else None

    def lap(self, stage: str) -> None:
        """Count the time since the last lap, or since the beginning, for ``stage``."""
        now = time.perf_counter()
        self.times[stage] = self.times.get(stage, 0.0) + now - self._since
        self._since = now
