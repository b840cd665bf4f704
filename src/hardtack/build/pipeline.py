"""A source tree in, a bundle in its place out: the whole build, top to bottom.

    open_tree     root            -> paths, then files or skips, in path order      source/
    unchanged     tree            -> the bundle that is there, if it is of all that unchanged.py
    opened_base   a bundle        -> the files that it holds as they are            base_bundle.py
    analyse       other files     -> symbols, chunks, terms, vectors                in worker processes
    with_vectors  analysed files  -> the same with vectors of another encoder       encoding.py
    add           indexed file    -> rows, documents, vectors of the growing bundle bundle/writer.py
    end_files     vectors         -> their codes                                    bundle/engines/vector_codes.py
    relate        all files       -> imports, supertypes, references, facts         relations/
    finish        growing bundle  -> members, hashes, manifest                      bundle/writer.py
    put_in_place  staged bundle   -> the bundle, in one step                        bundle/placing.py

Files stream through one after another; their order comes from their paths alone, so neither the number of processes nor what was
taken over shows in anything but the time. From ``analyse`` to ``finish`` is :mod:`hardtack.build.assembly`.
"""

from __future__ import annotations

import gc
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardtack.build.options import AUTO, NO_BASE, BuildOptions, Progress, default_destination
from hardtack.build.report import BuildReport
from hardtack.build.reuse.up_to_date import unchanged
from hardtack.build.source.tree import SourceTree, open_tree, open_trees
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Manifest, render_manifest
from hardtack.bundle.naming import OWN_DIRECTORY
from hardtack.bundle.placing import Step, check_destination, keep_out_of_git, put_in_place, remove_left, staging_directory
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import BuildError, BundleError, UsageError

if TYPE_CHECKING:
    from hardtack.build.workers.processes import Workers
    from hardtack.encoders import Encoder

MISSHAPEN: Final = (
    *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError, struct.error),
)
"""What rows of any shape can lead to. A forged base or journal may have such; if the fault is not theirs, it shows without them."""

__all__ = ["AUTO", "NO_BASE", "BuildOptions", "Progress", "build_bundle", "default_destination", "require_parsers"]


def require_parsers() -> None:
    """See that what workers need is installed, before any is started.

    Raises:
        ModuleNotFoundError: it is not.
    """
    for name in ("tree_sitter", "tree_sitter_language_pack"):
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def build_bundle(
    root: str | Path,
    destination: str | Path | None = None,
    options: BuildOptions | None = None,
    *,
    progress: Progress | None = None,
    expect: Callable[[int], None] | None = None,
    step: Step = lambda _: None,
) -> BuildReport:
    """Build the bundle of ``root`` and put it at ``destination``.

    Args:
        root: a directory or a git checkout; ignored when ``options.roots`` names several.
        destination: absent, empty, or a bundle to replace; :func:`default_destination` if None.
        options: what to build.
        progress: told how far it is.
        expect: told, before each ``progress``, how many files there are at most.
        step: called before each write, fsync and rename.

    Raises:
        SourceUnreadable: ``root`` is missing or cannot be read.
        NothingIndexed: ``root`` holds nothing that can be indexed; nothing is written.
        EncoderUnavailable: the encoder cannot be loaded, or has failed; vectors that it made are in its cache, nothing else is.
        UsageError: ``destination`` holds something that is no bundle.
        SourceError: the disk refuses.
        PolicyError: ``root`` holds secrets, and ``options`` refuse them; nothing is written.
    """
    require_parsers()
    options = options or BuildOptions()
    report = BuildReport()
    root = Path(root)
    place = check_destination(Path(destination) if destination else default_destination(root))
    tree = _open(root, place, options)
    report.notes += tree.notes
    if found := unchanged(tree, place, options, report):
        manifest, digest = found
        _check_size(manifest, options)
        remove_left(place)
        report.finish(str(place), digest, manifest, is_unchanged=True)
        return report
    with _uncollected(), _workers(options) as workers:
        manifest = _built(tree, root, place, options, report, workers, progress=progress, expect=expect, step=step)
    if place.parent.name == OWN_DIRECTORY:
        keep_out_of_git(place.parent)
    report.finish(str(place), digest_of(render_manifest(manifest)), manifest)
    return report


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no cycles of garbage in this process.

    A build makes millions of small values that stay until its end and hold no cycles. Going through them again and again took a
    third of the building process's time; going through all of them once, after the last file, a tenth of an increment's.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _workers(options: BuildOptions) -> Workers:
    """What reads the files, ready to be started."""
    from hardtack.build.workers.processes import Workers

    has_vectors, is_default = options.profile == "hybrid", options.encoder.name == DEFAULT_ENCODER
    return Workers(
        with_vectors=has_vectors and is_default,
        with_synopses=has_vectors and not is_default,
        with_readings=options.text == "full",
    )


