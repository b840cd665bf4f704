"""A path and what is in it in, whether all that a build makes of it is at hand already out: how a source tree skips reading.

What is at hand is known by content alone: git's id of a blob, or the SHA-256 of bytes that were read. Times of files say nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

Digests = Mapping[str, tuple[bytes, bytes]]
"""Path -> git's SHA-1 of a file's original bytes, and their SHA-256."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A file of the tree that need not be read: who has it wanted it, with this very content."""

    path: str
    owner: int
    """Which of several has it, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFiles:
    """The files that are at hand, by path."""

    owners: tuple[Digests, ...] = ()
    """What each of those that have files has; the first that has one is asked for it."""
    prefix: str = ""
    """What stands in ``owners`` before the paths that are asked about."""

    def of_blob(self, path: str, object_id: str) -> Known | None:
        """The file at ``path`` if it is at hand with the content that git calls ``object_id``; never in a SHA-256 repository."""
        for owner, digests in enumerate(self.owners):
            known = digests.get(self.prefix + path)
            if known is not None and known[0].hex() == object_id:
                return Known(path=path, owner=owner)
        return None

    def of_bytes(self, path: str, data: bytes) -> Known | None:
        """The file at ``path`` if it is at hand with this content."""
        for owner, digests in enumerate(self.owners):
            known = digests.get(self.prefix + path)
            if known is not None and known[1] == hashlib.sha256(data).digest():
                return Known(path=path, owner=owner)
        return None

    def below(self, prefix: str) -> Self:
        """The same files, asked about by what comes after ``prefix``."""
        return type(self)(owners=self.owners, prefix=self.prefix + prefix)


NOTHING_KNOWN = KnownFiles()
