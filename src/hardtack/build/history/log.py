"""A repository and a number in, its last first-parent commits out, newest first, each with its changes: one stream of ``git log``.

The stream is ``git log -p`` without context. A line of content begins with ``+``, ``-`` or a backslash, so whatever else begins a
line is git's own, and one expression finds it without looking at the content. Git is asked for everything that a configuration
could change. It runs in the git directory, so that no ``.gitattributes`` of a working tree has a say in what is binary.
"""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from hardtack.build.source.git import Repository
from hardtack.build.source.git_stream import GitSilent, GitStream
from hardtack.bundle.format import layout
from hardtack.errors import BuildError
from hardtack.git import git_environment, git_output

MOST_COMMITS: Final = layout.COMMIT_COUNT_LIMIT
"""Commits that a bundle's history has at most."""

_SECONDS: Final = 900
"""The longest time that git may take for all commits."""
_IDLE_SECONDS: Final = 120.0
"""The longest time that git may be silent between two commits: it compares files that may have been renamed."""
_MEMORY: Final = 3 << 30
"""Bytes of memory that git may take: it holds all that a commit changed."""
_MOST_BYTES: Final = 4 << 30
"""Bytes of git's output that are read."""
_MOST_PATHS: Final = 200_000
"""Paths of one commit that are read."""
_MOST_HUNKS: Final = 100_000
"""Hunks of one commit that are read; of files after that it is not known which lines changed."""
_LONGEST_HEADER: Final = 16 << 20
"""Bytes of a commit's message, or of a line that is not content."""
_LONGEST_LIST: Final = 64 << 20
"""Bytes of the list of commits with their parents, of which a commit can have any number."""
_PIECE: Final = 1 << 20
_MOST_DIGITS: Final = 18
"""Digits of a time, as in a commit that is read alone."""
_LIST_SECONDS: Final = 120
"""The longest time for git to list commits."""

