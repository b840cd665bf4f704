"""A checkout and a commit in, the files of its working tree that differ from the commit out, each with an id of its content.

Git finds them: files that differ between the commit and HEAD, and files that differ from HEAD in the index or on the disk, or that
are neither tracked nor ignored. No program that the repository configures is run, and only the files that are found are read.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from hardtack.bundle.naming import OWN_DIRECTORY
from hardtack.descriptors import open_file
from hardtack.git import COMPARING, git_output, is_sparse, top_of, without_filters
from hardtack.query.checkout.freshness import read_regular

MOST_FILES: Final = 500
"""Changed files at most."""
MOST_BYTES: Final = 5_000_000
"""Bytes of all changed files together, at most."""
_SECONDS: Final = 5
"""Time limit of one git command: an answer waits for it."""
_LISTED_BYTES: Final = 4 << 20
"""Bytes of a listing that are read; one that is longer names more files than :data:`MOST_FILES`."""
_TAKES_EACH: Final = ("--no-renames", "--ignore-submodules=all")
# Fields of git status --porcelain=v2: "1 XY sub mH mI mW hH hI path", "u XY sub m1 m2 m3 mW h1 h2 h3 path", "? path".
_CHANGED: Final = re.compile(rb"1 (..) .{4} [0-7]{6} [0-7]{6} ([0-7]{6}) [0-9a-f]+ [0-9a-f]+ (.+)", re.DOTALL)
_HEAD: Final = re.compile(rb"# branch\.oid ([0-9a-f]{40}(?:[0-9a-f]{24})?)")
_SUBMODULE: Final = b"160000"


class Unsettled(Exception):
    """The working tree cannot be told, for the reason that the message gives: a clause without a full stop."""

    def __init__(self, reason: str, paths: Sequence[str] | None = None) -> None:
        """Note the reason, and the files that differ where they are known."""
        super().__init__(reason)
        self.paths = paths


class TreeState(NamedTuple):
    """A working tree, by what differs in it from a commit."""

    head: str
    """Commit id of HEAD."""
    contents: Mapping[str, bytes]
    """Path -> id of the content (git's, of a regular file's bytes), or empty where there is no file; by path."""


NO_STATE: Final = TreeState("", {})
"""No working tree's."""


def tree_state(
    directory: Path, commit: str, indexed: Mapping[str, bytes] | None = None, skipped: Set[str] = frozenset()
) -> TreeState:
    """The files in ``directory`` that differ from those of ``commit``, or from those that were indexed.

    Args:
        directory: the top of a checkout, or a directory in it; paths are relative to it.
        commit: full id.
        indexed: path -> git's id of the content, of a bundle that was built of files on the disk, not of the commit.
        skipped: the paths that such a bundle saw and left out.

    Raises:
        Unsettled: git is missing or cannot tell, a merge is under way, or too much differs.
    """
    top = top_of(directory)
    if top is None:
        raise Unsettled("there is no checkout any more")
    prefix = os.fsencode(os.path.relpath(os.path.realpath(directory), top))
    head, paths = _status(directory, b"" if prefix == b"." else prefix + b"/")
    before = _committed(directory, commit, head) if indexed is None else _otherwise(directory, head, indexed, skipped)
    paths = {**dict(before), **paths}
    own = os.fsencode(OWN_DIRECTORY) + b"/"
    kept = {path: is_there for path, is_there in paths.items() if not path.startswith(own)}
    if len(kept) > MOST_FILES:
        raise Unsettled(f"more than {MOST_FILES} files differ", [os.fsdecode(path) for path in sorted(kept)])
    return TreeState(head, _contents(directory, kept))


