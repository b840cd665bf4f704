"""Source tree in, bundle out: the whole build, from top to bottom.

    open_tree       root           -> paths, then files or skips, in path order       source/
    up_to_date      tree           -> the existing bundle, if nothing has changed     reuse/up_to_date.py
    with_fallbacks  attempt        -> attempts with and without reuse                 reuse/retry.py
    TreeStage       files          -> analysed files                                  map_stage.py
        analyse       changed file   -> symbols, chunks, terms, vectors               workers/, in worker processes; cluster_pool.py
        BaseBundle    unchanged file -> the same, from the bundle built before        reuse/base_bundle.py
        Checkpoint    analysed file  -> the same, from an interrupted build           reuse/checkpoint.py
        with_vectors  analysed files -> vectors of an encoder that is not built in    encoding.py
    Assembly        analysed files -> a staged bundle                                 assembly.py
        CompilerIndexes  indexed files -> what SCIP indexes of compilers say of them  scip/
        Relater       all files      -> imports, supertypes, references, facts        relations/
        RolesOfFiles  all files      -> the role of each in its repository            roles/
        BundleWriter  indexed file   -> members, hashes, manifest                     bundle/writer.py
    put_in_place    staged bundle  -> the bundle, in one step                         bundle/placing.py

Files are streamed in the order of their paths, so neither the number of worker processes nor the files that were reused change a
byte of the bundle.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hardtack.build.options import (
    AUTO,
    NO_BASE,
    BuildOptions,
    Callbacks,
    OwnWork,
    Progress,
    check_choices,
    check_size,
    default_destination,
)
from hardtack.build.pools import opened_pools
from hardtack.build.report import BuildReport
from hardtack.build.reuse.up_to_date import up_to_date
from hardtack.build.scip.index_file import IndexFile, indexers_of, opened_indexes
from hardtack.build.source.limits import Deadline
from hardtack.build.source.tree import SourceTree, open_tree, open_trees
from hardtack.build.workers.processes import require_parsers
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, render_manifest
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.naming import OWN_DIRECTORY
from hardtack.bundle.placing import (
    Destination,
    Step,
    held_destination,
    keep_out_of_git,
    put_in_place,
    remove_left,
    staging_directory,
)
from hardtack.errors import HardtackError

if TYPE_CHECKING:
    from hardtack.build.reuse.base_bundle import BaseBundle

__all__ = ["AUTO", "NO_BASE", "BuildOptions", "Progress", "build_bundle", "default_destination", "require_parsers"]


def build_bundle(
    root: str | Path,
    destination: str | Path | None = None,
    options: BuildOptions | None = None,
    *,
    progress: Progress | None = None,
    expect: Callable[[int], None] | None = None,
    step: Step = lambda _: None,
    own: OwnWork | None = None,
    below: Path | None = None,
) -> BuildReport:
    """Build the bundle of ``root`` and put it at ``destination``.

    Args:
        root: a directory or a git checkout; ignored when ``options.roots`` names several.
        destination: absent, empty, or a bundle to replace; :func:`default_destination` if None.
        options: what to build.
        progress: called after each file with the number of files done.
        expect: called before each ``progress`` with an upper bound of the number of files.
        step: called before each write, fsync and rename.
        own: remembers that this user built the bundle there; without it nothing is taken over that was not named.
        below: the part of ``destination`` in which links are followed: by default all of what is given, else ``root``.

    Raises:
        SourceUnreadable: ``root`` is missing or cannot be read.
        NothingIndexed: ``root`` holds nothing that can be indexed; nothing is written.
        EncoderUnavailable: the encoder cannot be loaded, or has failed; only its cache keeps the vectors that it made.
        UsageError: ``destination`` holds something that is not a bundle, or ``options`` names an unknown profile.
        BuildError: the bundle is larger than ``options.max_size``, the tree than ``options.source.limits``, the build takes
            longer than ``options.max_seconds``, or worker processes cannot be started.
        ClusterFailed: the cluster was lost, or did not do its part; what it had done is kept for the next build.
        MissingExtra: ``options.cluster`` names a cluster, and Dask is not installed.
        SourceError: the disk is full or refuses.
        PolicyError: ``root`` holds secrets, or leads into another repository, and ``options`` refuses that, or there is a link
            below it where the bundle should go; nothing is written.
    """
    require_parsers()
    options = options or BuildOptions()
    report = BuildReport()
    root = Path(root)
    place, below = (Path(destination), below) if destination else (default_destination(root), root)
    tree = opened_tree(root, place, options)
    report.notes += tree.notes
    with opened_indexes(options.scip) as indexes, held_destination(place, below=below) as held:
        if current := up_to_date(tree, held, options, report, indexers_of(indexes), own):
            manifest, digest = current
            check_size(manifest, options)
            remove_left(held)
            report.finish(str(held.path), digest, manifest, is_unchanged=True)
            return report
        callbacks = Callbacks(progress=progress, expect=expect, step=step)
        manifest = _build(tree, root, held, options, report, callbacks, indexes, own)
        if held.path.parent.name == OWN_DIRECTORY:
            keep_out_of_git(held.at.parent)
        report.finish(str(held.path), digest_of(render_manifest(manifest)), manifest)
        return report


def opened_tree(root: Path, destination: Path, options: BuildOptions) -> SourceTree:
    """The source tree, or the several that make one bundle; raises as :func:`build_bundle`."""
    check_choices(options)
    check = Deadline(options.max_seconds).check
    reading = partial(open_trees, options.roots) if options.roots else partial(open_tree, root, commit=options.commit)
    tree = reading(
        worktree=options.worktree,
        options=options.source,
        repository=options.repository,
        exclude=destination,
        follow_git=options.follow_git,
    )
    return replace(tree, check=check)


def _build(
    tree: SourceTree,
    root: Path,
    destination: Destination,
    options: BuildOptions,
    report: BuildReport,
    callbacks: Callbacks,
    indexes: Sequence[IndexFile],
    own: OwnWork | None,
) -> Manifest:
    """Build the bundle of ``tree``, put it at ``destination`` and return its manifest."""
    with without_cycle_collection(), opened_pools(options) as new_pool:
        # Imported here, so that a build with nothing to do does without numpy and the engines, and after the workers were started,
        # so that both processes load at the same time.
        from hardtack.build.assembly import Assembly
        from hardtack.build.encoding import opened_encoder
        from hardtack.build.history.commits import commits_of
        from hardtack.build.map_stage import TreeStage
        from hardtack.build.reuse.checkpoint import opened_checkpoint
        from hardtack.build.reuse.retry import with_fallbacks

        with opened_encoder(options) as encoder:

            def attempt(base: BaseBundle | None, *, resumes: bool) -> Manifest:
                with (
                    staging_directory(destination) as (staging, scratch),
                    opened_checkpoint(destination, options, resumes=resumes, own=own) as checkpoint,
                ):
                    inputs = (tree, options, report)
                    stage = TreeStage(*inputs, new_pool=new_pool, encoder=encoder, base=base, checkpoint=checkpoint)
                    commits = commits_of(tree, options)
                    assembly = Assembly(*inputs, stage=stage, encoder=encoder, base=base, indexes=indexes, commits=commits)
                    manifest = assembly.write(root, staging, scratch, callbacks)
                    check_size(manifest, options)
                    before = _remember(own, destination, manifest, report)
                    put_in_place(staging, destination, callbacks.step)
                    if own and before:
                        with suppress(HardtackError):
                            own.drop(destination.real, before)
                    return manifest

            return with_fallbacks(attempt, destination, options, tree.provenance, encoder, report, own)


def _remember(own: OwnWork | None, destination: Destination, manifest: Manifest, report: BuildReport) -> str:
    """Remember, before the bundle is in place, that this user built it; gives the digest of the one that it replaces, or none."""
    digest, before = digest_of(render_manifest(manifest)), ""
    if own:
        with suppress(HardtackError):
            before = read_manifest(destination.at)[1]
        try:
            own.add(destination.real, digest)
        except HardtackError as error:
            report.notes.append(f"That you built this bundle is not remembered, so it has to be named to be read: {error}")
    return before if before != digest else ""


@contextmanager
def without_cycle_collection() -> Iterator[None]:
    """Turn Python's cycle collector off: a build makes millions of small values that hold no cycles and live until its end.

    Traversing them repeatedly took a third of the building process's time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
