"""Commits of a repository in, rows of a shard out, and back: all of a history but which files and symbols of the bundle it changed.

That needs all files, so it is left to the merge. Until then paths are only compared with one another. So a path in the tree is
stored from the tree's root, and one outside of it, or with a secret in it, as a number that no path can be.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardtack.build.history.collect import MOST_TEXT, text_bytes
from hardtack.build.history.commits import Commits, ReadCommit
from hardtack.build.history.log import Change, Hunk
from hardtack.build.source.secrets import secret_in_path

if TYPE_CHECKING:
    from hardtack.build.shards.shard_file import ShardFile


def storable(commits: Commits, *, keep_secrets: bool) -> Iterator[ReadCommit]:
    """The same commits, their paths as they may be stored, up to the first that a bundle has no room for."""
    numbers: dict[bytes, bytes] = {}

    def shown(path: bytes) -> bytes:
        below = path.removeprefix(commits.prefix)
        is_below = path.startswith(commits.prefix)
        if not path or (is_below and (keep_secrets or not secret_in_path(below.decode("utf-8", "replace")))):
            return below
        return numbers.setdefault(path, b"\0%d" % len(numbers))

    text = 0
    for commit in commits:
        changes = [replace(change, old=shown(change.old), new=shown(change.new)) for change in commit.changes]
        yield commit._replace(changes=changes)
        text += text_bytes(commit)
        if text > MOST_TEXT:
            return


def row_of_commit(commit: ReadCommit) -> tuple[Any, ...]:
    """A commit as a record of a shard."""
    changes = [(each.old, each.new, each.is_same, each.hunks, each.are_known) for each in commit.changes]
    return (*commit[:-1], changes)


def commit_of(row: Sequence[Any]) -> ReadCommit:
    """The commit of a record.

    Raises:
        ValueError, TypeError: it is none.
    """
    id, time, subject, body, secrets, changes = row
    types = [type(value) for value in (id, time, subject, body, secrets)]
    if types != [str, int, str, str, int] or time < 0 or len(bytes.fromhex(id)) not in (20, 32):
        raise ValueError("no id, time and message")
    return ReadCommit(id, time, subject, body, secrets, [_change_of(*change) for change in changes])


def _change_of(old: bytes, new: bytes, is_same: bool, hunks: Sequence[Sequence[int]], are_known: bool) -> Change:
    if [type(value) for value in (old, new, is_same, are_known)] != [bytes, bytes, bool, bool]:
        raise ValueError("no change of a file")
    return Change(old=old, new=new, is_same=is_same, hunks=[_hunk_of(*hunk) for hunk in hunks], are_known=are_known)


def _hunk_of(*numbers: int) -> Hunk:
    if not all(isinstance(number, int) and 0 <= number < 1 << 31 for number in numbers):
        raise ValueError("no lines")
    return Hunk(*numbers)


class CommitsOfShard:
    """The commits that a shard holds, as :class:`Commits`."""

    prefix = b""
    """Its paths are from the root of the tree."""

    def __init__(self, shard: ShardFile) -> None:
        self.end = shard.head.end
        self._shard = shard

    def __iter__(self) -> Generator[ReadCommit]:
        yield from self._shard.commits()
