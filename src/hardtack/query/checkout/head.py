"""A checkout in, where it stands out: the commit and branch of HEAD, and how far that is from the commit of a bundle.

HEAD is read from git's files; no process is started for it, and as long as none of those files is replaced they are looked at and
not opened. How many commits lie between two is asked of git, once for each commit and each place of HEAD. Whatever cannot be read,
or is not as git writes it, is unknown: nothing here raises.
"""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.git import git_output
from hardtack.nouns.statistics import Distance, Head

GIT_SECONDS: Final = 10
"""How long git may count before the distance is left unknown: somebody waits for an answer that can do without it."""

_FILE_LIMIT: Final = 64 << 20
"""Bytes of the largest file of git's that is read: ``packed-refs`` of a repository with hundreds of thousands of branches."""

_DEEPEST: Final = 5
"""Symbolic references that may lead to one another, as in git."""

_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE: Final = re.compile(r"refs(?:/(?!\.)[^\x00-\x20\x7f~^:?*\[\\/]+)+")
_BRANCHES: Final = "refs/heads/"

_Stamp = tuple[int, ...] | None


class Checkout:
    """One checkout, looked at as often as it is asked. Safe to share between threads."""

    def __init__(self, directory: Path) -> None:
        """Look at nothing yet.

        Args:
            directory: the top of a checkout, or a directory in it.
        """
        self.directory = directory
        self._lock = threading.Lock()
        self._seen: dict[Path, _Stamp] = {}
        self._head: Head | None = None
        self._distances: dict[str, Distance | None] = {}

    def head(self) -> Head | None:
        """Where it stands now; None where that is no git checkout, has no commit, or cannot be read."""
        with self._lock:
            return self._current()

    def distance(self, commit: str) -> Distance | None:
        """How HEAD lies to a commit; None when it is not known, as when the checkout lacks the commit."""
        with self._lock:
            head = self._current()
            if head is None or not _COMMIT.fullmatch(commit):
                return None
            if head.commit == commit:
                return Distance(behind=0, ahead=0)
            if commit not in self._distances:
                self._distances[commit] = _counted(self.directory, commit, head.commit)
            return self._distances[commit]

    def _current(self) -> Head | None:
        if not self._seen or any(_stamp_of(path) != stamp for path, stamp in self._seen.items()):
            reading = _Reading()
            head = reading.head(self.directory)
            if head != self._head:
                self._distances.clear()
            self._head, self._seen = head, reading.seen
        return self._head


class _Reading:
    """One look at git's files, which notes what each was like before it was read."""

    def __init__(self) -> None:
        self.seen: dict[Path, _Stamp] = {}

    def head(self, directory: Path) -> Head | None:
        """HEAD of the repository that ``directory`` lies in."""
        found = next((place for at in (directory, *directory.absolute().parents) if self._stamp(place := at / ".git")), None)
        own = found and self._directory_of(found)
        if own is None:
            return None
        shared = self._shared(own)
        reference, branch = "HEAD", ""
        for _ in range(_DEEPEST):
            said = self._text(own / reference) or (self._text(shared / reference) if reference != "HEAD" else "")
            if not said.startswith("ref:"):
                commit = said or self._packed(shared).get(reference, "")
                return Head(commit=commit, branch=branch) if _COMMIT.fullmatch(commit) else None
            reference = said.removeprefix("ref:").strip()
            if not _REFERENCE.fullmatch(reference):
                return None
            branch = branch or reference.removeprefix(_BRANCHES)
        return None

    def _directory_of(self, place: Path) -> Path | None:
        """The git directory: ``.git`` itself, or where that file of a linked worktree or a submodule points."""
        if place.is_dir():
            return place
        said = self._text(place)
        return place.parent / said.removeprefix("gitdir:").strip() if said.startswith("gitdir:") else None

    def _shared(self, own: Path) -> Path:
        """Where a linked worktree finds the references that it shares with others."""
        said = self._text(own / "commondir")
        return own / said if said else own

    def _packed(self, shared: Path) -> Mapping[str, str]:
        """Reference -> commit, of those that are kept in one file."""
        lines = (line.split(" ") for line in self._text(shared / "packed-refs").splitlines())
        return {words[1]: words[0] for words in lines if len(words) == 2}

    def _text(self, path: Path) -> str:
        """A file's text, or an empty one; what is no file is not waited for."""
        if self._stamp(path) is None:
            return ""
        with suppress(OSError, ValueError):  # ValueError: not UTF-8, or a path with NUL in it
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                if stat.S_ISREG(os.fstat(descriptor).st_mode):
                    with open(descriptor, "rb", closefd=False) as opened:
                        return opened.read(_FILE_LIMIT).decode().strip()
            finally:
                os.close(descriptor)
        return ""

    def _stamp(self, path: Path) -> _Stamp:
        self.seen[path] = stamp = _stamp_of(path)
        return stamp


def _stamp_of(path: Path) -> _Stamp:
    """What tells a file from one that replaces it; None without one. Git never writes into what is read here."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(state.st_mode):  # .git itself, whose time changes with whatever git makes in it
        return (state.st_dev, state.st_ino)
    return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)


def _counted(directory: Path, commit: str, head: str) -> Distance | None:
    """What git counts between two commits; of a history that was cut short, only what cannot be wrong."""
    answer = _answer_of(directory, "rev-list", "--left-right", "--count", f"{commit}...{head}", "--")
    counts = answer.split()
    if len(counts) != 2 or not all(map(str.isdecimal, counts)):
        return None
    ahead, behind = map(int, counts)
    if ahead and _answer_of(directory, "rev-parse", "--is-shallow-repository") != "false":
        return None  # what is missing may be what joins the two
    return Distance(behind=behind, ahead=ahead)


def _answer_of(directory: Path, *arguments: str) -> str:
    """What git prints, or nothing when there is no git, it fails or takes too long."""
    with suppress(UnicodeDecodeError):
        return (git_output(directory, *arguments, seconds=GIT_SECONDS) or b"").decode("ascii").strip()
    return ""
