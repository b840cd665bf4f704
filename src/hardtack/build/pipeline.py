"""A source tree in, a bundle in its place out: the whole build, top to bottom. The only module that knows every stage.

    open_tree     root            -> paths, then files or skips, in path order      source/
    analyse       file            -> symbols, chunks, terms, vectors                in worker processes
    with_vectors  analysed files  -> the same with vectors of another encoder       encoding.py
    add           indexed file    -> rows, documents, vectors of the growing bundle bundle/writer.py
    relate        all files       -> imports, supertypes, references, facts         relations/
    finish        growing bundle  -> members, hashes, manifest                      bundle/writer.py
    put_in_place  staged bundle   -> the bundle, in one step                        bundle/placing.py

Files stream through one after another; their order comes from their paths alone, so the number of processes shows only in the time.
"""

from __future__ import annotations

import os
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path

from hardtack import __version__
from hardtack.build.encoding import members_of, notes_of, opened_encoder, with_vectors
from hardtack.build.executors import Analysed, WorkerPool
from hardtack.build.languages.registry import languages
from hardtack.build.relations.relate import Relater
from hardtack.build.report import BuildReport
from hardtack.build.source.tree import SourceOptions, SourceTree, open_tree, open_trees
from hardtack.bundle import layout
from hardtack.bundle.digest import canonical_json, digest_of
from hardtack.bundle.manifest import EncoderIdentity, LanguageCount, Manifest, NamedProject, render_manifest
from hardtack.bundle.naming import OWN_DIRECTORY, OWN_PLACE
from hardtack.bundle.placing import Step, check_destination, keep_out_of_git, put_in_place, staging_directory
from hardtack.bundle.writer import BundleWriter, IndexedFile
from hardtack.encoders import DEFAULT_ENCODER, EncoderSettings
from hardtack.errors import BuildError, NothingIndexed, UsageError
from hardtack.model import Skip, SkipReason, SourceFile
from hardtack.projects import Project, project_of_row
from hardtack.terms import fingerprint

_PROJECTS_BYTES = layout.MANIFEST_LIMIT // 2
"""Bytes of the manifest that its list of projects may take."""

Progress = Callable[[int], None]
"""Called after each file with how many are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What a build is asked to do. What decides a bundle's content is recorded in its manifest."""

    roots: tuple[tuple[str, Path], ...] = ()
    """(name, directory) of each root of a bundle of several; empty for the one root that is built."""
    worktree: bool = False
    """Read the files on the disk even where there is a commit."""
    source: SourceOptions = field(default_factory=SourceOptions)
    profile: str = "hybrid"
    """``hybrid``, or ``keyword`` for a bundle without vectors and encoder."""
    text: str = "full"
    """``full``, or ``none`` for a bundle without source text."""
    max_size: int | None = None
    """Bytes; a bundle that comes out larger is not put in place."""
    repository: str | None = None
    """``host/owner/name`` to record; None takes it from git's ``origin``."""
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    """Which encoder makes the vectors of a hybrid bundle, and what it may use."""
    jobs: int = 0
    """Worker processes; 0 is one for each core."""


def default_destination(root: Path) -> Path:
    """Where a bundle goes when nothing else is said; never indexed itself."""
    return root / OWN_PLACE


def build_bundle(
    root: str | Path,
    destination: str | Path | None = None,
    options: BuildOptions | None = None,
    *,
    progress: Progress | None = None,
    step: Step = lambda _: None,
) -> BuildReport:
    """Build the bundle of ``root`` and put it at ``destination``.

    Args:
        root: a directory or a git checkout; ignored when ``options.roots`` names several.
        destination: absent, empty, or a bundle to replace; :func:`default_destination` if None.
        options: what to build.
        progress: told how far it is.
        step: called before each write, fsync and rename.

    Raises:
        SourceUnreadable: ``root`` is missing or cannot be read.
        NothingIndexed: ``root`` holds nothing that can be indexed; nothing is written.
        EncoderUnavailable: the encoder cannot be loaded, or has failed; vectors that it made are in its cache, nothing else is.
        UsageError: ``destination`` holds something that is no bundle.
        SourceError: the disk refuses.
    """
    options = options or BuildOptions()
    report = BuildReport()
    root = Path(root)
    place = check_destination(Path(destination) if destination else default_destination(root))
    tree = _open(root, place, options)
    report.notes += tree.notes
    with (
        opened_encoder(options.encoder) if options.profile == "hybrid" else nullcontext() as encoder,
        _pool(options) as pool,
        staging_directory(place) as (staging, scratch),
    ):
        dimension = encoder.dimension if encoder else 0
        writer = BundleWriter(staging, scratch, keep_text=options.text == "full", dimension=dimension, step=step)
        tally, relater = _Tally(), Relater()
        for analysed in with_vectors(pool.map(_files(tree, report)), encoder):
            _take(analysed, writer, relater, tally, report)
            if progress:
                progress(writer.counts.files)
        if not writer.counts.chunks:
            raise NothingIndexed(
                f"{root} holds nothing to index{_reasons(report)}.", hint="Name a directory that holds source text."
            )
        report.notes += notes_of(encoder)
        identity = EncoderIdentity(name=encoder.name, fingerprint=encoder.fingerprint, dimension=dimension) if encoder else None
        manifest = _manifest(tree, options, identity, writer, tally, report)
        related = relater.relate(tally.projects)
        writer.relate(related.relations, related.references.items(), related.facts, related.tags)
        manifest = writer.finish(manifest, members_of(encoder))
        _check_size(manifest, options)
        put_in_place(staging, place, step)
    if place.parent.name == OWN_DIRECTORY:
        keep_out_of_git(place.parent)
    report.finish(str(place), digest_of(render_manifest(manifest)), manifest)
    return report


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


