"""A store of plain files <-> packs: a folder, a web server or a bucket, laid out as :mod:`.pointer` describes.

No program of Hardtack runs there. Packs are named by their digests and never change; pointers are small and replaced in one step. A
pack is uploaded, then read back as a reader would, and only then pointed to: a pull in the meantime gets the old pack.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from hardtack.bundle.format.digest import canonical_json
from hardtack.bundle.naming import CATALOGUE_PLACE as CATALOGUE
from hardtack.descriptors import work_directory
from hardtack.errors import FormatError, HardtackError, PolicyError, SourceError
from hardtack.git import is_same_repository
from hardtack.store.sources.catalogue import MOST_BYTES, are_named, parse_catalogue, render_catalogue, with_entries
from hardtack.store.sources.pointer import (
    FORMAT,
    LIMIT,
    PACK_LIMIT,
    Pointer,
    bundle_path,
    check_fresh,
    commit_path,
    parse_pointer,
    path_for,
    pointer_to,
    ref_path,
    render_pointer,
)
from hardtack.store.sources.source import DENIED, UNAUTHORIZED, Offer, Packed, Progress, Published, Wanted

if TYPE_CHECKING:
    from hardtack.nouns.catalogue import CatalogueEntry

_TRIES: Final = 5
"""How often the catalogue is written, until it is read with the new entry."""
_TRIAL: Final = "f1/trial.json"
"""A file that is written to test who can read it."""


class FileStore(Protocol):
    """Files under paths relative to a base. Several threads may read at once."""

    @property
    def name(self) -> str:
        """Its address, as the user wrote it."""
        ...

    def read_json(self, path: str, limit: int) -> dict[str, Any] | None:
        """The JSON object in a file; None when there is no file.

        Raises:
            SourceError: it cannot be read.
            FormatError: it is no JSON object.
            PolicyError: it is larger than ``limit`` bytes.
        """
        ...

    def download(
        self, path: str, destination: Path, *, limit: int, size: int | None, digest: str, progress: Progress | None
    ) -> None:
        """Download a file; arguments and errors as in :meth:`Transfer.download`."""
        ...

    def has(self, path: str) -> bool:
        """Whether there is a file.

        Raises:
            SourceError: the store cannot be asked.
        """
        ...

    def upload(self, path: str, file: Path, progress: Progress | None) -> None:
        """Upload a file: afterwards it is there completely or not at all.

        Raises:
            UsageError: the store cannot be written this way.
            SourceError: network or disk.
        """
        ...

    def write(self, path: str, data: bytes) -> None:
        """Write or replace a small file in one step; raises as :meth:`upload`."""
        ...

    def alone(self, path: str) -> AbstractContextManager[object]:
        """Keep others from replacing a file from what it held before, as far as the store can."""
        ...


class StaticSource:
    """A :class:`Source` over a :class:`FileStore`."""

    def __init__(
        self,
        place: FileStore,
        *,
        readers: Sequence[FileStore] = (),
        replaces: bool = False,
        is_private: bool = False,
        expires_after: int = 0,
        progress: Progress | None = None,
    ) -> None:
        """Take the stores; nothing is read yet.

        Args:
            place: the files.
            readers: the same files as somebody without credentials reads them. After an upload, the pack is read back from the
                first of them that gives it, else from ``place``.
            is_private: refuse to publish where somebody without credentials can read.
            replaces: publishing may replace another pack of the same commit, and move a reference back from a newer commit.
            expires_after: seconds from now until a reference that is published expires; 0 for never.
            progress: called during uploads.
        """
        self._place = place
        self._expires_after = expires_after
        self._readers = readers
        self._is_private = is_private
        self._replaces = replaces
        self._progress = progress

    @property
    def name(self) -> str:
        """The store's address."""
        return self._place.name

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The pack that the pointer of ``wanted`` names; see :meth:`Source.resolve`."""
        path = path_for(wanted)
        pointer = self._pointer(self._place, path)
        if pointer is None or (wanted.root and wanted.root != pointer.root):
            return None
        address = f"{self.name}/{path}"
        if wanted.commit and pointer.commit != wanted.commit:
            raise PolicyError(f"{address} is of another commit, {pointer.commit[:12]}.", hint="Tell whoever publishes there.")
        if wanted.digest and pointer.bundle_digest != wanted.digest:
            raise PolicyError(f"{address} is of another bundle, {pointer.bundle_digest}.", hint="Tell whoever publishes there.")
        if not pointer.repository:
            raise PolicyError(f"{address} does not say of which repository it is.", hint="Tell whoever publishes there.")
        if wanted.repository and not is_same_repository(wanted.repository, pointer.repository):
            raise PolicyError(
                f"{address} is of {pointer.repository}, not of {wanted.repository}.", hint="Say --repository to take it as it is."
            )
        if wanted.ref and wanted.is_fresh:
            check_fresh(pointer, address)
        return Offer(
            address=f"{self.name}/{pointer.path}",
            commit=pointer.commit,
            pack_digest=pointer.pack_digest,
            bundle_digest=pointer.bundle_digest,
            size=pointer.size,
            commit_time=pointer.commit_time,
            repository=pointer.repository,
            root=pointer.root,
            recipe=pointer.recipe,
            locator=pointer.path,
        )

    def fetch(self, offer: Offer, destination: Path, progress: Progress | None = None) -> None:
        """Download the pack; see :meth:`Source.fetch`."""
        self._place.download(
            str(offer.locator), destination, limit=PACK_LIMIT, size=offer.size, digest=offer.pack_digest, progress=progress
        )

    def publish(self, pack: Packed, refs: Sequence[str]) -> Published:
        """Upload, read back, write the pointers; see :meth:`Source.publish`."""
        pointer = pointer_to(pack)
        once = (bundle_path(pointer.bundle_digest), commit_path(pointer.commit))
        moving = [ref_path(ref) for ref in refs]
        expires = int(time.time()) + self._expires_after if self._expires_after else 0
        written = {**dict.fromkeys(once, pointer), **dict.fromkeys(moving, replace(pointer, expires=expires))}
        held = {path: self._held(path, pointer) for path in written}
        for path in once:
            self._check_once(path, held[path], pointer)
        notes = self._check_privacy()
        was_there = self._place.has(pointer.path)
        if not was_there:
            self._place.upload(pointer.path, pack.path, self._progress)
        notes += self._read_back(pointer)
        for path, new in written.items():
            other = self._held(path, pointer)  # read again: another process may have published during the upload
            if other == new:
                continue
            if path in once:
                self._check_once(path, other, pointer)
            elif other and other.commit_time > pointer.commit_time and not self._replaces:
                notes.append(f"{self.name}/{path} stays at {other.commit[:12]}, which is newer.")
                continue
            self._place.write(path, render_pointer(new))
            self._check_pointer(path, new)
        return Published(
            address=f"{self.name}/{pointer.path}", pack_digest=pointer.pack_digest, already_there=was_there, notes=tuple(notes)
        )

    def register(self, *entries: CatalogueEntry) -> None:
        """Name published bundles in the catalogue; the one of a newer commit stays.

        Where two publish at once to a store without locks, one may overwrite what the other wrote; so it is read again afterwards.

        Raises:
            SourceError: network or disk.
            FormatError: what lies there is no catalogue.
            PolicyError: it would name too many bundles.
        """
        with self._place.alone(CATALOGUE):
            for _ in range(_TRIES):
                held = self.catalogue()
                if are_named(held, entries):
                    return
                self._place.write(CATALOGUE, render_catalogue(with_entries(held, entries)))
            if are_named(self.catalogue(), entries):
                return
        raise SourceError(f"{self.name}/{CATALOGUE} was written, and something else is read there.", hint="Publish again.")

    def catalogue(self) -> list[CatalogueEntry]:
        """The bundles that the catalogue names; none where there is no catalogue.

        Raises:
            SourceError: it cannot be read.
            FormatError: what lies there is no catalogue.
        """
        document = self._place.read_json(CATALOGUE, MOST_BYTES)
        return [] if document is None else parse_catalogue(document, f"{self.name}/{CATALOGUE}")

    def _pointer(self, place: FileStore, path: str) -> Pointer | None:
        document = place.read_json(path, LIMIT)
        return None if document is None else parse_pointer(document, f"{place.name}/{path}")

    def _held(self, path: str, pointer: Pointer) -> Pointer | None:
        """The existing pointer at ``path``; None when there is none, or it is invalid and may be replaced."""
        try:
            held = self._pointer(self._place, path)
        except FormatError:
            if not self._replaces:
                raise
            return None
        if held and not (is_same_repository(held.repository, pointer.repository) and held.root == pointer.root):
            here = "/".join(filter(None, (held.repository, held.root))) or "an unnamed repository"
            raise PolicyError(
                f"{self.name} has packs of {here}.", hint="Each repository, and each directory built of it, has a place of its own."
            )
        return held

    def _check_once(self, path: str, held: Pointer | None, pointer: Pointer) -> None:
        if held and held.pack_digest != pointer.pack_digest and not self._replaces:
            raise PolicyError(
                f"{self.name}/{path} names another pack, {held.pack_digest}.", hint="Say --replace to publish this one instead."
            )

    def _check_privacy(self) -> list[str]:
        """Check with a trial file that a private repository's packs stay private; a note says if that cannot be known."""
        if not self._is_private:
            return []
        self._place.write(_TRIAL, canonical_json({"format": FORMAT}))
        for reader in self._readers:
            try:
                found = reader.read_json(_TRIAL, LIMIT)
            except (SourceError, FormatError) as error:
                if not _is_closed(error):
                    raise _unknown(reader, str(error)) from error
                continue
            if found is None:
                raise _unknown(reader, "what was written is not found there.")
            raise PolicyError(f"Anybody can read {reader.name}, and the repository is private.", hint="Close it first.")
        return [] if self._readers else [f"Whether anybody can read {self.name} is not known."]

    def _read_back(self, pointer: Pointer) -> list[str]:
        """Download the pack as readers would, and compare it with what was sent."""
        notes = []
        with work_directory() as directory:
            for reader in (*self._readers, self._place):
                try:
                    reader.download(
                        pointer.path,
                        Path(directory, "pack"),
                        limit=PACK_LIMIT,
                        size=pointer.size,
                        digest=pointer.pack_digest,
                        progress=None,
                    )
                    break
                except SourceError as error:
                    is_promised = reader.name != self._place.name and not self._is_private
                    if reader is self._place or is_promised:  # an address that the user gave for readers must work
                        raise
                    notes.append(f"It cannot be read without credentials: {error}")
        return notes

    def _check_pointer(self, path: str, pointer: Pointer) -> None:
        if self._pointer(self._place, path) != pointer:
            raise SourceError(f"{self.name}/{path} was written, and something else is read there.")


def _is_closed(error: HardtackError) -> bool:
    """Whether the answer says that somebody without credentials may not read."""
    return error.code in (DENIED, UNAUTHORIZED)


def _unknown(reader: FileStore, why: str) -> PolicyError:
    return PolicyError(
        f"Whether anybody can read {reader.name} is not known, and the repository is private: {why}",
        hint="See that the address is right and answers 401 or 403 to those without credentials.",
    )
