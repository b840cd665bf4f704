"""GitHub's account of an event in, the commit that a pull request's bundle is compared with out.

The account is a file that the runner wrote; the commits are looked up in the checkout.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from hardtack.errors import SourceError
from hardtack.git import is_commit
from hardtack.store.history import History
from hardtack.store.strict_json import parse_object

EVENT: Final = "pull_request"
_LARGEST: Final = 32 << 20
"""Bytes of the largest event; GitHub's have at most 25 MB."""


class PullRequest(NamedTuple):
    """A pull request, as of the event that started the run."""

    head: str
    """Its newest commit."""
    base: str
    """The newest commit of the branch that it goes to."""


def pull_request_of(event: str, path: Path | None) -> PullRequest | None:
    """The pull request that started the run; None when something else did.

    Args:
        event: its name, such as ``pull_request``.
        path: of the file with GitHub's account of it.

    Raises:
        SourceError: the file cannot be read, or says nothing of a pull request.
    """
    if event != EVENT or path is None:
        return None
    try:
        with path.open("rb") as file:
            told = parse_object(file.read(_LARGEST))
        pull = told["pull_request"]
        head, base = (_commit(pull[side]) for side in ("head", "base"))
    except OSError as error:
        raise SourceError(f"The event {path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SourceError(f"The event {path} does not tell of a pull request.") from error
    return PullRequest(head, base)


def _commit(side: Mapping[str, Any]) -> str:
    sha = side["sha"]
    if not isinstance(sha, str) or not is_commit(sha):
        raise ValueError(sha)
    return sha


def base_commit(history: History, pull: PullRequest) -> str:
    """The commit to compare HEAD with; empty when the checkout does not have it.

    Where HEAD is the pull request merged into its base, as ``actions/checkout`` has it, the base's side of that merge; else the
    newest commit that HEAD and the base have in common.
    """
    if history.commit_of("HEAD^2") == pull.head:
        return history.commit_of("HEAD^1")
    common = history.merge_base(history.head, pull.base)
    return common if common != history.head else ""
