"""A part of a tree in, its shard out; and the encoder of a merge, as far as it needs one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.build.encoding import bounds_of, members_of
from hardtack.build.history.commits import commits_of
from hardtack.build.lost_time import LostTime
from hardtack.build.map_stage import TreeStage
from hardtack.build.options import BuildOptions, recorded
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import BaseBundle
from hardtack.build.reuse.checkpoint import Checkpoint
from hardtack.build.reuse.maker import maker
from hardtack.build.shards.commits import storable
from hardtack.build.shards.head import ShardHead
from hardtack.build.shards.shard_file import ShardFile, ShardWriter
from hardtack.build.source.part import PartOfTree
from hardtack.build.workers.executors import Analysed
from hardtack.bundle.engines.vector_codes import Bounds
from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import EncoderIdentity
from hardtack.encoders import BUILT_IN, Encoder, load_encoder
from hardtack.encoders.foreign import PROBE_TEXT, is_same_model
from hardtack.errors import BuildError
from hardtack.nouns.outline import Skip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardtack.build.pools import NewPool

_NO_CHECKPOINT: Final = -1


class ShardMaking:
    """One attempt to make a shard."""

    def __init__(
        self,
        part: PartOfTree,
        options: BuildOptions,
        report: BuildReport,
        *,
        new_pool: NewPool,
        encoder: Encoder | None,
        base: BaseBundle | None,
    ) -> None:
        self._part = part
        self._options = options
        self._report = report
        self._encoder = encoder
        checkpoint = Checkpoint(_NO_CHECKPOINT, b"")
        self._stage = TreeStage(part.tree, options, report, new_pool=new_pool, encoder=encoder, base=base, checkpoint=checkpoint)

    def write(self, writer: ShardWriter, progress: Callable[[int], None]) -> tuple[str, int]:
        """Write the shard; once. Gives its digest, hex, and the number of its files.

        Raises:
            As :meth:`assembly.Assembly.write`.
        """
        lost_time, bounds = LostTime(self._report), bounds_of(self._encoder)
        with self._stage.running() as files:
            for analysed in files:
                lost_time.note(analysed)
                writer.add(_with_codes(analysed, bounds))
                progress(writer.files)
        has_commits, end = self._add_commits(writer)
        encoder = self._encoder
        head = ShardHead(
            part=self._part.part,
            maker=maker(),
            options=recorded(self._options),
            history=self._options.history,
            encoder=EncoderIdentity(encoder.name, encoder.fingerprint, encoder.dimension) if encoder else None,
            provenance=self._part.tree.provenance,
            tree=self._part.identity,
            probe=_probe_of(encoder),
            notes=self._part.tree.notes,
            has_commits=has_commits,
            end=end,
        )
        return writer.finish(self._skips_of_tree(), head), writer.files

    def _skips_of_tree(self) -> tuple[Skip, ...]:
        """The paths that are skipped, without those whose parser failed: these are among the files."""
        failed = {path for path, _ in self._report.failures}
        return tuple(skip for skip in self._report.skips if skip.path not in failed)

    def _add_commits(self, writer: ShardWriter) -> tuple[bool, str]:
        """Add the history to the shard of part 1; (whether there is one, why it ends)."""
        commits = commits_of(self._part.tree, self._options) if self._part.part.number == 1 else None
        if commits is None:
            return False, ""
        for commit in storable(commits, keep_secrets=self._options.source.secrets == "warn"):
            writer.add_commit(commit)
        return True, commits.end


def _with_codes(analysed: Analysed, bounds: Bounds | None) -> Analysed:
    """The same with the codes of its vectors, a quarter of their size, where the encoder has bounds."""
    indexed = analysed.indexed
    if bounds is None or indexed is None or not indexed.vectors:
        return analysed
    vectors = np.frombuffer(indexed.vectors, dtype=np.float32).reshape(-1, len(bounds.minima))
    return replace(analysed, indexed=replace(indexed, vectors=b"", codes=bounds.codes_of(vectors).tobytes()))


def _probe_of(encoder: Encoder | None) -> bytes:
    if encoder is None or encoder.name in BUILT_IN:
        return b""
    probe = members_of(encoder)[layout.ENCODER_PROBE]
    assert isinstance(probe, bytes)
    return probe


def encoder_of(shards: Sequence[ShardFile]) -> Encoder | None:
    """The encoder of the bundle that is merged of ``shards``, which agree on it; None without vectors. No model is loaded.

    Raises:
        BuildError: their vectors are of two models, whatever they are called.
    """
    identity = shards[0].head.encoder
    if identity is None:
        return None
    if identity.name in BUILT_IN:
        return load_encoder(identity.name)
    first, *others = [(shard, np.frombuffer(shard.head.probe, dtype="<f4")) for shard in shards]
    for shard, probe in others:
        if not is_same_model(first[1], probe):
            raise BuildError(
                f"{shard.path} has the vectors of another model than {first[0].path}, though both are called {identity.name}.",
                hint="Build all shards with one model.",
            )
    return ProbedEncoder(identity, first[1])


class ProbedEncoder:
    """An encoder of which only one vector is at hand, the one by which it is recognised."""

    def __init__(self, identity: EncoderIdentity, probe: NDArray[np.float32]) -> None:
        self.name = identity.name
        self.fingerprint = identity.fingerprint
        self.dimension = identity.dimension
        self._probe = probe

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vector of :data:`PROBE_TEXT`, which is the only text that may be asked for."""
        assert list(texts) == [PROBE_TEXT]
        return self._probe[np.newaxis].astype(np.float32)
