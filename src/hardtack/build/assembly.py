"""Source tree in, staged bundle out: from the first file that is read to the last member that is written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hardtack.build.counters import FileCounters, manifest_of
from hardtack.build.encoding import bounds_of, members_of, notes_of, with_vectors
from hardtack.build.history.collect import CollectedHistory, PresentFiles, collect
from hardtack.build.options import BuildOptions, Callbacks
from hardtack.build.relations.relate import Relater
from hardtack.build.report import BuildReport
from hardtack.build.reuse.analysed_files import AnalysedFiles
from hardtack.build.reuse.base_bundle import BaseBundle
from hardtack.build.reuse.checkpoint import Checkpoint
from hardtack.build.reuse.tool_fingerprint import tool_fingerprint
from hardtack.build.roles.deciding import RolesOfFiles
from hardtack.build.scip.index_file import IndexFile
from hardtack.build.scip.indexes import CompilerIndexes
from hardtack.build.source.notebook import ENCODING as NOTEBOOK
from hardtack.build.source.secrets import path_without_secret
from hardtack.build.source.tree import SourceTree
from hardtack.build.workers.executors import Analysed, WorkerPool
from hardtack.build.workers.processes import Workers
from hardtack.build.workers.worker import seconds_for
from hardtack.bundle.format.manifest import EncoderIdentity, Manifest
from hardtack.bundle.writer import BundleWriter
from hardtack.encoders import DEFAULT_ENCODER, Encoder
from hardtack.errors import BuildError, NothingIndexed
from hardtack.nouns.outline import Skip, SkipReason, SourceFile
from hardtack.nouns.projects import Project, project_of_row

_MOST_LOST_SECONDS: Final = 1800.0
"""Processor time that parsers may take for files on which they crash or are stopped: some hundred small files, or sixty large."""


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
        checkpoint: Checkpoint,
        indexes: Sequence[IndexFile] = (),
    ) -> None:
        self._tree = tree
        self._options = options
        self._report = report
        self._workers = workers
        self._encoder = encoder
        self._base = base
        is_foreign = encoder is not None and encoder.name != DEFAULT_ENCODER
        self._files = AnalysedFiles(tree, options, report, base=base, checkpoint=checkpoint, keep_synopses=is_foreign)
        self._relater = Relater()
        self._indexes = CompilerIndexes(indexes, tree.provenance)
        self._counters = FileCounters()
        self._present = PresentFiles() if options.history and tree.repository else None
        self._lost_seconds = 0.0
        self._roles = RolesOfFiles(has_roots=bool(tree.provenance.roots))

    def write(self, root: Path, staging: Path, scratch: Path, callbacks: Callbacks) -> Manifest:
        """Write the bundle into ``staging``; once.

        Args:
            root: how messages name the tree.
            staging: an empty directory that becomes the bundle.
            scratch: an empty directory on the same file system.
            callbacks: called as :func:`pipeline.build_bundle` says.

        Raises:
            NothingIndexed: the tree holds nothing that can be indexed.
            Unusable, BundleError: the base is wrong.
            SourceUnreadable, EncoderUnavailable, BuildError, SourceError: as :func:`pipeline.build_bundle`.
        """
        encoder, report = self._encoder, self._report
        dimension = encoder.dimension if encoder else 0
        with BundleWriter(
            staging,
            scratch,
            keep_text=self._options.text == "full",
            dimension=dimension,
            bounds=bounds_of(encoder),
            tool_fingerprint=tool_fingerprint(),
            step=callbacks.step,
        ) as writer:
            self._add_all(writer, callbacks)
            roles = self._roles.decided()
            writer.assign_roles(roles)
            self._counters.count_code(roles)
            if not writer.counts.chunks:
                raise NothingIndexed(
                    f"{root} holds nothing to index{_reasons(report)}.", hint="Name a directory that holds source text."
                )
            report.notes += notes_of(encoder)
            identity = EncoderIdentity(name=encoder.name, fingerprint=encoder.fingerprint, dimension=dimension) if encoder else None
            indexers = self._indexes.indexers
            history = self._history()
            writer.remember(history.commits)
            manifest = manifest_of(self._tree, self._options, identity, writer, self._counters, report, indexers, history.extent)
            writer.end_files()
            self._relate(self._counters.projects, writer)
            writer.leave_out(report.skips)
            return writer.finish(manifest, members_of(encoder))

    def _add_all(self, writer: BundleWriter, callbacks: Callbacks) -> None:
        """Add every file of the tree to the bundle, in path order."""
        paths = self._tree.count() if callbacks.expect else 0
        with WorkerPool(self._options.jobs or len(os.sched_getaffinity(0)), self._workers) as pool:
            for analysed in with_vectors(self._files.read(pool), self._encoder):
                self._add(analysed, writer)
                if callbacks.expect:
                    callbacks.expect(paths - len(self._report.skips))
                if callbacks.progress:
                    callbacks.progress(writer.counts.files)

    def _add(self, analysed: Analysed, writer: BundleWriter) -> None:
        """Add one analysed file to the bundle, or report that it failed."""
        file = analysed.file
        if analysed.crash:
            self._report.failures.append((file.path, analysed.crash))
            self._lose(file)
        if analysed.indexed is None:
            detail = f"its parser {analysed.crash}"
            self._report.skips.append(Skip(path=file.path, reason=SkipReason.UNREADABLE, detail=detail))
            return
        self._indexes.read(writer.counts.files, file, analysed.indexed)
        writer.add(file, analysed.indexed)
        self._relater.add(file, analysed.indexed, is_same=self._files.is_same(analysed), is_reused=self._files.is_reused(file.path))
        self._counters.add(file, analysed.indexed)
        if self._present:
            line_count = analysed.indexed.line_count if file.encoding != NOTEBOOK else None  # its lines are those of its cells
            self._present.add(file.path, line_count, analysed.indexed.symbols)
        self._roles.add(file, analysed.indexed)
        self._report.contents[file.path] = bytes.fromhex(file.blob_id)
        if analysed.indexed.project is not None:
            self._counters.projects.append(project_of_row(analysed.indexed.project))

    def _lose(self, file: SourceFile) -> None:
        """Count the time that a parser may have taken for nothing.

        Only the files that made it crash are read by lines, whatever their number: were the rest of them read so too once the time
        is over, the bundle would depend on which of them came first. So the build is refused then.

        Raises:
            BuildError: parsers that crashed, or did not end, have taken too much time.
        """
        self._lost_seconds += seconds_for(len(file.text))
        if self._lost_seconds > _MOST_LOST_SECONDS:
            count = len(self._report.failures)
            raise BuildError(
                f"The parsers of {count} files crashed or did not end, the last one on {path_without_secret(file.path)}; "
                f"they may take {_MOST_LOST_SECONDS:g} seconds in all, and nothing was built.",
                hint="Leave files of that kind out by .hardtackignore.",
            )

    def _history(self) -> CollectedHistory:
        """The history that is asked for; the report says what is not in it."""
        asked, repository, secrets = self._options.history, self._tree.repository, self._options.source.secrets
        if not self._present or not repository:
            if asked:
                self._report.add_notes(["The bundle has no history, as it is not built of one commit"])
            return CollectedHistory(asked=asked)
        history = collect(repository, self._present, asked, secrets=secrets)
        self._report.add_notes(history.notes(secrets))
        return history

    def _relate(self, projects: Sequence[Project], writer: BundleWriter) -> None:
        """Find what ties the files together and add it to the bundle.

        A function of its own, so that the relater's result, which is as large as all else, is freed before members are written.
        """
        self._tree.check()
        knowledge, notes = self._indexes.settled()
        self._report.add_notes(notes)
        # A reference that a compiler decided changes with its index, not with the words of the source.
        is_compiled = bool(self._indexes.indexers) or (self._base is not None and self._base.has_indexes)
        related = self._relater.relate(projects, None if is_compiled else self._base, knowledge)
        writer.relate(related.relations, related.references.items(), related.facts, related.tags)


def _reasons(report: BuildReport) -> str:
    """The end of the sentence that says that nothing was indexed."""
    if not report.skips:
        return ""
    counts = ", ".join(f"{count} {reason}" for reason, count in report.skipped.items())
    return f" ({len(report.skips)} paths skipped: {counts})"
