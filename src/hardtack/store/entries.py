"""The digest of a bundle in; what a catalogue would say of it, out, where the user's cache remembers it.

    v1/catalogued/HEX.json    the entry of the bundle of that digest, as a catalogue of one bundle

An entry follows from the bundle alone, so one that lies here is never stale. Making one opens the bundle, which takes a
thousand times as long as reading this.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardtack.descriptors import open_file
from hardtack.errors import HardtackError
from hardtack.nouns.catalogue import CatalogueEntry
from hardtack.store.sources.catalogue import parse_catalogue, render_catalogue
from hardtack.store.strict_json import parse_object

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache

_LIMIT: Final = 1 << 17
"""Bytes of one entry."""
_KEPT_SECONDS: Final = 90 * 86_400
"""How long an entry is kept after it was made; it is made again where it is missed."""


class KeptEntries:
    """The entries in one user's cache; without a cache, none."""

    def __init__(self, cache: Callable[[], BundleCache | None]) -> None:
        """Note where the user's cache comes from; nothing is read yet."""
        self._cache_of = cache

    def find(self, digest: str) -> CatalogueEntry | None:
        """The entry of the bundle of that digest; None where none is kept, or it cannot be read."""
        with suppress(HardtackError, OSError, ValueError):
            cache = self._cache_of()
            if cache is None:
                return None
            cache.check()
            place = _place(cache, digest)
            with FileIO(open_file(place)) as file:
                found = parse_catalogue(parse_object(file.read(_LIMIT)), str(place))
            return found[0] if len(found) == 1 and found[0].bundle_digest == digest else None
        return None

    def keep(self, entry: CatalogueEntry) -> None:
        """Keep an entry; where it cannot be written, it is not kept."""
        from hardtack.store.cache_writing import prepare_cache, write_file

        with suppress(HardtackError):
            if cache := self._cache_of():
                prepare_cache(cache)
                write_file(_place(cache, entry.bundle_digest), render_catalogue([entry], most=_LIMIT))


def unused_entries(cache: BundleCache, before: float) -> list[Path]:
    """The entries that were made more than ninety days before then; for garbage collection."""
    found: list[Path] = []
    with suppress(FileNotFoundError):
        for path in cache.catalogued.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < before - _KEPT_SECONDS:
                    found.append(path)
    return found


def _place(cache: BundleCache, digest: str) -> Path:
    return cache.catalogued / f"{digest.removeprefix('sha256:')}.json"
