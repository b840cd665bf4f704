"""Runs git and checks its output; the only module of the build that starts it.

Every call runs without a shell and with the settings of :mod:`hardtack.git`, so that no program runs that the repository
configures. Content is read only as objects, without filters. Git's failures become ``SourceUnreadable``.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from hardtack.build.source.paths import printable
from hardtack.errors import SourceUnreadable
from hardtack.git import git_command, git_environment, normalise_repository


class GitMissing(Exception):
    """No git program is on PATH. It never leaves ``source``: the caller reads files instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A git repository, seen from one directory in it."""

    root: Path
    """That directory; git is run there."""
    prefix: bytes
    """``root`` relative to the top of the working tree, with a trailing slash; empty at the top and in a bare repository."""
    is_bare: bool
    commit: str
    """Full id of HEAD; empty before the first commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit object."""

    id: str
    tree: str
    time: int
    """Committer time, seconds since 1970 UTC."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path of a commit."""

    path: bytes
    mode: bytes
    """``100644``, ``100755``, ``120000`` (symlink), ``160000`` (submodule) or ``040000`` (directory; never from ``list_tree``)."""
    object_id: str
    size: int
    """Bytes; 0 if it is no blob, or is missing."""
    is_missing: bool = False
    """The repository does not hold the blob, as a partial clone may."""


def find_repository(root: Path) -> Repository | None:
    """The repository that holds ``root``, or None.

    Raises:
        GitMissing: there is no git program.
        SourceUnreadable: git refuses the repository, or ``root`` is inside a ``.git`` directory.
    """
    probe = _run(root, "rev-parse", "--is-bare-repository", "--is-inside-git-dir")
    if probe.returncode != 0:
        if b"not a git repository" in probe.stderr:
            return None
        raise _unreadable(f"git cannot use the repository at {root}", probe.stderr)
    is_bare, is_inside = (line == b"true" for line in probe.stdout.split())
    if is_inside and not (is_bare and _line_of(root, "rev-parse", "--git-dir") == b"."):
        raise SourceUnreadable(
            f"{root} is the inside of a git directory.", hint="Name the checkout, or the top of the bare repository."
        )
    head = _run(root, "rev-parse", "--quiet", "--verify", "HEAD")
    return Repository(
        root=root,
        prefix=b"" if is_bare else _line_of(root, "rev-parse", "--show-prefix"),
        is_bare=is_bare,
        commit=head.stdout.decode("ascii").strip() if head.returncode == 0 else "",
    )


def read_commit(repository: Repository) -> Commit:
    """HEAD's commit object.

    Raises:
        SourceUnreadable: it is missing or malformed.
    """
    raw = _output_of(repository.root, "cat-file", "commit", repository.commit)
    tree = re.match(rb"tree ([0-9a-f]{40,64})\n", raw)
    time = re.search(rb"^committer .*> (\d{1,18}) [+-]\d+$", raw.partition(b"\n\n")[0], re.MULTILINE)
    if tree is None or time is None:
        raise _unreadable(f"commit {repository.commit} of {repository.root} is malformed")
    return Commit(id=repository.commit, tree=tree[1].decode(), time=int(time[1]))


def subtree_of(repository: Repository, commit: Commit) -> str | None:
    """Id of the commit's tree at ``repository.root``, or None if it has none there."""
    if not repository.prefix:
        return commit.tree
    found = _run(repository.root, "rev-parse", "--quiet", "--verify", os.fsencode(commit.tree) + b":" + repository.prefix[:-1])
    return found.stdout.decode("ascii").strip() if found.returncode == 0 else None


def list_tree(repository: Repository, tree: str) -> Iterator[TreeEntry]:
    """Every path below ``tree``, relative to it, in the order of its bytes. Git has ended before the first entry is yielded.

    Raises:
        SourceUnreadable: part of the tree is missing.
    """
    return _entries_of(repository, "-r", "-z", "-l", "--full-tree", tree)


def _entries_of(repository: Repository, *arguments: str | bytes) -> Iterator[TreeEntry]:
    listing = _output_of(repository.root, "ls-tree", *arguments)
    start = 0
    while (end := listing.find(b"\0", start)) != -1:
        fields, _, path = listing[start:end].partition(b"\t")
        mode, _, object_id, size = fields.split()
        # git prints BAD for a missing blob, and - for an entry that is no blob
        yield TreeEntry(path, mode, object_id.decode("ascii"), int(size) if size.isdigit() else 0, is_missing=size == b"BAD")
        start = end + 1


def entries_named(repository: Repository, tree: str, paths: list[bytes]) -> list[TreeEntry]:
    """The entries of those of ``paths`` (relative to ``tree``) that exist."""
    return list(_entries_of(repository, "-z", "-l", "--full-tree", tree, "--", *paths)) if paths else []


