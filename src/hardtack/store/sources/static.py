"""A place of plain files <-> packs: a folder, a web server or a bucket, laid out as :mod:`pointer` says.

Nothing needs to run there. Packs are named by their digests and never change; pointers are small, and replaced in one step. What is
published is uploaded first, read back as a reader would, and only then pointed to: who pulls in between gets what was there before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from hardtack.bundle.format.digest import canonical_json
from hardtack.errors import FormatError, HardtackError, PolicyError, SourceError
from hardtack.store.records import is_same_repository
from hardtack.store.sources.pointer import (
    FORMAT,
    LIMIT,
    PACK_LIMIT,
    Pointer,
    bundle_path,
    commit_path,
    parse_pointer,
    path_for,
    pointer_to,
    ref_path,
    render_pointer,
)
from hardtack.store.sources.source import DENIED, UNAUTHORIZED, Offer, Packed, Progress, Published, Wanted

_TRIAL: Final = "f1/trial.json"
"""Written to see who can read it."""


class FileStore(Protocol):
    """Where files lie, called by paths relative to its base. Several threads may read at once."""

    @property
    def name(self) -> str:
        """Its address, as the user wrote it."""
        ...

    def read_json(self, path: str, limit: int) -> dict[str, Any] | None:
        """The JSON object there; None when there is none.

        Raises:
            SourceError: it cannot be had.
            FormatError: something else lies there.
            PolicyError: it is larger than ``limit`` bytes.
        """
        ...

    def download(
        self, path: str, destination: Path, *, limit: int, size: int | None, digest: str, progress: Progress | None
    ) -> None:
        """Bring a file; as :meth:`Transfer.download`."""
        ...

    def has(self, path: str) -> bool:
        """Whether a file lies there.

        Raises:
            SourceError: it cannot be asked.
        """
        ...

    def upload(self, path: str, file: Path, progress: Progress | None) -> None:
        """Put a file there, whole or not at all.

        Raises:
            UsageError: the place cannot be written this way.
            SourceError: network or disk.
        """
        ...

    def write(self, path: str, data: bytes) -> None:
        """Put a small file there, or replace it, in one step; raises as :meth:`upload`."""
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
        progress: Progress | None = None,
    ) -> None:
        """Nothing is read yet.

        Args:
            place: where the files lie.
            readers: how those read who have no credentials; asked in order before the place itself when something is published.
            is_private: nothing is published where somebody without credentials can read it.
            replaces: what is published may take the place of another pack of the same commit, and of a newer commit's reference.
            progress: told of uploads.
        """
        self._place = place
        self._readers = readers
        self._is_private = is_private
        self._replaces = replaces
        self._progress = progress

    @property
    def name(self) -> str:
        """The place's address."""
        return self._place.name

    def resolve(self, wanted: Wanted) -> Offer | None:
        """What the place says of ``wanted``; see :meth:`Source.resolve`."""
        path = path_for(wanted)
        pointer = self._pointer(self._place, path)
        if pointer is None or (wanted.root and wanted.root != pointer.root):
            return None
        address = f"{self.name}/{path}"
        if wanted.commit and pointer.commit != wanted.commit:
            raise PolicyError(f"{address} is of another commit, {pointer.commit[:12]}.", hint="Tell whoever publishes there.")
        if wanted.digest and pointer.bundle_digest != wanted.digest:
            raise PolicyError(f"{address} is of another bundle, {pointer.bundle_digest}.", hint="Tell whoever publishes there.")
        if wanted.repository and pointer.repository and not is_same_repository(wanted.repository, pointer.repository):
            raise PolicyError(
                f"{address} is of {pointer.repository}, not of {wanted.repository}.", hint="Say --repository to take it as it is."
            )
        return Offer(
            address=f"{self.name}/{pointer.path}",
            commit=pointer.commit,
            pack_digest=pointer.pack_digest,
            bundle_digest=pointer.bundle_digest,
            size=pointer.size,
            commit_time=pointer.commit_time,
            repository=pointer.repository,
            locator=pointer.path,
        )

    def fetch(self, offer: Offer, destination: Path, progress: Progress | None = None) -> None:
        """Bring the pack; see :meth:`Source.fetch`."""
        self._place.download(
            str(offer.locator), destination, limit=PACK_LIMIT, size=offer.size, digest=offer.pack_digest, progress=progress
        )

    def publish(self, pack: Packed, refs: Sequence[str]) -> Published:
        """Upload, read back, point to it; see :meth:`Source.publish`."""
        pointer = pointer_to(pack)
        once = (bundle_path(pointer.bundle_digest), commit_path(pointer.commit))
        moving = [ref_path(ref) for ref in refs]
        held = {path: self._held(path, pointer) for path in (*once, *moving)}
        for path in once:
            self._check_once(path, held[path], pointer)
        notes = self._check_privacy()
        was_there = self._place.has(pointer.path)
        if not was_there:
            self._place.upload(pointer.path, pack.path, self._progress)
        notes += self._read_back(pointer)
        for path in (*once, *moving):
            other = self._held(path, pointer)  # again: another publication may have ended while this one was sent
            if other == pointer:
                continue
            if path in once:
                self._check_once(path, other, pointer)
            elif other and other.commit_time > pointer.commit_time and not self._replaces:
                notes.append(f"{self.name}/{path} stays at {other.commit[:12]}, which is newer.")
                continue
            self._place.write(path, render_pointer(pointer))
            self._check_pointer(path, pointer)
        return Published(
            address=f"{self.name}/{pointer.path}", pack_digest=pointer.pack_digest, already_there=was_there, notes=tuple(notes)
        )

    def _pointer(self, place: FileStore, path: str) -> Pointer | None:
        document = place.read_json(path, LIMIT)
        return None if document is None else parse_pointer(document, f"{place.name}/{path}")

    def _held(self, path: str, pointer: Pointer) -> Pointer | None:
        """What lies where a pointer is to be written; a broken one is as none where it may be replaced.

        Raises:
            PolicyError: it is of another repository.
        """
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
        """See, with something of no worth, that what is private stays so; what cannot be known is said.

        Raises:
            PolicyError: anybody can read the place, or those who were to be tried do not tell.
        """
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
        """The pack, as readers get it, against what was sent.

        Raises:
            SourceError: readers do not get it.
            IntegrityError: they get something else.
        """
        notes = []
        with tempfile.TemporaryDirectory(prefix="hardtack-") as directory:
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
                    if reader is self._place or is_promised:  # where the user says that others read, they must
                        raise
                    notes.append(f"It cannot be read without credentials: {error}")
        return notes

    def _check_pointer(self, path: str, pointer: Pointer) -> None:
        if self._pointer(self._place, path) != pointer:
            raise SourceError(f"{self.name}/{path} was written, and something else is read there.")


def _is_closed(error: HardtackError) -> bool:
    """Whether a place answered that somebody without credentials may not read it."""
    return error.code in (DENIED, UNAUTHORIZED)


def _unknown(reader: FileStore, why: str) -> PolicyError:
    return PolicyError(
        f"Whether anybody can read {reader.name} is not known, and the repository is private: {why}",
        hint="See that the address is right and answers 401 or 403 to those without credentials.",
    )
