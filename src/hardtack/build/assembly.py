"""The files of a tree in, a staged bundle out: from the first file that is read to the last member that is written.

A file comes from one of three: a worker that reads it, the base that has it unchanged, or the journal of an interrupted build.
All go on in order of path, and what comes after cannot tell one from another.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgpack

from hardtack.build.counters import Tally, manifest_of
from hardtack.build.encoding import bounds_of, members_of, notes_of, with_vectors
from hardtack.build.options import BuildOptions, Progress
from hardtack.build.relations.relate import Relater
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import BaseBundle, Unusable
from hardtack.build.reuse.checkpoint import Journal
from hardtack.build.reuse.tool_fingerprint import maker
from hardtack.build.source.known import Known, KnownFiles
from hardtack.build.source.tree import SourceTree
from hardtack.build.workers.executors import Analysed, WorkerPool
from hardtack.build.workers.processes import Workers
from hardtack.bundle.format.manifest import EncoderIdentity, Manifest
from hardtack.bundle.placing import Step
from hardtack.bundle.writer import BundleWriter, IndexedFile
from hardtack.encoders import DEFAULT_ENCODER, Encoder
from hardtack.errors import NothingIndexed
from hardtack.nouns.outline import Skip, SkipReason, SourceFile
from hardtack.nouns.projects import Project, project_of_row

_DERIVED = frozenset({"synopses", "reading", "codes"})
"""What an indexed file holds for the way only."""


_MOST_AHEAD = 256
"""Files that are read before their turn, while a worker has one that comes before them."""

Waiting = deque[Known | SourceFile | Analysed | None]
"""Files in order: what the base or the journal has of them, or as it was read ahead; None stands for one that is with a worker."""


class Assembly:
    """One attempt to make a bundle of a tree."""

    def __init__(
        self,
        tree: SourceTree,
        options: BuildOptions,
        report: BuildReport,
        *,
        workers: Workers,
        encoder: Encoder | None,
        base: BaseBundle | None,
        journal: Journal,
    ) -> None:
        self._tree = tree
        self._options = options
        self._report = report
        self._workers = workers
        self._encoder = encoder
        self._base = base
        self._journal = journal
        self._is_foreign = encoder is not None and encoder.name != DEFAULT_ENCODER
        self._sampled: set[str] = set()
        """Files that are analysed again though the base has them."""
        self._kept: set[str] = set()
        """Files that the base has, as it has them."""

    def write(
        self,
        root: Path,
        staging: Path,
        scratch: Path,
        *,
        step: Step,
        progress: Progress | None,
        expect: Callable[[int], None] | None,
    ) -> Manifest:
        """Write the bundle into ``staging``.

        Raises:
            NothingIndexed: the tree, which is called ``root``, holds nothing that can be indexed.
            Unusable, BundleError: the base gave what cannot be.
            SourceUnreadable, EncoderUnavailable, BuildError, SourceError: as :func:`pipeline.build_bundle`.
        """
        encoder, report = self._encoder, self._report
        dimension = encoder.dimension if encoder else 0
        keep_text = self._options.text == "full"
        with BundleWriter(
            staging,
            scratch,
            keep_text=keep_text,
            dimension=dimension,
            bounds=bounds_of(encoder),
            tool_fingerprint=maker(),
            step=step,
        ) as writer:
            relater, tally = Relater(), Tally()
            self._take_all(writer, relater, tally, progress=progress, expect=expect)
            if not writer.counts.chunks:
                raise NothingIndexed(
                    f"{root} holds nothing to index{_reasons(report)}.", hint="Name a directory that holds source text."
                )
            report.notes += notes_of(encoder)
            identity = EncoderIdentity(name=encoder.name, fingerprint=encoder.fingerprint, dimension=dimension) if encoder else None
            manifest = manifest_of(self._tree, self._options, identity, writer, tally, report)
            writer.end_files()
            self._relate(relater, tally.projects, writer)
            return writer.finish(manifest, members_of(encoder))

    def _take_all(
        self,
        writer: BundleWriter,
        relater: Relater,
        tally: Tally,
        *,
        progress: Progress | None,
        expect: Callable[[int], None] | None,
    ) -> None:
        """Give every file of the tree to the bundle, in order of path."""
        paths = self._tree.count() if expect else 0
        with WorkerPool(self._options.jobs or len(os.sched_getaffinity(0)), self._workers) as pool:
            for analysed in with_vectors(self._analysed(pool), self._encoder):
                self._take(analysed, writer, relater, tally)
                if expect:
                    expect(paths - len(self._report.skips))
                if progress:
                    progress(writer.counts.files)

    def _relate(self, relater: Relater, projects: Sequence[Project], writer: BundleWriter) -> None:
        """Tell the writer what ties the files together, and keep nothing of what that is found with: it is as large as all else."""
        related = relater.relate(projects, self._base)
        writer.relate(related.relations, related.references.items(), related.facts, related.tags)

    def _analysed(self, pool: WorkerPool) -> Iterator[Analysed]:
        """Every file of the tree in order of path, from whoever has it."""
        waiting: Waiting = deque()
        for analysed in pool.map(self._fresh(waiting), partial(self._read_ahead, waiting)):
            while waiting and (item := waiting[0]) is not None:
                waiting.popleft()
                yield item if isinstance(item, Analysed) else self._at_hand(item)
            if analysed is not None:
                waiting.popleft()
                self._check_sample(analysed)
                self._journal.add(analysed)
                yield analysed
        for item in waiting:
            assert item is not None  # the pool has answered for every file
            yield item if isinstance(item, Analysed) else self._at_hand(item)

    def _read_ahead(self, waiting: Waiting) -> bool:
        """Read the next file that is at hand and waits for one that a worker has; False where there is none, or enough is read."""
        for place in range(min(len(waiting), _MOST_AHEAD)):
            item = waiting[place]
            if isinstance(item, Known | SourceFile):
                waiting[place] = self._at_hand(item)
                return True
        return False

    def _fresh(self, waiting: Waiting) -> Iterator[SourceFile]:
        """The files that workers must read; what is at hand is queued, skips and secrets are noted.

        Where secrets are refused, all are looked for first.

        Raises:
            PolicyError: there are secrets that are refused.
        """
        base, report = self._base, self._report
        refuses_secrets = self._options.source.secrets == "fail"
        owners = ({} if base is None else base.known, self._journal.known)
        for item in self._tree.files_beside(KnownFiles(owners=owners)):
            if not isinstance(item, Known):
                report.note_secrets(item)
            if isinstance(item, Skip):
                report.skips.append(item)
            elif refuses_secrets and report.secrets:
                continue
            elif isinstance(item, SourceFile) and base is not None and base.has_elsewhere(item):
                waiting.append(replace(item, text=b""))  # the base has it: a tree that was renamed must not fill the memory
            elif isinstance(item, SourceFile):
                waiting.append(None)
                yield item
            elif base is not None and item.owner == 0 and item.path in base.sampled:
                self._sampled.add(item.path)
                waiting.append(None)
                yield base.source(item.path)
            else:
                waiting.append(item)
        if refuses_secrets:
            report.refuse_secrets()

    def _at_hand(self, known: Known | SourceFile) -> Analysed:
        """What the base or the journal has of a file."""
        if self._base is not None and isinstance(known, SourceFile):
            return self._base.moved(known, keep_synopses=self._is_foreign)
        assert isinstance(known, Known)  # without a base nothing is known to have moved
        if self._base is not None and known.owner == 0:
            self._report.taken_over += 1
            self._kept.add(known.path)
            return self._base.analysed(known.path, keep_synopses=self._is_foreign)
        self._report.resumed += 1
        return self._journal.analysed(known.path)

    def _check_sample(self, analysed: Analysed) -> None:
        """Hold a file that was analysed again against what the base has of it."""
        path = analysed.file.path
        if path not in self._sampled or analysed.crash or analysed.indexed is None or self._base is None:
            return
        kept = self._base.made_again(path, keep_synopses=self._is_foreign)
        if _content(kept) != _content(analysed.indexed) or not self._base.has_codes_of(path, analysed.indexed.vectors):
            raise Unusable(f"it says of {path} what the file does not")

    def _take(self, analysed: Analysed, writer: BundleWriter, relater: Relater, tally: Tally) -> None:
        """Give one analysed file to the bundle, or account for it."""
        file = analysed.file
        if analysed.crash:
            self._report.failures.append((file.path, analysed.crash))
        if analysed.indexed is None:
            detail = f"its parser {analysed.crash}"
            self._report.skips.append(Skip(path=file.path, reason=SkipReason.UNREADABLE, detail=detail))
            return
        writer.add(file, analysed.indexed)
        is_kept = file.path in self._kept
        is_same = is_kept or (file.path in self._sampled and not analysed.crash)
        relater.add(file, analysed.indexed, is_same=is_same, is_kept=is_kept)
        tally.add(file.language, analysed.indexed)
        self._report.contents[file.path] = bytes.fromhex(file.blob_id)
        if analysed.indexed.project is not None:
            tally.projects.append(project_of_row(analysed.indexed.project))


def _content(indexed: IndexedFile) -> list[Any]:
    """What a bundle comes to store of a file, comparable."""
    values = {field.name: getattr(indexed, field.name) for field in fields(IndexedFile) if field.name not in _DERIVED}
    hashes, counts = values["words"]
    values["words"] = sorted(zip(memoryview(hashes).cast("I"), counts, strict=True))
    return [(name, msgpack.packb(value)) for name, value in values.items()]


def _reasons(report: BuildReport) -> str:
    """Why there was nothing, for the sentence that says so."""
    if not report.skips:
        return ""
    counts = ", ".join(f"{count} {reason}" for reason, count in report.skipped.items())
    return f" ({len(report.skips)} paths skipped: {counts})"
