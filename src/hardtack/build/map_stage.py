"""Source tree in, its analysed files out, with vectors, in path order: the map stage, which says of each file what it alone says.

Nothing after it can tell who ran it: worker processes of this machine or of a cluster (here), or earlier processes that left shards
(``shards/stage.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from hardtack.build.encoding import with_vectors
from hardtack.build.options import BuildOptions
from hardtack.build.report import BuildReport
from hardtack.build.reuse.analysed_files import AnalysedFiles
from hardtack.build.reuse.base_bundle import BaseBundle
from hardtack.build.reuse.checkpoint import Checkpoint
from hardtack.build.source.tree import SourceTree
from hardtack.build.workers.executors import Analysed
from hardtack.encoders import DEFAULT_ENCODER, Encoder

if TYPE_CHECKING:
    from hardtack.build.pools import NewPool


class MapStage(Protocol):
    """The map stage of one build attempt, to be run once. It tells the report of skips and secrets."""

    def running(self) -> AbstractContextManager[Iterator[Analysed]]:
        """Every file of the tree that is indexed, in path order; when the context ends, nothing of the stage runs any more."""

    def is_same(self, analysed: Analysed) -> bool:
        """Whether the base holds the same analysis of the file."""

    def is_reused(self, path: str) -> bool:
        """Whether the file came from the base."""


class TreeStage:
    """The map stage over a source tree, in worker processes; unchanged files come from the base or the checkpoint."""

    def __init__(
        self,
        tree: SourceTree,
        options: BuildOptions,
        report: BuildReport,
        *,
        new_pool: NewPool,
        encoder: Encoder | None,
        base: BaseBundle | None,
        checkpoint: Checkpoint,
    ) -> None:
        is_foreign = encoder is not None and encoder.name != DEFAULT_ENCODER
        self._files = AnalysedFiles(tree, options, report, base=base, checkpoint=checkpoint, keep_synopses=is_foreign)
        self._new_pool = new_pool
        self._encoder = encoder

    @contextmanager
    def running(self) -> Iterator[Iterator[Analysed]]:
        """As :meth:`MapStage.running`.

        Raises:
            Unusable: the base holds something else than the analysis of a file.
            PolicyError: there are secrets, and the options refuse them.
            EncoderUnavailable: the encoder has failed.
            BuildError: worker processes cannot be started, or a cluster has failed.
        """
        with self._new_pool() as pool:
            yield with_vectors(self._files.read(pool), self._encoder)

    def is_same(self, analysed: Analysed) -> bool:
        """As :meth:`MapStage.is_same`."""
        return self._files.is_same(analysed)

    def is_reused(self, path: str) -> bool:
        """As :meth:`MapStage.is_reused`."""
        return self._files.is_reused(path)