def _built(
    tree: SourceTree,
    root: Path,
    place: Path,
    options: BuildOptions,
    report: BuildReport,
    workers: Workers,
    *,
    progress: Progress | None,
    expect: Callable[[int], None] | None,
    step: Step,
) -> Manifest:
    """The manifest of the bundle of ``tree``, which then lies at ``place``.

    From a base first, if there is one that can be used; with what an interrupted build left; if all else fails from nothing.
    """
    # Engines, numpy, resolving: what a build of nothing new does without, and what is loaded while the workers load theirs.
    from hardtack.build.assembly import Assembly
    from hardtack.build.encoding import opened_encoder
    from hardtack.build.reuse.base_bundle import BaseBundle, Unusable, opened_base, refusal
    from hardtack.build.reuse.checkpoint import opened_journal

    def attempt(encoder: Encoder | None, base: BaseBundle | None, *, resumes: bool = True) -> Manifest:
        with staging_directory(place) as (staging, scratch), opened_journal(place, options, resumes=resumes) as journal:
            assembly = Assembly(tree, options, report, workers=workers, encoder=encoder, base=base, journal=journal)
            manifest = assembly.write(root, staging, scratch, step=step, progress=progress, expect=expect)
            _check_size(manifest, options)
            put_in_place(staging, place, step)
            return manifest

    with opened_encoder(options.encoder) if options.profile == "hybrid" else nullcontext() as encoder:
        with opened_base(options, place, tree.provenance, encoder, report.notes) as base:
            if base is not None:
                report.before = base.contents
                try:
                    return attempt(encoder, base)
                except (Unusable, BundleError, *MISSHAPEN) as error:
                    report.begin_again(refusal(place if options.base == AUTO else Path(options.base), error))
        try:
            return attempt(encoder, None)
        except (BundleError, *MISSHAPEN) as error:
            if not report.resumed:
                raise
            report.begin_again(f"What an interrupted build had left is of no use: {str(error).rstrip('.')}")
        return attempt(encoder, None, resumes=False)


def _open(root: Path, place: Path, options: BuildOptions) -> SourceTree:
    """The source tree, or the several that make one bundle."""
    if options.profile not in ("hybrid", "keyword"):
        raise UsageError(f"There is no profile {options.profile!r}.", hint="Profiles: hybrid, keyword.")
    if options.text not in ("full", "none"):
        raise UsageError(f"Text cannot be {options.text!r}.", hint="Text is full or none.")
    if options.roots:
        return open_trees(
            options.roots, worktree=options.worktree, options=options.source, repository=options.repository, exclude=place
        )
    return open_tree(root, worktree=options.worktree, options=options.source, repository=options.repository, exclude=place)


def _check_size(manifest: Manifest, options: BuildOptions) -> None:
    size = sum(member.size for member in manifest.members)
    if options.max_size is not None and size > options.max_size:
        raise BuildError(
            f"The bundle would have {size} bytes, over the limit of {options.max_size}; nothing was put in place.",
            hint="Raise --max-size, build with --profile keyword or --text none, or name what to leave out in .hardtackignore.",
        )
