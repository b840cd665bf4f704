"""A bundle's path in, a page of it out, as one file or as a directory, put in place in one step: what ``hardtack page`` does.

The bundle's hashes are verified before it is read. Bytes depend on the bundle, on the name that it is given and on the versions of
Jinja2 and Pygments; on no clock and no name of this machine. ``page.json``, written last, says that a directory is a page.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardtack.bundle.placing import Occupant, Step, has_account, held_destination, put_in_place, staging_directory
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.cores import cores
from hardtack.descriptors import staged_file, sync_directory
from hardtack.errors import SourceError, UsageError
from hardtack.nouns.changes import Comparison
from hardtack.page.addresses import FILES, FOLDERS, HOME, SHARDS
from hardtack.page.pages import Pages
from hardtack.page.rendering import ABOUT, CHANGES, OPENING, SCHEMA, SCRIPT, STYLE
from hardtack.render.stats import readable_size

ACCOUNT: Final = "page.json"
MOST_TEXT: Final = 1 << 20
"""Bytes of text that a page takes as one file: some 30,000 lines, of which a browser makes a page of 10 MB."""
MOST_SYMBOLS: Final = 20_000
"""Symbols of it."""
_SUFFIXES: Final = frozenset({".html", ".htm"})
_OWN: Final = frozenset({ACCOUNT, HOME, ABOUT, CHANGES, SCRIPT, STYLE, FILES, FOLDERS, SHARDS})


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """A page that was written."""

    path: Path
    bundle: str
    """The bundle's digest."""
    is_directory: bool
    files: int
    """Files that it is made of."""
    size: int
    """Bytes of them all."""
    uncoloured: tuple[str, ...]
    """Paths of source files that took too long to highlight, and are shown without colours."""


def write_page(bundle: Path, destination: Path, *, name: str, step: Step, comparison: Comparison | None = None) -> PageInfo:
    """Write the bundle at ``bundle`` as a page. Replaces a page that is there.

    Args:
        bundle: a bundle's directory, or a pack.
        destination: a file, if its name ends in ``.html``; else a directory, which is made, in one that exists.
        name: of the bundle, as the page shows it where the bundle names no repository.
        step: called before each write, fsync and rename.
        comparison: of an older bundle with this one, for a page of changes; None for no such page.

    Raises:
        BundleError: there is no bundle, it is not what its manifest says, or it cannot be read.
        UsageError: ``destination`` holds something else, and was not touched; or the bundle is too large for one file.
        SourceError: the page cannot be written.
    """
    with open_bundle(bundle, check="hashes") as opened:
        if destination.suffix.lower() in _SUFFIXES:
            return _as_file(opened, destination, name, step, comparison)
        return _as_directory(opened, destination, name, step, comparison)


def _as_file(bundle: Bundle, destination: Path, name: str, step: Step, comparison: Comparison | None) -> PageInfo:
    if os.path.lexists(destination) and not _is_page_file(destination):
        raise UsageError(
            f"{destination} is there and is no page; it was not touched.", hint="Choose another place with -o, or remove it first."
        )
    counts = bundle.manifest.counts
    if counts.text_bytes > MOST_TEXT or counts.symbols > MOST_SYMBOLS:
        raise UsageError(
            f"The bundle has {readable_size(counts.text_bytes)} of text and {counts.symbols:,} symbols; a page of one file takes"
            f" {readable_size(MOST_TEXT)} and {MOST_SYMBOLS:,}.",
            hint=f"Name a directory instead: -o {destination.with_suffix('')}",
        )
    pages = Pages(bundle, name, is_single=True, comparison=comparison)
    content = pages.single(cores()).encode("utf-8", "replace")
    try:
        with staged_file(destination, 0o644) as (file, staged):
            with file:  # Windows renames no open file
                step(f"write {destination.name}")
                _write_all(file.fileno(), content)
                step(f"fsync {destination.name}")
                os.fsync(file.fileno())
            step(f"rename {destination.name}")
            staged.replace(destination)
            step(f"fsync {destination.parent.name}")
            sync_directory(destination.parent)
    except OSError as error:
        raise SourceError(f"{destination} cannot be written: {error.strerror}.", hint="Choose another place with -o.") from error
    return _info(bundle, destination, pages, is_directory=False, files=1, size=len(content))


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _is_page_file(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return path.is_file() and not path.is_symlink() and file.read(len(OPENING)) == OPENING.encode()
    except OSError:
        return False


def _as_directory(bundle: Bundle, destination: Path, name: str, step: Step, comparison: Comparison | None) -> PageInfo:
    with (
        held_destination(destination, occupant=_PAGE) as held,
        staging_directory(held) as (staged, _),
    ):
        pages = Pages(bundle, name, is_single=False, comparison=comparison)
        files = size = 0
        for place, content in _files(bundle, pages):
            try:
                size += _write(staged / place, content, step)
            except OSError as error:
                hint = "Free some space, or choose another place with -o."
                raise SourceError(f"The page could not be written: {error.strerror}.", hint=hint) from error
            files += 1
        for each in (FILES, FOLDERS, SHARDS, ""):
            if (staged / each).is_dir():
                step(f"fsync {each or staged.name}")
                sync_directory(staged / each)
        put_in_place(staged, held, step)
    return _info(bundle, destination, pages, is_directory=True, files=files, size=size)


def _files(bundle: Bundle, pages: Pages) -> Iterator[tuple[str, str]]:
    """Place and content of every file, the account last."""
    yield from pages.separate(cores())
    account = {"schema": SCHEMA, "bundle": bundle.digest, "commit": bundle.manifest.provenance.commit}
    yield ACCOUNT, json.dumps(account, indent=2, sort_keys=True) + "\n"


def _write(path: Path, content: str, step: Step) -> int:
    """Write one file; the number of its bytes."""
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o755)
    step(f"write {path.name}")
    data = content.encode("utf-8", "replace")
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    path.chmod(0o644)
    return len(data)


def _info(bundle: Bundle, path: Path, pages: Pages, **counts: Any) -> PageInfo:
    return PageInfo(path=path, bundle=bundle.digest, uncoloured=tuple(pages.uncoloured), **counts)


def _is_page(path: Path, entries: set[str]) -> bool:
    """Whether the directory has an account, of any version, and nothing beside it and what a page is made of."""
    return entries <= _OWN and has_account(path, ACCOUNT, "hardtack.page/")


_PAGE: Final = Occupant(noun="page", verb="page", flag="-o", is_one=_is_page)
