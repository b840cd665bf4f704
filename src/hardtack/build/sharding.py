"""A build that several machines share: each builds a shard of the tree, and one merges the shards into the bundle.

    build_shard     root, part -> the shard of one part: the map stage alone
      PartOfTree      tree       -> the files of the part, and what identifies the whole tree      source/part.py
      TreeStage       files      -> analysed files                                                 map_stage.py
      ShardWriter     files      -> the shard                                                      shards/shard_file.py
    merge_shards    shards     -> the bundle, without the source
      require_whole   shards     -> that they are all the shards of one tree                       shards/stage.py
      ShardStage      shards     -> analysed files, in path order                                  shards/stage.py
      Assembly        files      -> a staged bundle                                                assembly.py

The bundle has the bytes of the one that :func:`pipeline.build_bundle` makes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from io import BufferedWriter
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from hardtack.build.options import BuildOptions, Callbacks, Progress, check_size, options_of
from hardtack.build.pipeline import opened_tree, require_parsers, without_cycle_collection
from hardtack.build.pools import opened_pools
from hardtack.build.report import BuildReport
from hardtack.build.scip.index_file import opened_indexes
from hardtack.build.source.limits import Deadline
from hardtack.build.source.part import Part, PartOfTree
from hardtack.build.source.tree import SourceTree
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, parse_manifest, render_manifest
from hardtack.bundle.held import held_directory
from hardtack.bundle.naming import OWN_DIRECTORY
from hardtack.bundle.placing import (
    Destination,
    Occupant,
    Step,
    held_destination,
    keep_out_of_git,
    put_in_place,
    staging_directory,
)
from hardtack.descriptors import staged_file, sync_directory
from hardtack.errors import FormatError, UsageError

if TYPE_CHECKING:
    from hardtack.build.pools import NewPool
    from hardtack.build.reuse.base_bundle import BaseBundle
    from hardtack.build.shards.head import ShardHead
    from hardtack.build.shards.shard_file import ShardFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardReport:
    """The report of one shard's build."""

    path: Path
    part: Part
    digest: str
    """Hex."""
    files: int
    size: int
    """Bytes."""
    built: BuildReport
    """What there is to say of its files: skips, failures, secrets, notes."""
    seconds: float = field(default=0.0)

    def to_json(self) -> dict[str, Any]:
        """The report as ``--report`` writes it."""
        built = self.built
        return {
            "schema": "hardtack.shard/1",
            "shard": str(self.path),
            "part": self.part.number,
            "parts": self.part.of,
            "digest": self.digest,
            "bytes": self.size,
            "files": self.files,
            "files_taken_over": built.taken_over,
            "seconds": round(self.seconds, 3),
            "skips": [{"path": skip.path, "reason": skip.reason.value, "detail": skip.detail} for skip in built.skips],
            "secrets": {"found": built.secrets_by_rule, "places": [secret._asdict() for secret in built.secrets]},
            "failures": [{"path": path, "error": error} for path, error in built.failures],
            "notes": list(built.notes),
        }


def default_shard(root: Path, part: Part) -> Path:
    """Where a shard goes by default; this place is never indexed itself."""
    return root / OWN_DIRECTORY / f"shard-{part.number}-of-{part.of}"


def build_shard(
    root: str | Path,
    part: Part,
    destination: str | Path | None = None,
    options: BuildOptions | None = None,
    *,
    progress: Progress | None = None,
    step: Step = lambda _: None,
) -> ShardReport:
    """Build one shard of the tree at ``root`` and put it at ``destination``.

    Args:
        root: a directory or a git checkout; ignored when ``options.roots`` names several.
        part: which part of the tree.
        destination: a file; one that is there is replaced if it is a shard. :func:`default_shard` if None.
        options: what to build, for all shards the same. A base is used only if it is named; indexes of compilers and a limit of
            the bundle's size belong to the merge.
        progress: called after each file with the number of files done.
        step: called before each write, fsync and rename.

    Raises:
        As :func:`pipeline.build_bundle`, but never NothingIndexed: a part of a tree may have no files.
    """
    started = time.perf_counter()
    require_parsers()
    options = options or BuildOptions()
    if options.scip or options.max_size is not None:
        what = "The index of a compiler" if options.scip else "The largest size of a bundle"
        raise UsageError(f"{what} is no matter of a shard.", hint="Give it to hardtack merge.")
    root = Path(root)
    place = Path(destination) if destination else default_shard(root, part)
    tree = opened_tree(root, place, options)
    report = BuildReport(notes=[*tree.notes])
    with _held_file(place, root if not destination else None) as held:
        with without_cycle_collection(), opened_pools(options) as new_pool:
            digest, files = _write_shard(PartOfTree(tree, part), held, options, report, new_pool, progress, step)
        size = held.at.stat().st_size
        if place.parent.name == OWN_DIRECTORY:
            keep_out_of_git(held.at.parent)
    seconds = time.perf_counter() - started
    return ShardReport(path=place, part=part, digest=digest, files=files, size=size, built=report, seconds=seconds)


@contextmanager
def _held_file(place: Path, below: Path | None) -> Iterator[Destination]:
    """Hold the directory of a file that is to be written; ``below`` is the part of its path that a person typed, if not all is."""
    from hardtack.build.shards.shard_file import is_shard

    below = place.parent if below is None else below
    with held_directory(below, *place.relative_to(below).parts[:-1]) as directory:
        at = directory / place.name
        shard = Occupant(noun="shard", verb="build", flag="-o", is_one=lambda path, _: is_shard(path))
        if os.path.lexists(at) and not shard.is_one(at, set()):
            raise UsageError(
                f"{place} is there and is no shard; it was not touched.", hint="Choose another place with -o, or remove it first."
            )
        yield Destination(place, at, shard)


