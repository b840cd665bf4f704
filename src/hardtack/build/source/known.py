"""Path and digest in, the reusable file out, if there is one: how a source tree avoids reading files that were analysed before.

Files are compared by content alone: git's id of a blob, or the SHA-256 of the bytes that were read. Modification times are not
used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self

ELSEWHERE: Final = -1
"""``Known.owner`` of a file of another part of the tree (``part.py``): nobody here has its analysis."""


class Digests(NamedTuple):
    """The digests of a file's original bytes."""

    blob_id: bytes
    """Git's SHA-1 of the blob."""
    sha256: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A file of the tree that need not be read, because an owner has its analysis."""

    path: str
    owner: int
    """The owner's index in :attr:`KnownFiles.owners`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFiles:
    """The files whose analysis can be reused, by path."""

    owners: tuple[Mapping[str, Digests], ...] = ()
    """Path -> digests of each owner's files; if several owners have a file, the first one counts."""
    prefix: str = ""
    """Precedes a path given to the methods to make a path in ``owners``."""

    def of_blob(self, path: str, object_id: str) -> Known | None:
        """The file at ``path`` if it is known with git's id ``object_id``; never in a SHA-256 repository."""
        for owner, files in enumerate(self.owners):
            digests = files.get(self.prefix + path)
            if digests is not None and digests.blob_id.hex() == object_id:
                return Known(path=path, owner=owner)
        return None

    def of_bytes(self, path: str, data: bytes) -> Known | None:
        """The file at ``path`` if it is known with this content."""
        for owner, files in enumerate(self.owners):
            digests = files.get(self.prefix + path)
            if digests is not None and digests.sha256 == hashlib.sha256(data).digest():
                return Known(path=path, owner=owner)
        return None

    def below(self, prefix: str) -> Self:
        """The files whose paths begin with ``prefix``, by the rest of their paths."""
        return replace(self, prefix=self.prefix + prefix)


NOTHING_KNOWN = KnownFiles()