_EMPTY_TREES: Final = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""Id of the tree without files, by the length of ids."""
_CONFIGURED: Final = (
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "core.quotePath=true"),
    *("-c", "diff.renameLimit=1000"),
    *("-c", "log.showRoot=true"),
    *("-c", "log.showSignature=false"),
)
_ASKED: Final = (
    *("log", "--first-parent", "-m", "--format=tformat:%x00%H%x00%P%x00%ct%x00%B%x00", "--encoding=UTF-8", "--no-notes"),
    *(
        "--raw",
        "--no-abbrev",
        "--patch",
        "--unified=0",
        "--inter-hunk-context=0",
        "--find-renames=50%",
        "-l1000",
        "--no-rename-empty",
    ),
    *("--diff-algorithm=myers", "--indent-heuristic", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"),
    *("--ignore-submodules=none", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "-O/dev/null", "--no-mailmap"),
)
_TOKEN: Final = re.compile(
    rb"\n(?:\0(?P<id>[0-9a-f]{40}(?:[0-9a-f]{24})?)\0(?P<parents>[0-9a-f ]*)\0(?P<time>-?[0-9]*)\0(?P<message>[^\0]*)\0"
    rb"|:[0-7]{6} [0-7]{6} (?P<old_id>[0-9a-f]{40,64}) (?P<new_id>[0-9a-f]{40,64}) (?P<status>[A-Z])[0-9]*\t(?P<paths>[^\n]*)"
    rb"|@@ -(?P<old>[0-9]{1,9})(?:,(?P<old_count>[0-9]{1,9}))? \+(?P<new>[0-9]{1,9})(?:,(?P<new_count>[0-9]{1,9}))? @@"
    rb"|(?P<section>diff --git )"
    rb"|(?P<unfinished>\0))"
)
_LISTED: Final = re.compile(rb"[0-9a-f]{40,64}(?: [0-9a-f]{40,64})*")
"""A line of ``git rev-list --parents``: a commit and its parents."""
_ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED: Final = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


class Hunk(NamedTuple):
    """Lines that a commit replaced, as git counts them: of no lines the first is the one before them."""

    old: int
    old_count: int
    new: int
    new_count: int


@dataclass(slots=True)
class Change:
    """What a commit did to one file."""

    old: bytes
    """Its path before, from the top of the repository; empty if the commit made it."""
    new: bytes
    """Its path after; empty if the commit deleted it."""
    is_same: bool
    """The content is the same."""
    hunks: list[Hunk] = field(default_factory=list)
    are_known: bool = True
    """Whether ``hunks`` are all: there were not too many, and it is no binary file."""


@dataclass(slots=True)
class LoggedCommit:
    """One commit and what it changed against its first parent."""

    id: str
    is_merge: bool
    time: int
    """Committer time, seconds since 1970 UTC."""
    message: bytes
    changes: list[Change] = field(default_factory=list)


class CommitLog:
    """The last commits of a repository, to be iterated once."""

    def __init__(self, repository: Repository, most: int) -> None:
        """List the commits.

        Args:
            repository: its ``commit`` is the newest.
            most: commits that are wanted.

        Raises:
            BuildError: git took too long.
        """
        self._directory = _git_directory(repository)
        self._newest = repository.commit
        self.end = "asked"
        """Why there are no more commits: ``asked``, ``root``, ``shallow``, ``missing`` or ``limit``; final after the iteration."""
        self._count = self._listed(most) if self._directory else 0
        self._sections: list[Change] = []
        self._hunks = 0

    def _listed(self, most: int) -> int:
        """How many of the commits can be compared with their first parent; sets ``end``."""
        assert self._directory
        asked = ("rev-list", "--first-parent", "--parents", f"--max-count={most}", self._newest, "--")
        try:
            with GitStream(self._directory, *asked, idle_seconds=_LIST_SECONDS) as git:
                listing = git.exactly(_LONGEST_LIST + 1)
                is_listed = len(listing) <= _LONGEST_LIST and git.end() == 0
        except GitSilent as error:
            raise self._late() from error
        lines = listing.split(b"\n")[:-1] if is_listed else []
        if not lines or not all(map(_LISTED.fullmatch, lines)):
            self.end = "limit" if len(listing) > _LONGEST_LIST else "missing"
            return 0
        last, *parents = lines[-1].split()
        if not parents:
            # Git takes the last commit of a shallow clone for one without parents, which would have made every file.
            commit = git_output(self._directory, "cat-file", "commit", last.decode("ascii"), seconds=_LIST_SECONDS)
            if commit is None:
                self.end = "limit"
                return len(lines) - 1
            if b"\nparent " in commit.partition(b"\n\n")[0]:
                self.end = "shallow"
                return len(lines) - 1
            self.end = "asked" if len(lines) == most else "root"
        return len(lines)

    def __iter__(self) -> Generator[LoggedCommit]:
        if not self._count or not self._directory:
            return
        asked = (*_CONFIGURED, *_ASKED, f"--max-count={self._count}", self._newest, "--")
        environment = {
            **git_environment(),
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_ATTR_SOURCE": _EMPTY_TREES[len(self._newest)],  # since git 2.43 a bare repository's own attributes would count
        }
        try:
            with GitStream(
                self._directory, *asked, environment=environment, idle_seconds=min(_IDLE_SECONDS, _SECONDS), memory=_MEMORY
            ) as git:
                yield from self._commits(git)
        except GitSilent as error:
            raise self._late() from error

    def _late(self) -> BuildError:
        return BuildError(
            f"Git needed more than {_SECONDS} seconds to read the last {self._count} commits, or was silent for too long.",
            hint="Ask for fewer with --history, or for none with --history 0.",
        )

    def _commits(self, git: GitStream) -> Iterator[LoggedCommit]:
        """The commits; one is complete when the next begins, or git has ended well."""
        commit: LoggedCommit | None = None
        for token in self._tokens(git):
            if token["id"] is not None:
                if commit:
                    yield self._complete(commit)
                commit = self._begun(token)
            elif commit:
                self._add(commit, token)
                if len(commit.changes) > _MOST_PATHS:
                    self.end = "limit"
            if self.end == "limit":
                return
        if self.end == "limit":
            return  # git may still be writing
        if git.end() != 0:
            self.end = "limit" if b"out of memory" in git.said.lower() else "missing"
        elif commit:
            yield self._complete(commit)

    def _tokens(self, git: GitStream) -> Iterator[re.Match[bytes]]:
        """What git says besides content, in order. Sets ``end`` where there is more than may be read."""
        buffer, seen = b"\n", 0
        deadline = time.monotonic() + _SECONDS
        while piece := git.exactly(_PIECE):
            if time.monotonic() > deadline:
                raise self._late()
            seen += len(piece)
            buffer += piece
            cut = buffer.rfind(b"\n")  # where a line begins that may go on
            for token in _TOKEN.finditer(buffer, 0, cut):
                if token["unfinished"]:
                    cut = token.start()
                    break
                yield token
            buffer = buffer[cut:]
            if len(buffer) > _PIECE and buffer[1:2] in (b"+", b"-"):
                buffer = buffer[:2]
            if seen > _MOST_BYTES or len(buffer) > _LONGEST_HEADER:
                self.end = "limit"
                return
        yield from (token for token in _TOKEN.finditer(buffer + b"\n") if not token["unfinished"])

    def _begun(self, token: re.Match[bytes]) -> LoggedCommit:
        self._sections, self._hunks = [], 0
        is_merge = b" " in token["parents"].strip()
        return LoggedCommit(
            id=token["id"].decode("ascii"), is_merge=is_merge, time=_time_of(token["time"]), message=token["message"]
        )

    def _add(self, commit: LoggedCommit, token: re.Match[bytes]) -> None:
        if token["paths"] is not None:
            change = _change_of(token)
            commit.changes.append(change)
            # Git shows a file that became a link, or the reverse, as deleted and made anew.
            self._sections += [change, change] if token["status"] == b"T" else [change]
            self._sections_begun = 0
        elif token["section"] is not None:
            self._sections_begun += 1
        elif 0 < self._sections_begun <= len(self._sections):
            self._hunks += 1
            change = self._sections[self._sections_begun - 1]
            if self._hunks > _MOST_HUNKS:
                change.are_known = False
            else:
                change.hunks.append(_hunk_of(token))

    def _complete(self, commit: LoggedCommit) -> LoggedCommit:
        """The commit, with what is not known of its changes said."""
        is_whole = self._hunks <= _MOST_HUNKS and (not self._sections or self._sections_begun == len(self._sections))
        for change in commit.changes:
            change.are_known = change.are_known and is_whole and (change.is_same or bool(change.hunks))
        return commit

    _sections_begun = 0


def _time_of(digits: bytes) -> int:
    """A time as git prints it; 0 for one before 1970, and for one that is none, as whoever made the commit chose it."""
    return int(digits) if digits.isdigit() and len(digits) <= _MOST_DIGITS else 0


def _change_of(token: re.Match[bytes]) -> Change:
    old, _, new = token["paths"].partition(b"\t")
    first, status = _unquoted(old), token["status"]
    second = _unquoted(new) if new else first
    return Change(
        old=b"" if status == b"A" else first,
        new=b"" if status == b"D" else second,
        is_same=token["old_id"] == token["new_id"] and status != b"T",
    )


def _hunk_of(token: re.Match[bytes]) -> Hunk:
    old_count, new_count = (1 if token[name] is None else int(token[name]) for name in ("old_count", "new_count"))
    return Hunk(int(token["old"]), old_count, int(token["new"]), new_count)


def _unquoted(path: bytes) -> bytes:
    """A path as git prints it, between quotes and with escapes where it has to, as it is."""
    if not (len(path) > 1 and path.startswith(b'"') and path.endswith(b'"')):
        return path
    return _ESCAPE.sub(
        lambda match: _ESCAPED.get(match[1]) or (bytes([int(match[1], 8) & 255]) if len(match[1]) == 3 else match[1]), path[1:-1]
    )


def _git_directory(repository: Repository) -> Path | None:
    found = git_output(repository.root, "rev-parse", "--git-common-dir", seconds=_LIST_SECONDS)
    return repository.root / Path(found.removesuffix(b"\n").decode("utf-8", "surrogateescape")) if found else None
