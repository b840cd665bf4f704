"""Source tree in, its analysed files out, in path order: from workers, from the base, or from the checkpoint.

Nothing after this module can tell from which of the three a file came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final

import msgpack

from hardtack.build.options import BuildOptions
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import BaseBundle, Unusable
from hardtack.build.reuse.checkpoint import Checkpoint
from hardtack.build.source.known import Known, KnownFiles
from hardtack.build.source.tree import SourceTree
from hardtack.build.workers.executors import Analysed, Pool
from hardtack.bundle.writer import IndexedFile
from hardtack.nouns.outline import Skip, SourceFile

_FROM_BASE: Final = 0
"""``Known.owner`` of the files of the base: its index in ``KnownFiles.owners``; the checkpoint is the other owner."""

_TRANSIENT_FIELDS: Final = frozenset({"synopses", "reading", "codes"})
"""Fields of an indexed file that are other forms of its content."""

_MAX_READ_AHEAD: Final = 256
"""Reusable files that are loaded early, while a worker still has a file that comes before them."""

Queue = deque[Known | SourceFile | Analysed | None]
"""Files in path order: a reusable file, one that was loaded early (``Analysed``), or None for one that a worker has."""


class AnalysedFiles:
    """The analysed files of one build attempt."""

    def __init__(
        self,
        tree: SourceTree,
        options: BuildOptions,
        report: BuildReport,
        *,
        base: BaseBundle | None,
        checkpoint: Checkpoint,
        keep_synopses: bool,
    ) -> None:
        """Read nothing yet.

        Args:
            tree: the source tree.
            options: what to build.
            report: told of skips, secrets and reused files.
            base: the bundle from which unchanged files are reused.
            checkpoint: from which files of an interrupted build are reused; analysed files are added to it.
            keep_synopses: files of the base come with the texts that are encoded, not with their vectors.
        """
        self._tree = tree
        self._refuses_secrets = options.source.secrets == "fail"
        self._report = report
        self._base = base
        self._checkpoint = checkpoint
        self._keep_synopses = keep_synopses
        self._sampled: set[str] = set()
        self._reused: set[str] = set()

    def is_reused(self, path: str) -> bool:
        """Whether the file came from the base."""
        return path in self._reused

    def is_same(self, analysed: Analysed) -> bool:
        """Whether the base holds the same analysis of the file: it came from there, or was analysed again and compared."""
        path = analysed.file.path
        return path in self._reused or (path in self._sampled and not analysed.crash)

    def read(self, pool: Pool) -> Iterator[Analysed]:
        """Every file of the tree in path order; files that are not reusable are analysed by ``pool``.

        Raises:
            Unusable: the base holds something else than the analysis of a file.
            PolicyError: there are secrets, and the options refuse them.
        """
        queue: Queue = deque()
        for analysed in pool.map(self._to_analyse(queue), partial(self._read_ahead, queue)):
            while queue and (item := queue[0]) is not None:
                queue.popleft()
                yield item if isinstance(item, Analysed) else self._load(item)
            if analysed is not None:
                queue.popleft()
                self._check_sample(analysed)
                self._checkpoint.add(analysed)
                yield analysed
        for item in queue:
            assert item is not None  # the pool has returned every file that it was given
            yield item if isinstance(item, Analysed) else self._load(item)

    def _read_ahead(self, queue: Queue) -> bool:
        """Load the next reusable file of the queue; False if there is none, or enough are loaded.

        Raises:
            BuildError: the build has taken too long: on a cluster, who waits may wait for others' work.
        """
        self._tree.check()
        for index in range(min(len(queue), _MAX_READ_AHEAD)):
            item = queue[index]
            if isinstance(item, Known | SourceFile):
                queue[index] = self._load(item)
                return True
        return False

    def _to_analyse(self, queue: Queue) -> Iterator[SourceFile]:
        """The files that workers must analyse; reusable files go into ``queue``, skips and secrets into the report.

        If secrets are refused, the whole tree is searched for them before any file is analysed.
        """
        base, report = self._base, self._report
        owners = ({} if base is None else base.known, self._checkpoint.known)
        for item in self._tree.files_beside(KnownFiles(owners=owners)):
            if not isinstance(item, Known):
                report.note_secrets(item)
            if isinstance(item, Skip):
                report.skips.append(item)
            elif self._refuses_secrets and report.secrets:
                continue
            elif isinstance(item, SourceFile) and base is not None and base.has_elsewhere(item):
                queue.append(replace(item, text=b""))  # the base has the text: a renamed tree must not fill the memory
            elif isinstance(item, SourceFile):
                queue.append(None)
                yield item
            elif base is not None and item.owner == _FROM_BASE and item.path in base.sampled:
                self._sampled.add(item.path)
                queue.append(None)
                yield base.source(item.path)
            else:
                queue.append(item)
        if self._refuses_secrets:
            report.refuse_secrets()

    def _load(self, item: Known | SourceFile) -> Analysed:
        """A reusable file from the base or the checkpoint."""
        if self._base is not None and isinstance(item, SourceFile):
            return self._base.moved(item, keep_synopses=self._keep_synopses)
        assert isinstance(item, Known)  # only a base makes a moved file reusable
        if self._base is not None and item.owner == _FROM_BASE:
            self._report.taken_over += 1
            self._reused.add(item.path)
            return self._base.analysed(item.path, keep_synopses=self._keep_synopses)
        self._report.resumed += 1
        return self._checkpoint.analysed(item.path)

    def _check_sample(self, analysed: Analysed) -> None:
        """Compare a sampled file that was analysed again with the base."""
        path = analysed.file.path
        if path not in self._sampled or analysed.crash or analysed.indexed is None or self._base is None:
            return
        stored = self._base.recomputed(path, keep_synopses=self._keep_synopses)
        if _content(stored) != _content(analysed.indexed) or not self._base.has_codes_of(path, analysed.indexed.vectors):
            raise Unusable(f"it says of {path} what the file does not")


def _content(indexed: IndexedFile) -> list[tuple[str, bytes]]:
    """What a bundle stores of a file, in a form that can be compared."""
    values: dict[str, Any] = {
        field.name: getattr(indexed, field.name) for field in fields(IndexedFile) if field.name not in _TRANSIENT_FIELDS
    }
    hashes, counts = values["words"]
    values["words"] = sorted(zip(memoryview(hashes).cast("I"), counts, strict=True))
    return [(name, msgpack.packb(value)) for name, value in values.items()]
