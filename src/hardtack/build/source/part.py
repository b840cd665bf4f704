"""A source tree in, one of n parts of it out, and what identifies the whole tree: for builds that several machines share.

A path belongs to one part by its name alone, so every machine knows which files are its own. Each of them lists the whole tree, and
of files on the disk reads the bytes of all, so that the parts of one tree can be told from those of two.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from hardtack.build.source.known import ELSEWHERE, Known, KnownFiles
from hardtack.build.source.secrets import path_without_secret
from hardtack.build.source.tree import SourceTree
from hardtack.errors import UsageError
from hardtack.nouns.outline import Skip, SourceFile

MOST_PARTS: Final = 256
"""As many as GitHub runs jobs of one matrix."""
_WRITTEN: Final = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")


class Part(NamedTuple):
    """One of several parts of a tree."""

    number: int
    """From 1."""
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def has(self, path: str) -> bool:
        """Whether the file at ``path``, as :func:`path_without_secret` shows it, is in this part."""
        return part_number(path, self.of) == self.number


def part_number(path: str, of: int) -> int:
    """The number of the part, from 1 to ``of``, that has the file at ``path``.

    It is the first 8 bytes of the SHA-256 of the path's UTF-8, as a big-endian number, modulo ``of``, plus 1.
    """
    return 1 + int.from_bytes(hashlib.sha256(path.encode("utf-8", "surrogatepass")).digest()[:8], "big") % of


def parse_part(text: str) -> Part:
    """The part that ``2/4`` names: the second of four.

    Raises:
        UsageError: it names none.
    """
    written = _WRITTEN.fullmatch(text)
    if not written or not 1 <= int(written[1]) <= int(written[2]) <= MOST_PARTS:
        raise UsageError(
            f"There is no shard {text!r}.", hint=f"Write 1/4 to 4/4 for the four shards of a tree; {MOST_PARTS} are the most."
        )
    return Part(int(written[1]), int(written[2]))


class TreeIdentity(NamedTuple):
    """What identifies a tree, whichever part of it is read."""

    paths: bytes
    """:func:`digest_of_paths`."""
    content: bytes
    """SHA-256 of the path and the content of each file that is not left out because of its name or kind."""


def digest_of_paths(paths: Iterable[str]) -> bytes:
    """SHA-256 of paths, as :func:`path_without_secret` shows them, in any order."""
    return hashlib.sha256("\0".join(sorted(paths)).encode("utf-8", "surrogatepass")).digest()


class PartOfTree:
    """Reads one part of a tree, and identifies the whole of it."""

    def __init__(self, whole: SourceTree, part: Part) -> None:
        self.part = part
        self._whole = whole
        self._paths: list[str] = []
        self._content = hashlib.sha256()

    @property
    def tree(self) -> SourceTree:
        """The tree of this part's files and skipped paths."""
        return replace(self._whole, read=self._read)

    @property
    def identity(self) -> TreeIdentity:
        """That of the whole tree, after :attr:`tree` was read to its end."""
        return TreeIdentity(digest_of_paths(self._paths), self._content.digest())

    def takes(self, path: str, content: bytes) -> bool:
        """Whether the file at ``path`` is in this part. Called once for each file, in the order of the tree."""
        self._content.update(b"%b\0%b\n" % (path.encode(), content))
        return self.part.has(path_without_secret(path))

    def _read(self, known: KnownFiles) -> Iterator[SourceFile | Known | Skip]:
        self._paths, self._content = [], hashlib.sha256()
        for item in self._whole.read(_KnownOfPart(owners=known.owners, prefix=known.prefix, part=self)):
            self._whole.check()
            path = path_without_secret(item.path)
            self._paths.append(path)
            if self.part.has(path):
                yield item


@dataclass(frozen=True, kw_only=True)
class _KnownOfPart(KnownFiles):
    """The files whose analysis can be reused, and those of other parts, which are not read either."""

    part: PartOfTree

    def of_blob(self, path: str, object_id: str) -> Known | None:
        if not self.part.takes(self.prefix + path, object_id.encode()):
            return Known(path=path, owner=ELSEWHERE)
        return super().of_blob(path, object_id)

    def of_bytes(self, path: str, data: bytes) -> Known | None:
        if not self.part.takes(self.prefix + path, hashlib.sha256(data).digest()):
            return Known(path=path, owner=ELSEWHERE)
        return super().of_bytes(path, data)
