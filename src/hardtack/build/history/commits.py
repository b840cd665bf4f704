"""The log of a repository in, its commits out, their messages as they may be stored: the part of a history that needs no file."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import NamedTuple, Protocol

from hardtack.build.history.log import Change, CommitLog
from hardtack.build.history.messages import message_of
from hardtack.build.options import BuildOptions
from hardtack.build.source.git import Repository
from hardtack.build.source.tree import SourceTree
from hardtack.errors import PolicyError


class ReadCommit(NamedTuple):
    """One commit, its message without what is not stored."""

    id: str
    time: int
    """Committer time, seconds since 1970 UTC."""
    subject: str
    body: str
    secrets: int
    """How many there were in the message."""
    changes: Sequence[Change]
    """Against its first parent; paths from the top of the repository."""


class Commits(Protocol):
    """The last commits of a repository, newest first, to be iterated once."""

    @property
    def prefix(self) -> bytes:
        """The root of the bundle relative to the top of the repository, with a trailing slash; empty at the top."""

    @property
    def end(self) -> str:
        """Why there are no more of them, as :class:`HistoryExtent` says; final after the iteration."""

    def __iter__(self) -> Generator[ReadCommit]:
        """The commits."""


class CommitsOfRepository:
    """Those that git tells."""

    def __init__(self, repository: Repository, asked: int, *, secrets: str) -> None:
        """Ask git nothing yet.

        Args:
            repository: the repository of the bundle, at the bundle's root.
            asked: how many commits.
            secrets: how those of messages are treated: ``redact``, ``fail`` or ``warn``, as those of files.
        """
        self.prefix = repository.prefix
        self.end = ""
        self._repository = repository
        self._asked = asked
        self._secrets = secrets

    def __iter__(self) -> Generator[ReadCommit]:
        """The commits.

        Raises:
            BuildError: git took too long.
            PolicyError: there are secrets, and they are refused.
        """
        log = CommitLog(self._repository, self._asked)
        with closing(iter(log)) as commits:
            for logged in commits:
                message = message_of(logged.message, is_merge=logged.is_merge, keep_secrets=self._secrets == "warn")
                if message.secrets and self._secrets == "fail":
                    raise _refused(logged.id, message.secrets[0].rule)
                yield ReadCommit(logged.id, logged.time, message.subject, message.body, len(message.secrets), logged.changes)
        self.end = log.end


def commits_of(tree: SourceTree, options: BuildOptions) -> CommitsOfRepository | None:
    """The commits that are asked for; None if there are none, or the tree is not of one commit."""
    if not options.history or tree.repository is None:
        return None
    return CommitsOfRepository(tree.repository, options.history, secrets=options.source.secrets)


def _refused(commit: str, rule: str) -> PolicyError:
    return PolicyError(
        f"The message of commit {commit[:12]} holds a secret ({rule}); nothing was built.",
        hint="Revoke it, and build with --secrets redact, or without the history.",
    )
