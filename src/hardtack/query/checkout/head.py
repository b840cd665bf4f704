"""A checkout in, the commit and branch of its HEAD out, and the distance of HEAD from the commit of a bundle.

HEAD is read from git's files without a process. Later calls only ``stat`` these files, until one is replaced. Git counts the
distance, once for each pair of a commit and HEAD. What cannot be read, or is not in git's format, is unknown: nothing here raises.
"""

from __future__ import annotations

import re
import stat
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.descriptors import open_file
from hardtack.git import git_output
from hardtack.nouns.statistics import Distance, Head
from hardtack.query.checkout.freshness import read_regular

GIT_SECONDS: Final = 10
"""Time limit of one git command. After it the result is unknown: the answer to a search must not wait for it."""

_FILE_LIMIT: Final = 64 << 20
"""Bytes of the largest file of git that is read: ``packed-refs`` can list hundreds of thousands of branches."""

_MAX_SYMBOLIC_REFERENCES: Final = 5
"""Length of a chain of symbolic references, as in git."""

_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE: Final = re.compile(r"refs(?:/(?!\.)[^\x00-\x20\x7f~^:?*\[\\/]+)+")
_BRANCHES: Final = "refs/heads/"

_Stamp = tuple[int, ...] | None
"""Identifies a version of a file; None if there is no file."""


class Checkout:
    """One checkout, read anew when its HEAD changes. Safe to share between threads."""

    def __init__(self, directory: Path) -> None:
        """Take the top of a checkout, or a directory in it. Nothing is read yet."""
        self.directory = directory
        self._lock = threading.Lock()
        self._stamps: dict[Path, _Stamp] = {}
        self._head: Head | None = None
        self._distances: dict[str, Distance | None] = {}
        self._changed: dict[str, int | None] = {}

    def head(self) -> Head | None:
        """The current HEAD; None if this is no git checkout, has no commit, or cannot be read."""
        with self._lock:
            return self._current()

    def distance(self, commit: str) -> Distance | None:
        """How many commits HEAD is behind and ahead of a commit; None if unknown, for example if the checkout lacks the commit."""
        with self._lock:
            head = self._current()
            if head is None or not _COMMIT.fullmatch(commit):
                return None
            if head.commit == commit:
                return Distance(behind=0, ahead=0)
            if commit not in self._distances:
                self._distances[commit] = _count_distance(self.directory, commit, head.commit)
            return self._distances[commit]

    def files_changed(self, commit: str) -> int | None:
        """How many files in the directory differ between a commit and HEAD; None if unknown."""
        with self._lock:
            head = self._current()
            if head is None or not _COMMIT.fullmatch(commit):
                return None
            if head.commit == commit:
                return 0
            if commit not in self._changed:
                self._changed[commit] = _count_changed(self.directory, commit, head.commit)
            return self._changed[commit]

    def _current(self) -> Head | None:
        if not self._stamps or any(_stamp_of(path) != stamp for path, stamp in self._stamps.items()):
            reader = _HeadReader()
            head = reader.head(self.directory)
            if head != self._head:
                self._distances.clear()
                self._changed.clear()
            self._head, self._stamps = head, reader.stamps
        return self._head


class _HeadReader:
    """Reads HEAD once, and records the stamp of each file before it reads it, so that a later change is noticed."""

    def __init__(self) -> None:
        self.stamps: dict[Path, _Stamp] = {}

    def head(self, directory: Path) -> Head | None:
        """HEAD of the repository that contains ``directory``."""
        found = next((place for at in (directory, *directory.absolute().parents) if self._stamp(place := at / ".git")), None)
        own = found and self._git_directory(found)
        if own is None:
            return None
        shared = self._common_directory(own)
        reference, branch = "HEAD", ""
        for _ in range(_MAX_SYMBOLIC_REFERENCES):
            value = self._text(own / reference) or (self._text(shared / reference) if reference != "HEAD" else "")
            if not value.startswith("ref:"):
                commit = value or self._packed_references(shared).get(reference, "")
                return Head(commit=commit, branch=branch) if _COMMIT.fullmatch(commit) else None
            reference = value.removeprefix("ref:").strip()
            if not _REFERENCE.fullmatch(reference):
                return None
            branch = branch or reference.removeprefix(_BRANCHES)
        return None

    def _git_directory(self, place: Path) -> Path | None:
        """The git directory: ``.git`` itself, or the one that the file ``.git`` of a linked worktree or submodule names."""
        if place.is_dir():
            return place
        text = self._text(place)
        return place.parent / text.removeprefix("gitdir:").strip() if text.startswith("gitdir:") else None

    def _common_directory(self, own: Path) -> Path:
        """The git directory with the references that a linked worktree shares with others."""
        text = self._text(own / "commondir")
        return own / text if text else own

    def _packed_references(self, shared: Path) -> Mapping[str, str]:
        """Reference -> commit, of the references in ``packed-refs``."""
        lines = (line.split(" ") for line in self._text(shared / "packed-refs").splitlines())
        return {words[1]: words[0] for words in lines if len(words) == 2}

    def _text(self, path: Path) -> str:
        """A file's text without surrounding white space; empty if it cannot be read."""
        if self._stamp(path) is None:
            return ""
        with suppress(OSError, ValueError):  # ValueError: not UTF-8, or a NUL in the path
            descriptor = open_file(path, follow=True)
            return (read_regular(descriptor, _FILE_LIMIT) or b"").decode().strip()
        return ""

    def _stamp(self, path: Path) -> _Stamp:
        self.stamps[path] = stamp = _stamp_of(path)
        return stamp


def _stamp_of(path: Path) -> _Stamp:
    """The stamp of a file. Git replaces the files that are read here and never writes into them, so that a change shows."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(state.st_mode):  # .git itself, whose time changes with every file that git makes in it
        return (state.st_dev, state.st_ino)
    return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)


def _count_distance(directory: Path, commit: str, head: str) -> Distance | None:
    """How many commits ``head`` is behind and ahead of ``commit``; None if unknown, as where a shallow clone may lack some."""
    answer = _git_text(directory, "rev-list", "--left-right", "--count", f"{commit}...{head}", "--")
    counts = answer.split()
    if len(counts) != 2 or not all(map(str.isdecimal, counts)):
        return None
    ahead, behind = map(int, counts)
    if ahead and _git_text(directory, "rev-parse", "--is-shallow-repository") != "false":
        return None  # the missing history may contain a merge of the two
    return Distance(behind=behind, ahead=ahead)


def _count_changed(directory: Path, commit: str, head: str) -> int | None:
    """How many files in ``directory`` differ between two commits; None if unknown."""
    command = ("diff-tree", "-r", "-z", "--no-renames", "--name-only", commit, head, "--", ".")
    names = git_output(directory, *command, seconds=GIT_SECONDS)
    return None if names is None else names.count(b"\0")


def _git_text(directory: Path, *arguments: str) -> str:
    """The output of a git command; empty if git is missing, fails or takes too long."""
    with suppress(UnicodeDecodeError):
        return (git_output(directory, *arguments, seconds=GIT_SECONDS) or b"").decode("ascii").strip()
    return ""
