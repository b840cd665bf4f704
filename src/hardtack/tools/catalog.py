"""Index names in, open bundles out: what a server, or one call from the command line, answers from.

A bundle is opened when it is first asked for, verified, and kept. Before each use its place is looked at: what was replaced there
is verified and takes over, and calls under way finish with the one they began with. What is replaced by something that does not
verify, or deleted, is answered from the copy that is still open; only one whose own files were cut or written to is given up, since
reading a map beyond the end of its file kills the process.
"""

from __future__ import annotations

import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout, relations
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.indexes import ngrams as runs
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.naming import index_name
from hardtack.encoders import EncoderSettings
from hardtack.errors import BundleError, BundleNotFound
from hardtack.nouns.model import Provenance
from hardtack.nouns.statistics import Staleness
from hardtack.query.checkout.head import Checkout
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.query.state.staleness import staleness_of
from hardtack.store.locate import CacheOf, Located, locate_all, no_cache

LOOK_EVERY: Final = 1.0
"""Seconds between two looks for bundles that came or went; an unknown name looks at once."""
LOADED: Final = (relations, runs, unicodedata)
"""What bundles and encoders leave to who needs it. Tools do, and a server that has answered opens nothing of its installation."""
_DELETED: Final = "It was deleted; answers come from the copy that is still open."


@dataclass(slots=True)
class _Opened:
    """One open bundle, and how many calls are reading it."""

    searcher: Searcher
    stamp: tuple[int, ...]
    readers: int = 0
    is_current: bool = True


