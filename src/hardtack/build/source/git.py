"""Asks git about a repository and checks its answers, which are hostile input like the repository itself.

Every call runs without a shell and with the settings of :mod:`hardtack.git`, so that no program runs that the repository
configures. Content is read only as objects, without filters. Listings are read as streams and up to a limit; each question has a
time limit. Git's failures become ``SourceUnreadable``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from hardtack.build.source.git_place import GitPlace, foreign, is_same, is_waited_for, place_of
from hardtack.build.source.git_stream import GitSilent, GitStream
from hardtack.build.source.limits import USUAL_LIMITS, TreeLimits
from hardtack.build.source.paths import MAX_PATH_BYTES, printable
from hardtack.errors import BuildError, SourceUnreadable
from hardtack.git import COMPARING, normalise_repository, without_filters

_ANSWER_LIMIT: Final = 16 << 20
"""Bytes of an answer that is no listing: a commit object is one."""
_SECONDS: Final = 30.0
"""The longest time for a question whose answer is short."""
_COMPARING_SECONDS: Final = 300.0
"""The longest time to compare a working tree with its index."""
_USUAL_SECONDS: Final = 5.0
"""The time in which it is compared nearly always; after that it is looked whether git waits for a FIFO."""
_HEADER_LIMIT: Final = 200
"""Bytes of the line before an object."""
_DIRECTORY: Final = b"040000"
_RECORD_LIMIT: Final = 2 * MAX_PATH_BYTES
"""Bytes of an entry of a listing that are read; a path that is longer than any is cut, and still longer than any."""


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
    notes: tuple[str, ...] = ()
    """Where it leads outside of the checkout, one sentence each."""


_ID: Final = rb"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_OBJECT: Final = re.compile(_ID)
# What git is asked for: its answers come from files that a stranger wrote, and some of its versions say more than others.
_PLACE: Final = re.compile(rb"(true|false)\n(true|false)\n(.+)\n", re.DOTALL)
_ENTRY: Final = re.compile(rb"([0-7]{6}) [a-z]+ (" + _ID + rb") +([0-9]{1,18}|-|BAD)\t(.+)", re.DOTALL)
_TRACKED: Final = re.compile(rb"([0-7]{6}) " + _ID + rb" [0-3]\t(.+)", re.DOTALL)


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


def find_repository(root: Path, *, follow: bool = False) -> Repository | None:
    """The repository that holds ``root``, or None.

    Args:
        root: a directory.
        follow: take a repository whose git directory leads into another one.

    Raises:
        GitMissing: there is no git program.
        PolicyError: it leads into another repository, and ``follow`` is not set.
        SourceUnreadable: git refuses the repository, or would wait for a FIFO, or ``root`` is inside a ``.git`` directory.
    """
    place = place_of(root)
    code, answer, said = _ask(root, "rev-parse", "--is-bare-repository", "--is-inside-git-dir", "--absolute-git-dir")
    if code != 0:
        if b"not a git repository" in said:
            return None
        raise _unreadable(f"git cannot use the repository at {root}", said)
    found = _PLACE.fullmatch(answer)
    if found is None:
        raise _malformed(root, "rev-parse")
    is_bare, is_inside = found[1] == b"true", found[2] == b"true"
    if is_inside and not (is_bare and _line_of(root, "rev-parse", "--git-dir") == b"."):
        raise SourceUnreadable(
            f"{root} is the inside of a git directory.", hint="Name the checkout, or the top of the bare repository."
        )
    prefix = top = b""
    if not is_bare:
        top, _, prefix = _line_of(root, "rev-parse", "--show-toplevel", "--show-prefix").rpartition(b"\n")
    own = Path(os.fsdecode(found[3]))
    notes = _led_to(root, place, own, Path(os.fsdecode(top)) if top else own, follow=follow)
    code, head, _ = _ask(root, "rev-parse", "--quiet", "--verify", "HEAD")
    commit = head.strip().decode("ascii") if code == 0 and _OBJECT.fullmatch(head.strip()) else ""
    return Repository(root=root, prefix=prefix, is_bare=is_bare, commit=commit, notes=notes)


def _led_to(root: Path, place: GitPlace | None, own: Path, top: Path, *, follow: bool) -> tuple[str, ...]:
    """Where the repository leads that git has found, to be noted; refused unless ``follow`` is set."""
    ways = [*place.ways] if place else []
    if place is None or not is_same(own, place.own):
        ways.append(("git's discovery", own))
    elif not is_same(top, place.top):
        ways.append((f"core.worktree in {own / 'config'}", top))
    if place:
        ways += place.foreign_among(_alternates(root) if place.has_alternates else [])
    return foreign(root, ways, follow=follow)


def _alternates(root: Path) -> list[tuple[str, Path]]:
    """(what names it, object directory) of each that the repository borrows objects from, in as many steps as git follows."""
    lines = _output_of(root, "-c", "core.quotePath=false", "count-objects", "-v").split(b"\n")
    paths = [line.removeprefix(b"alternate: ").strip(b'"') for line in lines if line.startswith(b"alternate: ")]
    return [("objects/info/alternates", root / os.fsdecode(path)) for path in paths]


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
    name = os.fsencode(commit.tree) + b":" + repository.prefix[:-1]
    code, found, _ = _ask(repository.root, "rev-parse", "--quiet", "--verify", name)
    return found.strip().decode("ascii") if code == 0 and _OBJECT.fullmatch(found.strip()) else None


def list_tree(repository: Repository, tree: str, limits: TreeLimits = USUAL_LIMITS) -> Iterator[TreeEntry]:
    """Every path below ``tree``, relative to it, in the order of its bytes, while git lists them.

    Raises:
        BuildError: there are more paths than ``limits`` allow.
        SourceUnreadable: part of the tree is missing.
    """
    # -t: directories are listed too, so that trees of trees without any file are counted as well.
    for entry in _entries_of(repository, limits, "-r", "-t", "-z", "-l", "--full-tree", tree):
        if entry.mode != _DIRECTORY:
            yield entry


def _entries_of(repository: Repository, limits: TreeLimits, *arguments: str | bytes) -> Iterator[TreeEntry]:
    for record in _listed(repository, limits, "ls-tree", *arguments):
        found = _ENTRY.fullmatch(record)
        if found is None:
            raise _malformed(repository.root, "ls-tree")
        mode, object_id, size, path = found.groups()
        # git prints BAD for a missing blob, and - for an entry that is no blob
        yield TreeEntry(path, mode, object_id.decode("ascii"), int(size) if size.isdigit() else 0, is_missing=size == b"BAD")


def _listed(repository: Repository, limits: TreeLimits, *arguments: str | bytes) -> Iterator[bytes]:
    """The records of a listing, as git gives them; each ends in a NUL.

    Raises:
        BuildError: there are more of them than ``limits`` allow.
        SourceUnreadable: git fails, or says nothing for too long.
    """
    count = size = 0
    try:
        with GitStream(repository.root, *arguments) as git:
            for record in git.records(_RECORD_LIMIT):
                count += 1
                size += len(record)
                limits.check_listing(repository.root, count, size)
                yield record
            if git.end() != 0:
                raise _unreadable(f"git cannot read the repository at {repository.root}", git.said)
    except FileNotFoundError as error:
        raise GitMissing from error
    except GitSilent as error:
        raise _silent(repository.root, error) from error


def entries_named(repository: Repository, tree: str, paths: list[bytes]) -> list[TreeEntry]:
    """The entries of those of ``paths`` (relative to ``tree``) that exist."""
    return list(_entries_of(repository, USUAL_LIMITS, "-z", "-l", "--full-tree", tree, "--", *paths)) if paths else []


def read_blob(repository: Repository, entry: TreeEntry) -> bytes:
    """The content of one blob, by a process of its own; :class:`BlobReader` reads many.

    Raises:
        SourceUnreadable: git cannot read it.
    """
    return _output_of(repository.root, "cat-file", "blob", entry.object_id)


def list_tracked(repository: Repository, limits: TreeLimits = USUAL_LIMITS) -> Iterator[tuple[bytes, bytes]]:
    """(mode, path relative to the root) of each entry of git's index below the root.

    Raises:
        BuildError: there are more paths than ``limits`` allow.
        SourceUnreadable: git cannot read its index.
    """
    for record in _listed(repository, limits, "ls-files", "-z", "--cached", "--stage"):
        found = _TRACKED.fullmatch(record)
        if found is None:
            raise _malformed(repository.root, "ls-files")
        yield found[1], found[2]


def exclude_file(repository: Repository) -> Path:
    """The path of the repository's ``info/exclude``; the file need not exist."""
    return repository.root / os.fsdecode(_line_of(repository.root, "rev-parse", "--git-path", "info/exclude"))