def _write_shard(
    part: PartOfTree,
    held: Destination,
    options: BuildOptions,
    report: BuildReport,
    new_pool: NewPool,
    progress: Progress | None,
    step: Step,
) -> tuple[str, int]:
    """Write the shard; gives its digest, and the number of its files."""
    from hardtack.build.encoding import opened_encoder
    from hardtack.build.reuse.retry import with_fallbacks
    from hardtack.build.shards.making import ShardMaking
    from hardtack.build.shards.shard_file import ShardWriter, writing

    with opened_encoder(options) as encoder:

        def attempt(base: BaseBundle | None, *, resumes: bool) -> tuple[str, int]:
            making = ShardMaking(part, options, report, new_pool=new_pool, encoder=encoder, base=base)
            with ExitStack() as undo:
                with writing(held.path):
                    file, staged = undo.enter_context(staged_file(held.at, 0o644))
                step(f"write {held.path.name}")
                buffered = BufferedWriter(file)
                undo.callback(_close, buffered)
                done = making.write(ShardWriter(buffered, held.path), progress or (lambda _: None))
                step(f"fsync {held.path.name}")
                with writing(held.path):
                    buffered.flush()
                    os.fsync(buffered.fileno())
                    buffered.close()
                step(f"rename {held.path.name}")
                with writing(held.path):
                    staged.replace(held.at)
                    sync_directory(held.at.parent)
            return done

        return with_fallbacks(attempt, held, options, part.tree.provenance, encoder, report, None)


def _close(file: BinaryIO) -> None:
    """Close a file whose last bytes may be what could not be written; that was told."""
    with suppress(OSError):
        file.close()


def merge_shards(
    shards: Sequence[Path],
    destination: str | Path,
    options: BuildOptions | None = None,
    *,
    progress: Progress | None = None,
    step: Step = lambda _: None,
) -> BuildReport:
    """Merge all shards of one tree into its bundle, which has the bytes of a build of the whole tree. The source is not needed.

    Args:
        shards: their files, in any order.
        destination: absent, empty, or a bundle to replace.
        options: the limits of the build, and indexes of compilers; what else they say is that of the shards.
        progress: called after each file with the number of files done.
        step: called before each write, fsync and rename.

    Raises:
        BundleError: a shard is missing, damaged or malformed.
        BuildError: the shards are not all of one tree, each once, built by this very program; or as :func:`pipeline.build_bundle`.
        UsageError: ``destination`` holds something that is not a bundle.
        SourceError: the disk is full or refuses.
    """
    from hardtack.build.shards.shard_file import ShardFile

    options = options or BuildOptions()
    if not shards:
        raise UsageError("There is no shard to merge.", hint="Name the files that hardtack build --shard wrote.")
    report, check = BuildReport(), Deadline(options.max_seconds).check
    with ExitStack() as opened:
        files = []
        for path in shards:
            check()
            files.append(ShardFile(path))
            opened.callback(files[-1].close)
        held = opened.enter_context(held_destination(Path(destination)))
        opened.enter_context(without_cycle_collection())
        manifest = _merge(files, held, options, report, Callbacks(progress=progress, expect=None, step=step), check)
        if held.path.parent.name == OWN_DIRECTORY:
            keep_out_of_git(held.at.parent)
        report.finish(str(held.path), digest_of(render_manifest(manifest)), manifest)
    return report


def _merge(
    shards: Sequence[ShardFile],
    destination: Destination,
    options: BuildOptions,
    report: BuildReport,
    callbacks: Callbacks,
    check: Callable[[], None],
) -> Manifest:
    """Merge shards that were verified each, and put the bundle in place; ``check`` raises when the time is over."""
    from hardtack.build.assembly import Assembly
    from hardtack.build.reuse.retry import MALFORMED_ROWS
    from hardtack.build.shards.commits import CommitsOfShard
    from hardtack.build.shards.making import encoder_of
    from hardtack.build.shards.stage import TREE, ShardStage, require_whole

    first = require_whole(shards)
    head = first.head
    options = _options_of_merge(head, options)
    report.notes += dict.fromkeys(note for shard in shards for note in shard.head.notes)
    tree = SourceTree(provenance=head.provenance, notes=(), read=lambda _: iter(()), paths=lambda: 0, check=check)
    stage = ShardStage(shards, report, limits=options.source.limits, check=check)
    with opened_indexes(options.scip) as indexes, staging_directory(destination) as (staging, scratch):
        assembly = Assembly(
            *(tree, options, report),
            stage=stage,
            encoder=encoder_of(shards),
            indexes=indexes,
            commits=CommitsOfShard(first) if head.has_commits else None,
        )
        try:
            manifest = assembly.write(TREE, staging, scratch, callbacks)
        except MALFORMED_ROWS as error:
            raise FormatError(
                f"What the shards say of {stage.path} is no analysis of a file ({error}).", hint="Build all shards again."
            ) from error
        check_size(parse_manifest(render_manifest(manifest)), options)  # which checks what was taken from the shards as it is
        put_in_place(staging, destination, callbacks.step)
    return manifest


def _options_of_merge(head: ShardHead, limits: BuildOptions) -> BuildOptions:
    """The options that the shards were built with, and the limits and indexes of the merge."""
    options = options_of(head.options)
    return replace(
        options,
        source=replace(options.source, limits=limits.source.limits),
        history=head.history,
        scip=limits.scip,
        max_size=limits.max_size,
        max_seconds=limits.max_seconds,
    )
