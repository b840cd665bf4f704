"""The key of a working tree over a bundle in; the bundle of that tree, where the user's cache keeps one, or a place for it, out.

    v1/overlays/HEX           the bundle of one state of one working tree
    v1/overlays/HEX.failed    why none could be built of it, for a while

A key names the bundle below and every file that differs, so what lies here is never stale. Few are kept: each edit makes one.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardtack.bundle.format import layout
from hardtack.descriptors import open_file
from hardtack.errors import SourceError

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache

KEPT: Final = 8
"""Overlays that are kept at most, those that were used last."""
KEPT_BYTES: Final = 1 << 30
"""Bytes of all that are kept at most; the one that was used last stays, whatever its size."""
_FAILED_SECONDS: Final = 600
"""How long it is remembered that none can be built of a state, so that not every answer waits for another failure."""
_REASON_LIMIT: Final = 1000
"""Bytes of a reason that is remembered."""
_KEY: Final = re.compile(r"[0-9a-f]{64}")
_FAILED: Final = ".failed"


class KeptOverlays:
    """The overlays in one user's cache."""

    def __init__(self, cache: BundleCache) -> None:
        """Note the cache; the disk is not touched."""
        self._cache = cache

    def find(self, key: str) -> Path | None:
        """The overlay of that key, which counts as used now; None when none is kept.

        Raises:
            PolicyError: others may write to the cache.
        """
        self._cache.check()
        path = self._cache.overlays / key
        if not (path / layout.MANIFEST).is_file():
            return None
        with suppress(OSError):  # on a read-only disk the oldest one is just not known
            os.utime(path)
        return path

    def failure(self, key: str) -> str:
        """Why none could be built of that state, within the last ten minutes; empty when nothing says so.

        Raises:
            PolicyError: others may write to the cache.
        """
        self._cache.check()
        with suppress(OSError, ValueError):
            descriptor = open_file(self._cache.overlays / f"{key}{_FAILED}")
            with FileIO(descriptor) as file:
                if time.time() - os.fstat(descriptor).st_mtime < _FAILED_SECONDS:
                    return file.read(_REASON_LIMIT).decode("utf-8")
        return ""

    def prepare(self) -> None:
        """Make the cache's directories.

        Raises:
            PolicyError: others may write to the cache.
            SourceError: the disk refuses.
        """
        from hardtack.store.cache_writing import prepare_cache

        prepare_cache(self._cache)

    @contextmanager
    def new(self) -> Iterator[Path]:
        """A place for an overlay that is being made; what lies there at the end is removed.

        Raises:
            SourceError: the disk refuses.
        """
        from hardtack.store.scratch import scratch_directory

        with scratch_directory(self._cache.tmp) as scratch:
            yield scratch / "bundle"

    def keep(self, key: str, place: Path) -> Path:
        """Keep the overlay that was made at ``place`` under its key; those go that were not used for longest.

        Raises:
            SourceError: the disk refuses.
        """
        path = self._cache.overlays / key
        try:
            place.rename(path)
        except OSError as error:
            if not (path / layout.MANIFEST).is_file():  # else another process was faster
                raise SourceError(f"{path} cannot be written: {error.strerror}.") from error
        with suppress(SourceError):
            remove_overlays(self._cache, _too_many(_by_use(self._cache)))
        return path

    def fail(self, key: str, reason: str) -> None:
        """Remember why none could be built; nothing where the disk refuses."""
        from hardtack.store.cache_writing import write_file

        with suppress(SourceError):
            write_file(self._cache.overlays / f"{key}{_FAILED}", reason.encode("utf-8", "replace")[:_REASON_LIMIT])


def unused_overlays(cache: BundleCache, before: float) -> list[Path]:
    """The overlays, and notes of failures, that were not used since; for garbage collection."""
    return [path for path in (*_by_use(cache), *_notes(cache)) if _used(path) < before]


def remove_overlays(cache: BundleCache, overlays: Iterable[Path]) -> None:
    """Remove them. Who has one open can read on.

    Raises:
        SourceError: the disk refuses.
    """
    from hardtack.store.scratch import move_aside, scratch_directory

    for path in overlays:
        with scratch_directory(cache.tmp) as scratch, suppress(FileNotFoundError):
            move_aside(path, scratch / path.name)


def _too_many(overlays: Sequence[Path]) -> Sequence[Path]:
    """Those of the overlays, the last used first, that go: beyond so many, or so many bytes."""
    from hardtack.store.scratch import size_of

    left = KEPT_BYTES
    for number, path in enumerate(overlays):
        left -= size_of(path)
        if number == KEPT or (number and left < 0):
            return overlays[number:]
    return ()


def _by_use(cache: BundleCache) -> list[Path]:
    """Every overlay, the one that was used last first."""
    return sorted((path for path in _listed(cache) if _KEY.fullmatch(path.name)), key=_used, reverse=True)


def _notes(cache: BundleCache) -> list[Path]:
    return [path for path in _listed(cache) if path.name.endswith(_FAILED) and _KEY.fullmatch(path.stem)]


def _listed(cache: BundleCache) -> list[Path]:
    with suppress(OSError):
        return [*cache.overlays.iterdir()]
    return []


def _used(path: Path) -> float:
    with suppress(OSError):
        return path.lstat().st_mtime
    return 0.0