def _pool(options: BuildOptions) -> WorkerPool:
    """The workers, making themselves the vectors that the default encoder makes."""
    has_vectors, is_default = options.profile == "hybrid", options.encoder.name == DEFAULT_ENCODER
    return WorkerPool(
        options.jobs or len(os.sched_getaffinity(0)),
        with_vectors=has_vectors and is_default,
        with_synopses=has_vectors and not is_default,
    )


def _files(tree: SourceTree, report: BuildReport) -> Iterator[SourceFile]:
    """The files to index, skips noted on the way."""
    for item in tree.files():
        if isinstance(item, Skip):
            report.skips.append(item)
        else:
            yield item


@dataclass(slots=True)
class _Tally:
    """What the manifest says of the files as a whole."""

    files: Counter[str] = field(default_factory=Counter)
    chunks: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    parse_status: Counter[str] = field(default_factory=Counter)
    projects: list[Project] = field(default_factory=list)
    """In path order."""

    def add(self, language: str, indexed: IndexedFile) -> None:
        """Count one file."""
        self.files[language] += 1
        self.chunks[language] += len(indexed.chunks)
        self.lines[language] += indexed.line_count
        self.parse_status[indexed.parse_status] += 1

    def languages(self) -> tuple[LanguageCount, ...]:
        """The languages present, by id."""
        table = languages()
        return tuple(
            LanguageCount(
                id=id,
                name=table[id].name,
                aliases=table[id].aliases,
                files=self.files[id],
                chunks=self.chunks[id],
                lines=self.lines[id],
            )
            for id in sorted(self.files)
        )


def _take(analysed: Analysed, writer: BundleWriter, relater: Relater, tally: _Tally, report: BuildReport) -> None:
    """Give one analysed file to the bundle, or account for it."""
    file = analysed.file
    if analysed.crash:
        report.failures.append((file.path, analysed.crash))
    if analysed.indexed is None:
        report.skips.append(Skip(path=file.path, reason=SkipReason.UNREADABLE, detail=f"its parser {analysed.crash}"))
        return
    writer.add(file, analysed.indexed)
    relater.add(file, analysed.indexed)
    tally.add(file.language, analysed.indexed)
    if analysed.indexed.project is not None:
        tally.projects.append(project_of_row(analysed.indexed.project))


def _manifest(
    tree: SourceTree,
    options: BuildOptions,
    encoder: EncoderIdentity | None,
    writer: BundleWriter,
    tally: _Tally,
    report: BuildReport,
) -> Manifest:
    """What the bundle says of itself, its members left for the writer to list."""
    return Manifest(
        format_version=layout.FORMAT_VERSION,
        tool=f"hardtack {__version__}",
        engines=_engines(),
        terms_fingerprint=fingerprint(),
        encoder=encoder,
        provenance=tree.provenance,
        options=_recorded(options),
        counts=writer.counts,
        languages=tally.languages(),
        skipped=dict(sorted(report.skipped.items())),
        parse_status=dict(sorted(tally.parse_status.items())),
        projects=_listed(tally.projects),
        members=(),
    )


def _listed(projects: Sequence[Project]) -> tuple[NamedProject, ...]:
    """The projects that the manifest lists: those with a name, and where there are too many, those nearest to the root."""
    named = sorted((project for project in projects if project.name), key=lambda project: (project.path.count("/"), project.path))
    entries = [
        NamedProject(
            path=project.path,
            ecosystem=project.ecosystem,
            name=project.name,
            version=project.version,
            language_version=project.language_version,
        )
        for project in named
    ]
    sizes = accumulate(len(canonical_json(asdict(entry))) for entry in entries)
    count = bisect_right(list(sizes), _PROJECTS_BYTES)
    return tuple(sorted(entries[: min(count, layout.PROJECT_COUNT_LIMIT)], key=lambda entry: entry.path))


def _reasons(report: BuildReport) -> str:
    """Why there was nothing, for the sentence that says so."""
    if not report.skips:
        return ""
    counts = ", ".join(f"{count} {reason}" for reason, count in report.skipped.items())
    return f" ({len(report.skips)} paths skipped: {counts})"


def _check_size(manifest: Manifest, options: BuildOptions) -> None:
    size = sum(member.size for member in manifest.members)
    if options.max_size is not None and size > options.max_size:
        raise BuildError(
            f"The bundle would have {size} bytes, over the limit of {options.max_size}; nothing was put in place.",
            hint="Raise --max-size, build with --profile keyword or --text none, or name what to leave out in .hardtackignore.",
        )


def _engines() -> Mapping[str, str]:
    """Versions of everything whose output ends in a member's bytes."""
    packages = ("faiss-cpu", "msgpack", "tantivy", "tree-sitter", "tree-sitter-language-pack")
    return {
        **{package: version(package) for package in packages},
        "tantivy-index-format": str(layout.TANTIVY_INDEX_FORMAT),
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }


def _recorded(options: BuildOptions) -> dict[str, object]:
    """The options as the manifest keeps them: what decides the content, not how fast it came."""
    return {
        "profile": options.profile,
        "text": options.text,
        "tests": options.source.tests,
        "vendor": options.source.vendor,
        "max_file_size": options.source.max_file_size,
    }