def read_blob(repository: Repository, entry: TreeEntry) -> bytes:
    """The content of one blob, by a process of its own; :class:`BlobReader` reads many.

    Raises:
        SourceUnreadable: git cannot read it.
    """
    return _output_of(repository.root, "cat-file", "blob", entry.object_id)


def list_tracked(repository: Repository) -> Iterator[tuple[bytes, bytes]]:
    """(mode, path relative to the root) of each entry of git's index below the root."""
    for record in _output_of(repository.root, "ls-files", "-z", "--cached", "--stage").split(b"\0"):
        if record:
            fields, _, path = record.partition(b"\t")
            yield fields.split()[0], path


def exclude_file(repository: Repository) -> Path:
    """The path of the repository's ``info/exclude``; the file need not exist."""
    return repository.root / os.fsdecode(_line_of(repository.root, "rev-parse", "--git-path", "info/exclude"))


def count_changed(repository: Repository) -> int | None:
    """Number of tracked files below the root that differ from the commit; None if git cannot be run safely.

    To compare a file, git runs the filters that the repository configures, so each is emptied first. A filter whose name holds
    ``=`` cannot be emptied with ``-c``, and then git is not run.
    """
    pattern = r"^filter\..*\.(clean|smudge|process|required)$"
    listed = _run(repository.root, "config", "-z", "--name-only", "--get-regexp", pattern)
    blanked: list[str | bytes] = []
    for key in sorted({*listed.stdout.split(b"\0")} - {b""}):
        if b"=" in key or b"\n" in key:
            return None
        blanked += ["-c", key + (b"=false" if key.endswith(b".required") else b"=")]
    # Never into submodules: git would run there with that repository's configuration.
    question = ("status", "--porcelain", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=all", "--", ".")
    answer = _run(repository.root, *blanked, *question)
    return answer.stdout.count(b"\0") if answer.returncode == 0 else None


def origin_of(repository: Repository) -> str:
    """The ``origin`` remote as ``host/owner/name``; empty if there is none or it is a path on this machine."""
    found = _run(repository.root, "config", "-z", "--get", "remote.origin.url")
    return normalise_repository(found.stdout.rstrip(b"\0").decode("utf-8", "replace")) if found.returncode == 0 else ""


class BlobReader:
    """One ``git cat-file --batch`` process; blobs come in the order of the requests.

    At most ``MAX_AHEAD`` requests may be unanswered: together they fit into the smallest pipe buffer (4,096 bytes), so writing
    never blocks while git waits for its output to be read.
    """

    MAX_AHEAD = 32

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._git = subprocess.Popen(
            git_command("cat-file", "--batch"),
            cwd=repository.root,
            env=git_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def request(self, object_id: str) -> None:
        """Request one more blob."""
        assert self._git.stdin is not None
        with suppress(BrokenPipeError):  # git has died; the next read raises and names the blob
            self._git.stdin.write(object_id.encode("ascii") + b"\n")
            self._git.stdin.flush()

    def read(self, entry: TreeEntry) -> bytes:
        """The content of ``entry``, which must be the oldest unread request.

        Raises:
            SourceUnreadable: git lacks it or cannot read it.
        """
        assert self._git.stdout is not None
        header = self._git.stdout.readline().split()
        if len(header) == 3 and header[0].decode() == entry.object_id and header[1] == b"blob":
            size = int(header[2])
            data = self._git.stdout.read(size + 1)  # a newline follows the content
            if len(data) == size + 1:
                return data[:-1]
        raise _unreadable(f"git cannot read {printable(entry.path)} (object {entry.object_id}) of {self._repository.root}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for pipe in (self._git.stdin, self._git.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._git.kill()
        self._git.wait()


def _run(root: Path, *arguments: str | bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            git_command(*arguments), cwd=root, env=git_environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except FileNotFoundError as error:
        raise GitMissing from error
    except OSError as error:
        raise _unreadable(f"git cannot be started in {root}", (error.strerror or "").encode()) from error


def _output_of(root: Path, *arguments: str | bytes) -> bytes:
    done = _run(root, *arguments)
    if done.returncode != 0:
        raise _unreadable(f"git cannot read the repository at {root}", done.stderr)
    return done.stdout


def _line_of(root: Path, *arguments: str | bytes) -> bytes:
    return _output_of(root, *arguments).removesuffix(b"\n")


def _unreadable(what: str, stderr: bytes = b"") -> SourceUnreadable:
    """The error for a failure of git, with the last line of its output: warnings come before the cause."""
    said = printable(stderr.rstrip().rsplit(b"\n", 1)[-1].removeprefix(b"fatal: "))
    return SourceUnreadable(
        f"{what}{': ' + said.rstrip('.') if said else ''}.",
        hint="Run 'git fsck'; in a partial clone fetch what is missing ('git fetch --refetch'), or index files with --worktree.",
    )