def count_changed(repository: Repository, tree: str, limits: TreeLimits) -> int | None:
    """Number of tracked files below the root that differ from the commit; None if git cannot be run safely.

    ``tree`` is the commit's at the root. Where git takes long, it is looked first whether the tree is within ``limits``, since git
    holds every difference of a tree and its index in memory.
    """
    blanked = without_filters(_ask(repository.root, *COMPARING)[1])
    if blanked is None:
        return None
    # Never into submodules: git would run there with that repository's configuration.
    question = ("status", "--porcelain", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=all", "--", ".")
    for seconds in (_USUAL_SECONDS, _COMPARING_SECONDS):
        count = 0
        try:
            with GitStream(repository.root, *blanked, *question, idle_seconds=seconds) as git:
                count = sum(1 for _ in git.records(_RECORD_LIMIT))
                return count if git.end() == 0 else None
        except GitSilent:
            if _waits_for_attributes(repository):
                return None
            for _ in list_tree(repository, tree, limits):
                pass
    return None


def _waits_for_attributes(repository: Repository) -> bool:
    """Whether there is a ``.gitattributes`` in the working tree that git would wait for."""
    with suppress(BuildError):
        directories = {path[: path.rfind(b"/") + 1] for _, path in list_tracked(repository)}
        above = ["../" * level for level in range(repository.prefix.count(b"/") + 1)]
        places = [repository.root / each for each in (*above, *map(os.fsdecode, directories))]
        return any(is_waited_for(place / ".gitattributes") for place in places)
    return True


def origin_of(repository: Repository) -> str:
    """The ``origin`` remote as ``host/owner/name``; empty if there is none or it is a path on this machine."""
    code, found, _ = _ask(repository.root, "config", "-z", "--get", "remote.origin.url")
    return normalise_repository(found.rstrip(b"\0").decode("utf-8", "replace")) if code == 0 else ""


class BlobReader:
    """One ``git cat-file --batch`` process; blobs come in the order of the requests.

    At most ``MAX_AHEAD`` requests may be unanswered: together they fit into the smallest pipe buffer (4,096 bytes), so writing
    never blocks while git waits for its output to be read.
    """

    MAX_AHEAD = 32

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._git = GitStream(repository.root, "cat-file", "--batch", has_input=True)

    def request(self, object_id: str) -> None:
        """Request one more blob."""
        self._git.write(object_id.encode("ascii") + b"\n")

    def read(self, entry: TreeEntry) -> bytes:
        """The content of ``entry``, which must be the oldest unread request.

        Raises:
            SourceUnreadable: git lacks it, cannot read it, or gives one of another size than it listed.
        """
        try:
            header = self._git.line(_HEADER_LIMIT).split()
            if len(header) == 3 and header[0] == entry.object_id.encode("ascii") and header[1:] == [b"blob", b"%d" % entry.size]:
                data = self._git.exactly(entry.size + 1)  # a newline follows the content
                if len(data) == entry.size + 1:
                    return data[:-1]
        except GitSilent as error:
            raise _silent(self._repository.root, error) from error
        raise _unreadable(f"git cannot read {printable(entry.path)} (object {entry.object_id}) of {self._repository.root}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._git.__exit__(kind, error, trace)


def _ask(root: Path, *arguments: str | bytes) -> tuple[int, bytes, bytes]:
    """(git's exit status, its answer, the end of what it complained of) for a question whose answer is short."""
    try:
        with GitStream(root, *arguments, idle_seconds=_SECONDS) as git:
            answer = git.exactly(_ANSWER_LIMIT + 1)
            if len(answer) > _ANSWER_LIMIT:
                raise _unreadable(f"git has an answer of more than {_ANSWER_LIMIT} bytes about the repository at {root}")
            return git.end(), answer, git.said
    except FileNotFoundError as error:
        raise GitMissing from error
    except GitSilent as error:
        raise _silent(root, error) from error
    except OSError as error:
        raise _unreadable(f"git cannot be started in {root}", (error.strerror or "").encode()) from error


def _output_of(root: Path, *arguments: str | bytes) -> bytes:
    code, answer, said = _ask(root, *arguments)
    if code != 0:
        raise _unreadable(f"git cannot read the repository at {root}", said)
    return answer


def _line_of(root: Path, *arguments: str | bytes) -> bytes:
    return _output_of(root, *arguments).removesuffix(b"\n")


def _malformed(root: Path, question: str) -> SourceUnreadable:
    return SourceUnreadable(
        f"git {question} says what is no answer about the repository at {root}.",
        hint="Run 'git fsck', and look at the version of git.",
    )


def _silent(root: Path, error: GitSilent) -> SourceUnreadable:
    return SourceUnreadable(
        f"The repository at {root} cannot be read: {error}.",
        hint="Run 'git fsck', and look for files in .git that are no regular files.",
    )


def _unreadable(what: str, stderr: bytes = b"") -> SourceUnreadable:
    """The error for a failure of git, with the last line of its output: warnings come before the cause."""
    said = printable(stderr.rstrip().rsplit(b"\n", 1)[-1].removeprefix(b"fatal: "))
    return SourceUnreadable(
        f"{what}{': ' + said.rstrip('.') if said else ''}.",
        hint="Run 'git fsck'; in a partial clone fetch what is missing ('git fetch --refetch'), or index files with --worktree.",
    )
