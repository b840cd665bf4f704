"""Source tree in, staged bundle out: from the first file that is read to the last member that is written."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from hardtack.build.counters import FileCounters, manifest_of
from hardtack.build.encoding import bounds_of, members_of, notes_of
from hardtack.build.history.collect import CollectedHistory, PresentFiles, collect_from
from hardtack.build.history.commits import Commits
from hardtack.build.lost_time import LostTime
from hardtack.build.map_stage import MapStage
from hardtack.build.options import BuildOptions, Callbacks
from hardtack.build.relations.relate import Relater
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import BaseBundle
from hardtack.build.reuse.tool_fingerprint import tool_fingerprint
from hardtack.build.roles.deciding import RolesOfFiles
from hardtack.build.scip.index_file import IndexFile
from hardtack.build.scip.indexes import CompilerIndexes
from hardtack.build.source.notebook import ENCODING as NOTEBOOK
from hardtack.build.source.tree import SourceTree
from hardtack.build.workers.executors import Analysed
from hardtack.bundle.format.manifest import EncoderIdentity, Manifest
from hardtack.bundle.spool import Spool
from hardtack.bundle.writer import BundleWriter
from hardtack.encoders import Encoder
from hardtack.errors import NothingIndexed
from hardtack.nouns.projects import project_of_row


class Assembly:
    """One attempt to make a bundle of a tree."""

    def __init__(
        self,
        tree: SourceTree,
        options: BuildOptions,
        report: BuildReport,
        *,
        stage: MapStage,
        encoder: Encoder | None,
        base: BaseBundle | None = None,
        indexes: Sequence[IndexFile] = (),
        commits: Commits | None = None,
    ) -> None:
        """Read nothing yet.

        Args:
            tree: the source tree; no file of it is read but by ``stage``.
            options: what to build.
            report: told of what is built.
            stage: gives the analysed files.
            encoder: of the bundle; None without vectors.
            base: the bundle from which unchanged files, and the references in them, are reused.
            indexes: those of compilers.
            commits: the history that is asked for; None where there is none.
        """
        self._tree = tree
        self._options = options
        self._report = report
        self._stage = stage
        self._encoder = encoder
        self._base = base
        self._indexes = CompilerIndexes(indexes, tree.provenance)
        self._counters = FileCounters()
        self._commits = commits
        self._present = PresentFiles() if commits else None
        self._lost_time = LostTime(report)
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
        with (
            closing(Spool(scratch)) as uses,
            BundleWriter(
                staging,
                scratch,
                keep_text=self._options.text == "full",
                dimension=dimension,
                bounds=bounds_of(encoder),
                tool_fingerprint=tool_fingerprint(),
                step=callbacks.step,
            ) as writer,
        ):
            relater = Relater(uses)
            self._add_all(relater, writer, callbacks)
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
            self._relate(relater, writer)
            writer.leave_out(report.skips)
            return writer.finish(manifest, members_of(encoder))

    def _add_all(self, relater: Relater, writer: BundleWriter, callbacks: Callbacks) -> None:
        """Add every file of the tree to the bundle, in path order."""
        paths = self._tree.count() if callbacks.expect else 0
        with self._stage.running() as files:
            for analysed in files:
                self._add(analysed, relater, writer)
                if callbacks.expect:
                    callbacks.expect(paths - len(self._report.skips))
                if callbacks.progress:
                    callbacks.progress(writer.counts.files)

    def _add(self, analysed: Analysed, relater: Relater, writer: BundleWriter) -> None:
        """Add one analysed file to the bundle, or report that it failed."""
        file = analysed.file
        self._lost_time.note(analysed)
        if analysed.indexed is None:
            return
        self._indexes.read(writer.counts.files, file, analysed.indexed)
        writer.add(file, analysed.indexed)
        relater.add(file, analysed.indexed, is_same=self._stage.is_same(analysed), is_reused=self._stage.is_reused(file.path))
        self._counters.add(file, analysed.indexed)
        if self._present:
            line_count = analysed.indexed.line_count if file.encoding != NOTEBOOK else None  # its lines are those of its cells
            self._present.add(file.path, line_count, analysed.indexed.symbols)
        self._roles.add(file, analysed.indexed)
        self._report.contents[file.path] = bytes.fromhex(file.blob_id)
        if analysed.indexed.project is not None:
            self._counters.projects.append(project_of_row(analysed.indexed.project))

    def _history(self) -> CollectedHistory:
        """The history that is asked for; the report says what is not in it."""
        asked = self._options.history
        if not self._present or not self._commits:
            if asked:
                self._report.add_notes(["The bundle has no history, as it is not built of one commit"])
            return CollectedHistory(asked=asked)
        history = collect_from(self._commits, self._present, asked)
        self._report.add_notes(history.notes(self._options.source.secrets))
        return history

    def _relate(self, relater: Relater, writer: BundleWriter) -> None:
        """Find what ties the files together and add it to the bundle.

        A function of its own, so that the relater's result, which is as large as all else, is freed before members are written.
        """
        self._tree.check()
        knowledge, notes = self._indexes.settled()
        self._report.add_notes(notes)
        # A reference that a compiler decided changes with its index, not with the words of the source.
        is_compiled = bool(self._indexes.indexers) or (self._base is not None and self._base.has_indexes)
        related = relater.relate(self._counters.projects, None if is_compiled else self._base, knowledge)
        writer.relate(related.relations, related.references.items(), related.facts, related.tags)


def _reasons(report: BuildReport) -> str:
    """The end of the sentence that says that nothing was indexed."""
    if not report.skips:
        return ""
    counts = ", ".join(f"{count} {reason}" for reason, count in report.skipped.items())
    return f" ({len(report.skips)} paths skipped: {counts})"