@dataclass(slots=True)
class Entry:
    """One bundle of the catalog."""

    name: str
    """What callers call it."""
    located: Located
    opened: _Opened | None = None
    read: tuple[tuple[int, ...], Manifest, str] | None = None
    """Its manifest and digest as they were last read, and what told the bundle from another then."""
    trouble: str = ""
    """Why what lies in its place now is not what answers; empty when it is."""
    lock: threading.Lock = field(default_factory=threading.Lock)


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
    ) -> None:
        """What may be answered from; nothing is looked for yet.

        Args:
            named: bundles that were named; when any is, no others are looked for.
            roots: read-only directories of installed bundles.
            starts: directories whose checkouts may have a bundle of their own, the likeliest first.
            checkout: a checkout of the repository that the first bundle is of, to tell what changed since.
            encoder: what makes queries' vectors where a bundle does not carry it.
            digest: refuse any bundle but this one.
            cache: gives the user's installed bundles.
            clock: seconds since 1970, for ages.
        """
        self.checkout = checkout
        self.clock = clock
        self._named, self._roots, self._starts = tuple(named), tuple(roots), tuple(starts)
        self._encoder, self._digest, self._cache = encoder, digest, cache
        self._entries: dict[str, Entry] = {}
        self._added: dict[Path, None] = {}
        self._looked = float("-inf")
        self._lock = threading.Lock()

    def stand_in(self, starts: Sequence[Path]) -> None:
        """Look in these directories before those that were given: a client has told where its user works."""
        with self._lock:
            self._starts = tuple(dict.fromkeys((*starts, *self._starts)))
            self._looked = float("-inf")

    @property
    def is_found(self) -> bool:
        """Whether its bundles were looked for, none being named."""
        return not self._named

    @property
    def places(self) -> list[tuple[str, str]]:
        """Directories of this machine that an error may name, and what to call each."""
        entries = self._entries.values()
        places = {form: entry.name for entry in entries for form in (str(entry.located.path), str(entry.located.path.resolve()))}
        if self.checkout:
            places.update({str(self.checkout): "the checkout", str(self.checkout.resolve()): "the checkout"})
        return [*places.items()]

    def entries(self) -> list[Entry]:
        """All that is at hand, the one meant when none is named first.

        Raises:
            BundleNotFound: a bundle that was named is not there, and never was.
        """
        self._look(soon=False)
        return [*self._entries.values()]

    def entry(self, name: str | None = None) -> Entry:
        """The bundle of that index name; of no name the first.

        Raises:
            BundleNotFound: there is none; ``details`` lists those that there are.
        """
        self._look(soon=False)
        if name and name not in self._entries:
            self._look(soon=True)
        entries = self._entries
        if entry := entries.get(name) if name else next(iter(entries.values()), None):
            return entry
        available = [*entries]
        said = "No index of that name is served." if name else "No index is served."
        hint = f"Served: {', '.join(available)}." if available else "Build one with: hardtack build SRC"
        raise BundleNotFound(said, hint=hint, details={"available": available})

    @contextmanager
    def searcher(self, name: str | None = None) -> Iterator[Searcher]:
        """The open bundle of that index name, as it lies there now; it stays open until the context is left.

        Raises:
            BundleError: there is none, or it is not what its manifest says.
        """
        entry = self.entry(name)
        opened = self._current(entry)
        try:
            yield opened.searcher
        finally:
            with entry.lock:
                opened.readers -= 1
                if not opened.readers and not opened.is_current:
                    opened.searcher.close()

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
                _retire(entry)

    def add(self, path: Path) -> Entry:
        """Serve the bundle at ``path`` too, which was just built; one that was served already is called what it is called now.

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

    def manifest(self, entry: Entry) -> tuple[Manifest, str]:
        """The manifest of a bundle and the bundle's digest, without opening more of it; that of the open copy when it was deleted.

        Raises:
            BundleError: there is no manifest, or it breaks the format.
        """
        stamp = _stamp_of(entry.located.path)
        if entry.read is None or entry.read[0] != stamp:
            try:
                entry.read = (stamp, *read_manifest(entry.located.path))
            except BundleError:
                opened = entry.opened
                if opened is None:
                    raise
                return opened.searcher.bundle.manifest, opened.searcher.bundle.digest
        return entry.read[1:]

    def staleness(self, provenance: Provenance) -> Staleness:
        """How old a bundle is, and, if it is of the checkout's repository, how far behind."""
        return staleness_of(provenance, self.clock(), self._watched if self._is_of_checkout(provenance) else None)

    def _is_of_checkout(self, provenance: Provenance) -> bool:
        """Whether a bundle of that provenance is of the checkout's repository, which is the first bundle's."""
        if self.checkout is None:
            return False
        try:
            first = self.manifest(self.entry())[0].provenance
        except BundleError:
            return False
        return provenance == first or (provenance.repository != "" and provenance.repository == first.repository)

    @cached_property
    def _watched(self) -> Checkout | None:
        return Checkout(self.checkout) if self.checkout else None

    def _current(self, entry: Entry) -> _Opened:
        """What answers for an entry, one reader more."""
        with entry.lock:
            opened, stamp = entry.opened, _stamp_of(entry.located.path)
            if opened and not opened.searcher.bundle.is_unchanged:
                _retire(entry)
                opened = None
            if opened is None or (stamp != opened.stamp and stamp):
                opened = self._reopened(entry, stamp)
            elif stamp != opened.stamp:
                entry.trouble = _DELETED
            elif entry.trouble == _DELETED:  # and is back
                entry.trouble = ""
            opened.readers += 1
            return opened

    def _reopened(self, entry: Entry, stamp: tuple[int, ...]) -> _Opened:
        try:
            searcher = open_bundle(
                entry.located.path,
                check=entry.located.check,
                digest=self._digest or entry.located.digest,
                checkout=self.checkout if self.checkout and self._is_of_checkout(self.manifest(entry)[0].provenance) else None,
                encoder=self._encoder,
            )
        except BundleError as error:
            if entry.opened is None:
                raise
            entry.trouble = f"What replaced it cannot be read; answers come from the copy that is still open. {error}"
            entry.opened.stamp = stamp  # not again for each call
            return entry.opened
        _retire(entry)
        entry.opened, entry.trouble = _Opened(searcher, stamp), ""
        return entry.opened

    def _look(self, *, soon: bool) -> None:
        """Look for bundles that came or went, unless that was just done."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked < LOOK_EVERY and not (soon and self.is_found):
                return
            try:
                found = locate_all(self._named, self._roots, self._starts, self._cache)
            except BundleNotFound:
                if not self._entries and not self._added:
                    raise
                found = [entry.located for entry in self._entries.values()]  # it was there; what is open goes on answering
            self._looked = now
            places = {located.path.resolve() for located in found}
            added = [path for path in self._added if path.resolve() not in places and (path / layout.MANIFEST).is_file()]
            self._list([*found, *(Located(path=path, check="hashes") for path in added)])

    def _list(self, found: Sequence[Located]) -> None:
        """Make the entries those that were found; a name that is taken gets a number."""
        known = {entry.located.key: entry for entry in self._entries.values()}
        open_still = [entry.located for entry in self._entries.values() if entry.opened]  # deleted, and still answering
        places = {located.key: located for located in (*open_still, *found)}
        order = dict.fromkeys(located.key for located in (*found, *open_still))
        entries: dict[str, Entry] = {}
        for place in order:
            entry = known.get(place) or Entry(name=places[place].name, located=places[place])
            entry.located = places[place]  # in the cache another one may stand behind the name by now
            name, number = entry.name, 2
            while name in entries:
                name, number = f"{entry.name}-{number}", number + 1
            entry.name = name
            entries[name] = entry
        self._entries = entries


def _retire(entry: Entry) -> None:
    """Let go of what an entry has open; the last call that reads it closes it."""
    opened, entry.opened = entry.opened, None
    if opened:
        opened.is_current = False
        if not opened.readers:
            opened.searcher.close()


def _stamp_of(path: Path) -> tuple[int, ...]:
    """What tells the bundle that lies at ``path`` from another; empty when none does."""
    try:
        try:
            state = (path / layout.MANIFEST).stat()
        except NotADirectoryError:  # a pack
            state = path.stat()
    except OSError:
        return ()
    return (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size)
