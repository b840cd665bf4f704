"""What a build is asked to do, and what of that a bundle records."""

from __future__ import annotations

import os
import sys
import unicodedata
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardtack import __version__
from hardtack.build.source.decode import SourceOptions
from hardtack.bundle.format import layout
from hardtack.bundle.naming import OWN_PLACE
from hardtack.encoders import EncoderSettings

TOOL: Final = f"hardtack {__version__}"
"""What this program calls itself in a manifest."""

AUTO: Final = "auto"
NO_BASE: Final = "none"

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
    base: Path | str = AUTO
    """The bundle that what has not changed is taken over from: ``auto`` is the one that is replaced, ``none`` none."""
    jobs: int = 0
    """Worker processes; 0 is one for each core."""


def default_destination(root: Path) -> Path:
    """Where a bundle goes when nothing else is said; never indexed itself."""
    return root / OWN_PLACE


def version_of(package: str) -> str:
    """The version of an installed package, by the name of the directory that says what was installed.

    ``importlib.metadata`` reads the same out of a file there. To load it takes a seventh of a build that finds nothing changed.

    Raises:
        PackageNotFoundError: there is none.
    """
    start = package.replace("-", "_") + "-"
    for folder in sys.path:
        names = os.listdir(folder) if os.path.isdir(folder) else ()  # noqa: PTH112, PTH208  (paths that are objects take twice as long)
        found = [name for name in names if name.startswith(start) and name.endswith(".dist-info")]
        if len(found) == 1:
            return found[0].removeprefix(start).removesuffix(".dist-info")
    from importlib.metadata import version

    return version(package)


def engines() -> Mapping[str, str]:
    """Versions of everything whose output ends in a member's bytes."""
    packages = ("faiss-cpu", "msgpack", "tantivy", "tree-sitter", "tree-sitter-language-pack")
    return {
        **{package: version_of(package) for package in packages},
        "tantivy-index-format": str(layout.TANTIVY_INDEX_FORMAT),
        "unicode": unicodedata.unidata_version,  # Python's own tables: what a word is, and its lower case
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }


def recorded(options: BuildOptions) -> dict[str, object]:
    """The options as the manifest keeps them: what decides the content, not how fast it came."""
    return {
        "profile": options.profile,
        "text": options.text,
        "tests": options.source.tests,
        "vendor": options.source.vendor,
        "max_file_size": options.source.max_file_size,
        "secrets": options.source.secrets,
    }
