"""A checkout in, the commits that its bundle may be built from and their distance to HEAD out: asked of git; hooks do not run.

If git is missing, fails or takes too long, the answer is "unknown", never a guess. A shallow clone (``git clone --depth``) is
searched as far as it goes, and :attr:`History.is_shallow` says so.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from hardtack.git import git_output, is_commit

DEPTH: Final = 64
"""The most commits of one line of ancestors that are considered."""

_SECONDS: Final = 20
"""The longest time for one git command."""

_DEFAULT_BRANCHES: Final = ("refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master")


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A branch and its last commit that this checkout knows."""

    name: str
    """Its name in the remote repository: ``main``."""
    commit: str


class History:
    """The history of one checkout. Answers are cached, so it shows one moment."""

    def __init__(self, directory: Path) -> None:
        """Take the directory; git is called on first use."""
        self._directory = directory
        self._distances: dict[str, int | None] = {}

    @cached_property
    def head(self) -> str:
        """The commit of HEAD; empty when there is no checkout or no commit."""
        return self.commit_of("HEAD")

    @cached_property
    def top(self) -> Path | None:
        """The top of the working tree; None when there is none."""
        answer = self._answer("rev-parse", "--show-toplevel")
        return Path(answer) if answer else None

    @cached_property
    def is_shallow(self) -> bool:
        """Whether the history was cut short, so that ancestors may be missing."""
        return self._answer("rev-parse", "--is-shallow-repository") == "true"

    @cached_property
    def upstream(self) -> Branch | None:
        """The upstream branch of HEAD's branch; None when it has none."""
        name = self._answer("rev-parse", "--symbolic-full-name", "@{upstream}")
        return self._branch(name) if name else None

    @cached_property
    def default_branch(self) -> Branch | None:
        """The repository's default branch: ``origin/HEAD``, else ``main`` or ``master``; None when there is none of them."""
        remote_head = self._answer("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
        return next((found for name in (remote_head, *_DEFAULT_BRANCHES) if name and (found := self._branch(name))), None)

    def commit_of(self, name: str) -> str:
        """The full id of the commit that a revision names; empty when it names none."""
        found = self._answer("rev-parse", "--quiet", "--verify", "--end-of-options", f"{name}^{{commit}}")
        return found if is_commit(found) else ""

    def lines_of_ancestors(self) -> list[list[str]]:
        """HEAD and its first parents, nearest first; then the merge base with the default branch and its first parents.

        The second line is left out when the first one contains the merge base. It is needed for a branch that merged the default
        branch into itself: the first parents of HEAD then lead past those commits.
        """
        lines = [self._first_parents(self.head)] if self.head else []
        if lines and self.default_branch:
            base = self.merge_base(self.head, self.default_branch.commit)
            if base and base not in lines[0]:
                lines.append(self._first_parents(base))
        return lines

    def distance(self, commit: str) -> int | None:
        """The number of commits reachable from HEAD and not from ``commit``; None when it is not known."""
        if commit not in self._distances:
            count = self._answer("rev-list", "--count", f"{commit}..{self.head}", "--") if self._knows(commit) else ""
            self._distances[commit] = int(count) if count.isdecimal() else None
        return self._distances[commit]

    def changed_files(self, commit: str) -> int | None:
        """The number of files that differ between ``commit`` and HEAD; None when it is not known."""
        if not self._knows(commit):
            return None
        listed = self._output("diff-tree", "-r", "-z", "--no-ext-diff", "--no-textconv", "--name-only", commit, self.head, "--")
        return None if listed is None else listed.count(b"\0")

    def is_ancestor(self, commit: str, of: str) -> bool | None:
        """Whether ``commit`` is an ancestor of ``of``, or the same; None when the checkout lacks one of the two."""
        if not (self._knows(commit) and self._knows(of)):
            return None
        return self._output("merge-base", "--is-ancestor", commit, of) is not None

    def merge_base(self, commit: str, other: str) -> str:
        """The newest commit that two commits both come from; empty when it is not known."""
        base = self._answer("merge-base", commit, other, "--") if self._knows(commit) and self._knows(other) else ""
        return base if is_commit(base) else ""

    def time_of(self, commit: str) -> int | None:
        """The committer time of a commit, seconds since 1970 UTC; None when the checkout lacks it."""
        said = self._answer("show", "--no-patch", "--format=%ct", commit, "--") if self._knows(commit) else ""
        return int(said) if said.lstrip("-").isdecimal() else None

    def _knows(self, commit: str) -> bool:
        return bool(self.head) and is_commit(commit) and self.commit_of(commit) == commit

    def _first_parents(self, commit: str) -> list[str]:
        listed = self._answer("rev-list", "--first-parent", f"--max-count={DEPTH}", commit, "--").split()
        return [each for each in listed if is_commit(each)]

    def _branch(self, reference: str) -> Branch | None:
        """A branch by its full name: ``refs/remotes/origin/feature/x`` has the name ``feature/x``."""
        commit = self.commit_of(reference)
        parts = reference.split("/")
        name = "/".join(parts[3:] if parts[:2] == ["refs", "remotes"] else parts[2:])
        return Branch(name=name, commit=commit) if commit and name else None

    def _answer(self, *arguments: str) -> str:
        """The output of git as stripped text; empty when git fails."""
        with suppress(UnicodeDecodeError):
            return (self._output(*arguments) or b"").decode("utf-8").strip()
        return ""

    def _output(self, *arguments: str) -> bytes | None:
        """The output of git; None when git is missing, fails, or takes too long."""
        return git_output(self._directory, *arguments, seconds=_SECONDS)
