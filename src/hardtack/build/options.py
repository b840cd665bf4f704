"""The options of a build, their checks, and those of them that a manifest records."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol

from hardtack import __version__
from hardtack.build.source.decode import SourceOptions
from hardtack.build.source.limits import MOST_SECONDS
from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.naming import OWN_PLACE
from hardtack.bundle.placing import Step
from hardtack.encoders import EncoderSettings
from hardtack.errors import BuildError, FormatError, UsageError

TOOL: Final = f"hardtack {__version__}"
"""The program's name and version in a manifest."""

AUTO: Final = "auto"
NO_BASE: Final = "none"

Progress = Callable[[int], None]
"""Called after each file with how many are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """Functions that a build calls; see :func:`hardtack.build.pipeline.build_bundle`."""

    progress: Progress | None
    expect: Callable[[int], None] | None
    step: Step


class OwnWork(Protocol):
    """Remembers what this user's own builder made and where; who writes the source tree cannot write there.

    A mark is a bundle's digest or a checkpoint's number; a place is an absolute path without links. Every method raises
    HardtackError where nothing can be remembered, or what is remembered cannot be trusted.
    """

    def has(self, place: Path, mark: str) -> bool:
        """Whether this user's builder made what bears that mark, at that place."""
        ...

    def add(self, place: Path, mark: str) -> None:
        """Remember it."""
        ...

    def drop(self, place: Path, mark: str) -> None:
        """Forget it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """The options of a build. Those that decide a bundle's content are recorded in its manifest."""

    roots: tuple[tuple[str, Path], ...] = ()
    """(name, directory) of each root of a bundle with several; empty for a bundle of one root."""
    worktree: bool = False
    """Read the files on the disk even if there is a commit."""
    commit: str = ""
    """Full id of the commit to build; empty for HEAD's. Only for a single root that is a checkout which has the commit."""
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
    scip: tuple[Path, ...] = ()
    """Indexes that languages' own indexers made; where several speak of a place, the first decides."""
    history: int = 0
    """Commits of the history that the bundle holds, at most :data:`layout.COMMIT_COUNT_LIMIT`; 0 for none."""
    base: Path | str = AUTO
    """The bundle from which unchanged files are reused: ``auto`` is the one that is replaced, if :class:`OwnWork` has it; ``none``
    is none; a path is taken at its caller's word."""
    only_over_base: bool = False
    """Believe the base without analysing any of its files again, and raise rather than build without it. For a bundle of a working
    tree, over the one that answers now: of a file that has not changed it says what is said already."""
    jobs: int = 0
    """Worker processes; 0 is one for each core."""
    cluster: str = ""
    """Address of the scheduler of a Dask cluster whose workers analyse the files; empty for worker processes of this machine."""
    max_seconds: float = MOST_SECONDS
    """The longest time of the whole build; after it nothing is put in place."""
    follow_git: bool = False
    """Read a checkout whose git directory leads into a repository that does not name it."""


def check_choices(options: BuildOptions) -> None:
    """Check the options that are one of several words, or exclude each other.

    Raises:
        UsageError: one is none of them, or excludes another one.
    """
    if options.profile not in ("hybrid", "keyword"):
        raise UsageError(f"There is no profile {options.profile!r}.", hint="Profiles: hybrid, keyword.")
    if options.text not in ("full", "none"):
        raise UsageError(f"Text cannot be {options.text!r}.", hint="Text is full or none.")
    if not 0 <= options.history <= layout.COMMIT_COUNT_LIMIT:
        hint = f"Ask for 0 to {layout.COMMIT_COUNT_LIMIT} commits."
        raise UsageError(f"A history cannot have {options.history} commits.", hint=hint)
    if options.cluster and options.jobs:
        hint = "Leave one of them out; dask worker --nthreads says how many a machine has."
        raise UsageError("A cluster has its own number of worker processes, so --jobs does not go with it.", hint=hint)


def check_size(manifest: Manifest, options: BuildOptions) -> None:
    """Compare the size of a bundle with ``options.max_size``.

    Raises:
        BuildError: the bundle is larger.
    """
    size = sum(member.size for member in manifest.members)
    if options.max_size is not None and size > options.max_size:
        raise BuildError(
            f"The bundle would have {size} bytes, over the limit of {options.max_size}; nothing was put in place.",
            hint="Raise --max-size, build with --profile keyword or --text none, or name what to leave out in .hardtackignore.",
        )


def default_destination(root: Path) -> Path:
    """Where a bundle goes by default; this place is never indexed itself."""
    return root / OWN_PLACE


def engines() -> Mapping[str, str]:
    """The versions of everything whose output becomes part of a member."""
    packages = ("faiss-cpu", "msgpack", "tantivy", "tree-sitter", "tree-sitter-language-pack")
    return {
        **{package: version(package) for package in packages},
        "tantivy-index-format": str(layout.TANTIVY_INDEX_FORMAT),
        "unicode": unicodedata.unidata_version,  # Python's tables, which decide what a word is and its lower case
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }


def options_like(manifest: Manifest, base: Path) -> BuildOptions:
    """The options of a build of the working tree over the bundle at ``base``, which ``manifest`` is of.

    Raises:
        FormatError: the manifest records options that no build has.
    """
    options = options_of(manifest.options)
    return replace(options, worktree=True, repository=manifest.provenance.repository, base=base, only_over_base=True)


def options_of(said: Mapping[str, Any]) -> BuildOptions:
    """The options that :func:`recorded` gave.

    Raises:
        FormatError: no build has such options.
    """
    types = {name: type(value) for name, value in recorded(BuildOptions()).items()}
    if {name: type(value) for name, value in said.items()} != types or not all(isinstance(glob, str) for glob in said["keep"]):
        raise _odd_options()
    options = BuildOptions(
        source=SourceOptions(
            tests=said["tests"],
            vendor=said["vendor"],
            keep=tuple(said["keep"]),
            max_file_size=said["max_file_size"],
            secrets=said["secrets"],
        ),
        profile=said["profile"],
        text=said["text"],
    )
    try:
        check_choices(options)
    except UsageError as error:
        raise _odd_options() from error
    if options.source.secrets not in ("redact", "fail", "warn"):
        raise _odd_options()
    return options


def _odd_options() -> FormatError:
    return FormatError("The manifest records options that no build has.", field="options")


def recorded(options: BuildOptions) -> dict[str, object]:
    """The options that the manifest records: those that decide the content."""
    return {
        "profile": options.profile,
        "text": options.text,
        "tests": options.source.tests,
        "vendor": options.source.vendor,
        "keep": list(options.source.keep),
        "max_file_size": options.source.max_file_size,
        "secrets": options.source.secrets,
    }
