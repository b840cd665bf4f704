"""The entries of a catalog: a bundle's name, where it lies, and what of it is open.

A bundle that is open is closed by its last reader, once something else has taken its place.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.naming import OWN_DIRECTORY
from hardtack.query.searcher import Searcher
from hardtack.store.locate import Located


@dataclass(slots=True)
class Opened:
    """An open bundle, and how many calls read it; the last of them closes it once it is not current any more."""

    searcher: Searcher
    stamp: tuple[int, ...]
    """:func:`stamp_of` the bundle when it was opened."""
    readers: int = 0
    is_current: bool = True


class ManifestRead(NamedTuple):
    """A manifest as it was last read."""

    stamp: tuple[int, ...]
    """:func:`stamp_of` the bundle at that time."""
    manifest: Manifest
    digest: str
    """Of the bundle."""


@dataclass(slots=True)
class CatalogEntry:
    """One bundle of the catalog."""

    name: str
    """The index name."""
    located: Located
    opened: Opened | None = None
    over: Opened | None = None
    """The bundle of the working tree over it that answered last."""
    read: ManifestRead | None = None
    trouble: str = ""
    """Why the bundle that lies there now is not the one that answers; empty when it is."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def reading(self, opened: Opened) -> Iterator[Searcher]:
        """The searcher of a bundle that has counted this reader."""
        try:
            yield opened.searcher
        finally:
            with self.lock:
                opened.readers -= 1
                if not opened.readers and not opened.is_current:
                    opened.searcher.close()

    def retire(self) -> None:
        """Take the open bundle, and what lies over it; under :attr:`lock`."""
        _retire(self.opened)
        self.opened = None
        self.lay_over(None)

    def lay_over(self, over: Opened | None) -> None:
        """Have another bundle answer for the working tree; under :attr:`lock`."""
        _retire(self.over)
        self.over = over

    def directories(self, checkout: Path | None) -> Iterator[Path]:
        """The bundle's directory, the one that it was built of, and the checkout; each as it was named and with links resolved."""
        own = self.located.path
        for directory in (own, own.parent.parent if own.parent.name == OWN_DIRECTORY else None, checkout):
            if directory:
                yield Path(os.path.normpath(directory.absolute()))
                yield Path(os.path.realpath(directory))


def _retire(opened: Opened | None) -> None:
    """Have it closed now, or by the last call that reads it."""
    if opened:
        opened.is_current = False
        if not opened.readers:
            opened.searcher.close()


def stamp_of(path: Path) -> tuple[int, ...]:
    """Device, inode, modification time and size of the manifest at ``path``, or of the pack; empty when there is none."""
    try:
        try:
            state = (path / layout.MANIFEST).stat()
        except NotADirectoryError:  # a pack
            state = path.stat()
    except OSError:
        return ()
    return (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size)
