"""Index names in, open bundles out, for a server or for one call of the command line.

A bundle is opened and verified on its first use, and stays open. Before each use the catalog looks at its place on the disk. A
bundle that was replaced there is verified and takes over; calls under way finish with the one they began with. If the replacement
does not verify, or the bundle was deleted, the open copy goes on answering. Only a bundle whose own files were cut or written to
is given up, because reading a map beyond the end of its file kills the process (SIGBUS).
"""

from __future__ import annotations

import os
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout, relations
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.indexes import ngrams
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.naming import distinct_names, index_name
from hardtack.bundle.reader import Bundle
from hardtack.diff.revisions import Revisions
from hardtack.encoders import EncoderSettings
from hardtack.errors import BundleError, BundleNotFound, PolicyError
from hardtack.git import is_repository
from hardtack.nouns.model import MovedOn, Provenance
from hardtack.nouns.statistics import Staleness
from hardtack.overlay.working_tree import Overlays
from hardtack.query.checkout.around import checkout_of, moved_on
from hardtack.query.checkout.head import Checkout
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.query.state.staleness import staleness_of
from hardtack.store.in_checkouts import CacheOf
from hardtack.store.locate import Located, checked, locate_all, no_cache, remedy
from hardtack.tools.entries import CatalogEntry, ManifestRead, Opened, stamp_of

LOOK_EVERY: Final = 1.0
"""Seconds between two looks for bundles that came or went; an unknown name looks at once."""
LOADED: Final = (relations, ngrams, unicodedata)
"""Modules that bundles and encoders import on first use. Imported here, so that a server loads them when it starts and opens no
file of its installation after its first answer."""
_noted: ContextVar[dict[str, MovedOn] | None] = ContextVar("noted", default=None)
"""Where :meth:`Catalog.noting` collects what it tells."""
_DELETED: Final = "It was deleted; answers come from the copy that is still open."