def _status(directory: Path, prefix: bytes) -> tuple[str, dict[bytes, bool]]:
    """HEAD's commit, and path -> whether the tree has it, of what differs from HEAD.

    What git was told to forget counts as gone, as in a build, unless it is listed as untracked again.
    """
    listed = git_output(directory, *COMPARING, seconds=_SECONDS, accepts=frozenset({0, 1}))
    if listed and is_sparse(listed):
        raise Unsettled("the checkout is sparse: files that git tracks are not on the disk")
    blanked = None if listed is None else without_filters(listed)
    if blanked is None:
        raise Unsettled("git is missing, or cannot read the checkout safely")
    # The user's own list of ignored files does not count, as it does not for a build.
    question = ("-c", "core.excludesFile=", *blanked, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all")
    answer = git_output(directory, *question, *_TAKES_EACH, "--", ".", seconds=_SECONDS, most=_LISTED_BYTES)
    if answer is None:
        raise Unsettled("git does not tell what differs, or far too much does")
    head, paths = "", dict[bytes, bool]()
    for record in answer.split(b"\0"):
        if found := _HEAD.fullmatch(record):
            head = found[1].decode("ascii")
        elif record.startswith(b"u "):
            raise Unsettled("a merge with conflicts is under way")
        elif found := _CHANGED.fullmatch(record):
            if found[2] != _SUBMODULE:
                paths[found[3].removeprefix(prefix)] = b"D" not in found[1]
        elif record.startswith(b"? ") and not record.endswith(b"/"):  # that is a repository of its own
            paths[record[2:].removeprefix(prefix)] = True
    if not head:
        raise Unsettled("HEAD has no commit")
    return head, paths


@lru_cache(maxsize=64)
def _committed(directory: Path, commit: str, head: str) -> tuple[tuple[bytes, bool], ...]:
    """(path, whether ``head`` has it) of what differs between two commits. Cached: commits do not change."""
    if commit == head:
        return ()
    command = ("diff-tree", "-r", "-z", "--no-renames", "--name-status", "--relative", commit, head, "--", ".")
    names = git_output(directory, *command, seconds=_SECONDS, most=_LISTED_BYTES)
    if names is None:
        raise Unsettled("the checkout does not have the bundle's commit, or far too much differs from it")
    fields = names.split(b"\0")
    return tuple((path, status != b"D") for status, path in zip(fields[::2], fields[1::2], strict=False))


@lru_cache(maxsize=8)
def _tree_of(directory: Path, head: str) -> Mapping[str, bytes]:
    """Path -> git's id of the content, of a commit."""
    listed = git_output(directory, "ls-tree", "-r", "-z", head, "--", ".", seconds=_SECONDS)
    if listed is None:
        raise Unsettled("git does not list the files of HEAD")
    records = (record.partition(b"\t") for record in listed.split(b"\0") if record)
    return {os.fsdecode(path): bytes.fromhex(said.split(b" ")[2].decode("ascii")) for said, _, path in records}


def _otherwise(directory: Path, head: str, indexed: Mapping[str, bytes], skipped: Set[str]) -> Iterator[tuple[bytes, bool]]:
    """The same of a bundle that was built of files on the disk: what it has otherwise than the commit."""
    tree = _tree_of(directory, head)
    for path in {*indexed, *(tree.keys() - skipped)}:
        if tree.get(path) != indexed.get(path):
            yield os.fsencode(path), True


def _contents(directory: Path, paths: Mapping[bytes, bool]) -> dict[str, bytes]:
    contents, left = {}, MOST_BYTES
    for path in sorted(paths):
        identity, size = _content(directory, path, left) if paths[path] else (b"", 0)
        if size > left:
            raise Unsettled(f"what differs has more than {MOST_BYTES // 1_000_000} MB", [*map(os.fsdecode, sorted(paths))])
        left -= size
        contents[os.fsdecode(path)] = identity
    return contents


def _content(directory: Path, path: bytes, most: int) -> tuple[bytes, int]:
    """The id of what lies at a path, and its bytes, of which more than ``most`` are not read.

    A link is identified by what it says, and never followed.
    """
    place = directory / os.fsdecode(path)
    try:
        state = place.lstat()
        if stat.S_ISLNK(state.st_mode):
            return b"link " + os.fsencode(os.readlink(place)), 0  # noqa: PTH115  (a Path would drop "./")
        if not stat.S_ISREG(state.st_mode):
            return b"other", 0
        if state.st_size > most:
            return b"", state.st_size
        data = read_regular(open_file(place), most)
    except (FileNotFoundError, NotADirectoryError):
        return b"", 0
    except OSError as error:
        raise Unsettled(f"{os.fsdecode(path)} cannot be read") from error
    if data is None:
        raise Unsettled(f"{os.fsdecode(path)} is being written")
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest(), len(data)


def differing(state: TreeState, blobs: Iterable[tuple[str, bytes | None]]) -> list[str]:
    """The paths of ``state`` whose content is not that of ``blobs`` (path, git's id of the content or None), by path."""
    indexed = dict(blobs)
    return [path for path, content in state.contents.items() if content != (indexed.get(path) or b"")]