class Catalog:
    """Open bundles by index name. Safe to share between threads."""

    def __init__(
        self,
        *,
        named: Sequence[str] = (),
        roots: Sequence[Path] = (),
        starts: Sequence[Path] = (),
        checkout: Path | None = None,
        encoder: EncoderSettings | None = None,
        digest: str | None = None,
        cache: CacheOf = no_cache,
        clock: Callable[[], float] = time.time,
        as_built: bool = False,
    ) -> None:
        """Note where to look; bundles are looked for on first use.

        Args:
            named: bundles that were named; if there is one, no others are looked for.
            roots: read-only directories of installed bundles.
            starts: directories whose checkouts may have a bundle of their own, the likeliest first.
            checkout: a checkout of the first bundle's repository, to tell what changed since.
            encoder: encodes queries for bundles that do not carry their encoder.
            digest: refuse any bundle but this one.
            cache: gives the user's installed bundles.
            clock: seconds since 1970, for ages.
            as_built: answer from the bundles themselves, whatever their working trees are.
        """
        self.checkout = checkout
        self.clock = clock
        self._named, self._roots, self._starts = tuple(named), tuple(roots), tuple(starts)
        self._encoder, self._digest, self._cache = encoder, digest, cache
        self._overlays = None if as_built or digest else Overlays(cache)
        self._entries: dict[str, CatalogEntry] = {}
        self._added: dict[Path, None] = {}
        self._looked = float("-inf")
        self._lock = threading.Lock()

    def look_first_in(self, starts: Sequence[Path]) -> None:
        """Look in these directories, in which a client says that its user works, before those that were given."""
        with self._lock:
            self._starts = tuple(dict.fromkeys((*starts, *self._starts)))
            self._looked = float("-inf")

    @property
    def is_found(self) -> bool:
        """Whether the catalog looks for bundles itself, since none was named."""
        return not self._named

    @property
    def places(self) -> dict[str, str]:
        """Directory of this machine that an error may name -> the name to show instead."""
        entries = self._entries.values()
        places = {form: entry.name for entry in entries for form in (str(entry.located.path), str(entry.located.path.resolve()))}
        if self.checkout:
            places.update({str(self.checkout): "the checkout", str(self.checkout.resolve()): "the checkout"})
        return places

    def entries(self) -> list[CatalogEntry]:
        """All bundles at hand; the first one answers calls that name none.

        Raises:
            BundleNotFound: a bundle that was named is not there, and never was.
        """
        self._look(at_once=False)
        return [*self._entries.values()]

    def entry(self, name: str | None = None) -> CatalogEntry:
        """The bundle of that index name; without a name the first.

        Raises:
            BundleNotFound: there is none; ``details["available"]`` lists the names that there are.
        """
        self._look(at_once=False)
        if name and name not in self._entries:
            self._look(at_once=True)
        entries = self._entries
        if entry := entries.get(name) if name else next(iter(entries.values()), None):
            return entry
        available = [*entries]
        message = "No index of that name is served." if name else "No index is served."
        hint = f"Served: {', '.join(available)}." if available else remedy(self._starts, self._roots, self._cache)
        raise BundleNotFound(message, hint=hint, details={"available": available})

    def entry_at(self, path: str) -> CatalogEntry | None:
        """The bundle called ``path``, else the one whose directory holds that path, the innermost if several do; None without one.

        Paths are compared as text: nothing is looked up on this machine because a caller named it, but whether another checkout
        begins between a bundle's directory and a path below it.
        """
        entries = self.entries()
        if (named := next((entry for entry in entries if entry.name == path), None)) or len(path) > layout.PATH_LIMIT:
            return named  # no system has a longer path, and its parents together are as long as its square
        wanted = Path(os.path.normpath(Path.cwd() / path))
        innermost, depth = None, 0
        for number, entry in enumerate(entries if path else ()):
            for directory in entry.directories(self.checkout if number == 0 else None):
                if len(directory.parts) > depth and wanted.is_relative_to(directory):
                    innermost, depth = entry, len(directory.parts)
        within = [place for place in (wanted, *wanted.parents) if len(place.parts) > depth]
        return None if innermost and any(map(is_repository, within)) else innermost

    @contextmanager
    def searcher(self, name: str | None = None, *, as_built: bool = False) -> Iterator[Searcher]:
        """The open bundle of that index name, as it is on the disk now, or the one of the working tree over it.

        It stays open until the context is left.

        Args:
            name: as :meth:`entry` takes it.
            as_built: the bundle itself, whatever the working tree is.

        Raises:
            BundleError: there is none, or it is not what its manifest says.
        """
        entry = self.entry(name)
        with entry.reading(self._current(entry)) as searcher:
            if as_built:
                yield searcher
                return
            with self._laid_over(entry, searcher) as (over, moved):
                if (noted := _noted.get()) is not None and moved:
                    noted.setdefault(entry.name, moved)
                yield over

    def revisions(self, like: Bundle) -> Revisions:
        """Finds the bundles of commits of the checkout that ``like`` is of."""
        return Revisions(self._cache, self._roots, [*map(Path, like.places()), *self._starts])

    @contextmanager
    def noting(self) -> Iterator[Mapping[str, MovedOn]]:
        """Index name -> how its working tree differed, of each bundle that :meth:`searcher` gives this thread meanwhile."""
        noted: dict[str, MovedOn] = {}
        token = _noted.set(noted)
        try:
            yield noted
        finally:
            _noted.reset(token)

    @staticmethod
    def noted() -> Mapping[str, MovedOn]:
        """What :meth:`noting` has collected so far."""
        return _noted.get() or {}

    def close(self) -> None:
        """Close every bundle, waiting for nothing: what is still read is closed by its last call, what is still opened stays."""
        if self._overlays:
            self._overlays.close()
        for entry in self._entries.values():
            if entry.lock.acquire(blocking=False):
                entry.retire()
                entry.lock.release()

    def forget(self, name: str) -> None:
        """Drop a bundle that was deleted on purpose."""
        with self._lock:
            entry = self._entries.get(name)
            self._entries = {key: each for key, each in self._entries.items() if key != name}  # others read it without the lock
            if entry:
                self._added.pop(entry.located.path, None)
            self._looked = float("-inf")
        if entry:
            with entry.lock:
                entry.retire()

    def add(self, path: Path) -> CatalogEntry:
        """Serve the bundle at ``path`` too, which was just built; one that is served already takes its present name.

        Raises:
            BundleNotFound: it is gone again.
        """
        with self._lock:
            known = next((entry for entry in self._entries.values() if entry.located.path.resolve() == path.resolve()), None)
            if known:
                known.name = index_name(path)
            else:
                self._added[path] = None
            self._looked = float("-inf")
        for entry in self.entries():
            if entry.located.path.resolve() == path.resolve():
                return entry
        raise BundleNotFound("The bundle that was just built is gone.", hint="Build it again.")

    def manifest(self, entry: CatalogEntry) -> tuple[Manifest, str]:
        """The manifest and the digest of a bundle, without opening more of it; of a deleted bundle those of the open copy.

        Raises:
            BundleError: there is no manifest, or it breaks the format.
        """
        stamp = stamp_of(entry.located.path)
        if entry.read is None or entry.read.stamp != stamp:
            try:
                entry.read = ManifestRead(stamp, *read_manifest(entry.located.path))
            except BundleError:
                opened = entry.opened
                if opened is None:
                    raise
                return opened.searcher.bundle.manifest, opened.searcher.bundle.digest
        return entry.read.manifest, entry.read.digest

    def staleness(self, entry: CatalogEntry) -> Staleness:
        """How old a bundle is, and how far its checkout has moved on from it.

        Raises:
            BundleError: as :meth:`manifest`.
        """
        manifest, _ = self.manifest(entry)
        return staleness_of(manifest.provenance, self.clock(), self._checkout_of(entry, manifest.provenance))

    def moved_on(self, name: str | None) -> MovedOn | None:
        """How the working tree of the bundle of that name differs from it; None if it does not, or that is unknown."""
        try:
            entry = self.entry(name)
            with self.noting() as noted, self.searcher(entry.name):
                return noted.get(entry.name)
        except BundleError:
            return None

    @contextmanager
    def _laid_over(self, entry: CatalogEntry, searcher: Searcher) -> Iterator[tuple[Searcher, MovedOn | None]]:
        """The searcher of the working tree over an open bundle, or that of the bundle; and what a reader has to know."""
        bundle, provenance = searcher.bundle, searcher.bundle.manifest.provenance
        checkout = self._checkout_of(entry, provenance)
        if self._overlays is None or checkout is None:
            yield searcher, moved_on(checkout, provenance, entry.name)
            return
        path, moved = self._overlays.over(bundle, checkout)
        if moved:
            moved = moved._replace(bundle_name=entry.name)
        if path is None:
            yield searcher, moved
            return
        try:
            opened = self._over(entry, path, searcher, moved)
        except BundleError:  # its message names a place of the cache
            yield searcher, moved and moved._replace(is_laid_over=False, reason="what was made of the tree cannot be opened")
            return
        with entry.reading(opened) as over:
            yield over, moved

    def _over(self, entry: CatalogEntry, path: Path, below: Searcher, moved: MovedOn | None) -> Opened:
        """The open bundle of a working tree, with one more reader."""
        with entry.lock:
            over = entry.over
            if over is None or over.searcher.bundle.path != path or not over.searcher.bundle.is_unchanged:
                searcher = open_bundle(path, check="sizes", checkout=below.checkout, encoder=self._encoder)
                searcher.bundle.name, searcher.bundle.places = below.bundle.name, below.bundle.places
                searcher.bundle.moved_on = moved
                entry.lay_over(over := Opened(searcher, ()))
            over.readers += 1
            return over

    def _checkout_of(self, entry: CatalogEntry, provenance: Provenance) -> Checkout | None:
        """The checkout that was given, if the bundle is of its repository; else the one that the bundle is of."""
        if self._is_of_checkout(provenance):
            return self._watched
        found = (checkout_of(entry.located.path, provenance, start) for start in self._starts or (entry.located.path,))
        return next(filter(None, found), None)

    def _is_of_checkout(self, provenance: Provenance) -> bool:
        """Whether a bundle of that provenance is of the checkout's repository, which is the first bundle's."""
        if self.checkout is None:
            return False
        try:
            manifest, _ = self.manifest(self.entry())
        except BundleError:
            return False
        first = manifest.provenance
        return provenance == first or (provenance.repository != "" and provenance.repository == first.repository)

    @cached_property
    def _watched(self) -> Checkout | None:
        return Checkout(self.checkout) if self.checkout else None

    def _current(self, entry: CatalogEntry) -> Opened:
        """The open bundle of an entry, with one more reader."""
        with entry.lock:
            opened, stamp = entry.opened, stamp_of(entry.located.path)
            if opened and not opened.searcher.bundle.is_unchanged:
                entry.retire()
                opened = None
            if opened is None or (stamp != opened.stamp and stamp):
                opened = self._reopened(entry, stamp)
            elif stamp != opened.stamp:
                entry.trouble = _DELETED
            elif entry.trouble == _DELETED:  # and is back
                entry.trouble = ""
            opened.readers += 1
            return opened

    def _reopened(self, entry: CatalogEntry, stamp: tuple[int, ...]) -> Opened:
        """Open what lies there now; if that fails, keep what is open, and say why in ``entry.trouble``."""
        try:
            is_of_checkout = self.checkout and self._is_of_checkout(self.manifest(entry)[0].provenance)
            searcher = open_bundle(
                entry.located.path,
                check=entry.located.check,
                digest=self._digest or entry.located.digest,
                checkout=self.checkout if is_of_checkout else None,
                encoder=self._encoder,
            )
            checked(entry.located, searcher.bundle, self._cache)
            searcher.bundle.places = partial(self._places_of, entry, searcher.bundle.manifest.provenance)
        except (BundleError, PolicyError) as error:
            if entry.opened is None:
                raise
            entry.trouble = f"What replaced it cannot be read; answers come from the copy that is still open. {error}"
            entry.opened.stamp = stamp  # so that the next call does not try again
            return entry.opened
        entry.retire()
        entry.opened, entry.trouble = Opened(searcher, stamp), ""
        return entry.opened

    def _places_of(self, entry: CatalogEntry, provenance: Provenance) -> list[Path]:
        """The directories that have the files of a bundle."""
        checkout = self._checkout_of(entry, provenance)
        return [checkout.directory] if checkout else []

    def _look(self, *, at_once: bool) -> None:
        """Look for bundles that came or went, unless that was done within the last second."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked < LOOK_EVERY and not (at_once and self.is_found):
                return
            try:
                found = locate_all(self._named, self._roots, self._starts, self._cache)
            except BundleNotFound:
                if not self._entries and not self._added:
                    raise
                found = [entry.located for entry in self._entries.values()]  # it was there before: the open copy goes on answering
            self._looked = now
            places = {located.path.resolve() for located in found}
            added = [path for path in self._added if path.resolve() not in places and (path / layout.MANIFEST).is_file()]
            self._update([*found, *(Located(path=path, check="hashes") for path in added)])

    def _update(self, found: Sequence[Located]) -> None:
        """Make the entries those that were found and those still open; a name that is taken gets a number."""
        known = {entry.located.key: entry for entry in self._entries.values()}
        open_still = [entry.located for entry in self._entries.values() if entry.opened]  # deleted, and still answering
        places = {located.key: located for located in (*open_still, *found)}
        order = dict.fromkeys(located.key for located in (*found, *open_still))
        entries = [known.get(place) or CatalogEntry(name=places[place].name, located=places[place]) for place in order]
        for entry, place, name in zip(entries, order, distinct_names(each.name for each in entries), strict=True):
            entry.located = places[place]  # in the cache the name may lead to another bundle by now
            entry.name = name
        self._entries = {entry.name: entry for entry in entries}
