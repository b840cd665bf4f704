"""A workflow run in, its pull request's one comment out: written, edited, left as it is, or removed.

Which pull request it is tells GitHub alone: the open one whose head is the very branch, repository and commit of the run. Nothing
that the run kept decides it. The comment is found by its first line and its author, so nobody else's comment is ever edited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from hardtack.comment.artifact import note_of_run
from hardtack.comment.rendering import MARKER, comment_of
from hardtack.errors import PolicyError
from hardtack.store.sources.github_api import GitHubApi, field

AUTHOR: Final = "github-actions[bot]"
"""Who writes with the token that GitHub gives a job."""
_EVENT: Final = "pull_request"
_PAGES_OF_PULLS: Final = 3
_PAGES_OF_COMMENTS: Final = 30

Done = Literal["created", "updated", "unchanged", "removed", "nothing"]


class Posted(NamedTuple):
    """What became of the comment."""

    done: Done
    number: int = 0
    """Of the pull request; 0 where there is none to comment on."""
    why: str = ""
    """Why nothing was done, one sentence without a full stop; empty where that needs no word."""


class _Run(NamedTuple):
    """What GitHub says of a run."""

    id: int
    head_sha: str
    head_branch: str
    head_repository: int
    head_owner: str


def post(api: GitHubApi, run: int, *, author: str = AUTHOR) -> Posted:
    """Have the pull request of a run say what the run's note says.

    Args:
        api: of the repository, with a token that may write to pull requests.
        run: number of the run, from GitHub's event.
        author: login under which the token writes.

    Raises:
        PolicyError: the run is no pull request's, or what it kept is not taken; nothing is written.
        SourceError: GitHub cannot be asked, or refuses.
        FormatError: its answer cannot be understood.
    """
    of = _run(api, run)
    if of is None:
        return Posted("nothing", why="the repository that the pull request came from is gone")
    number, why = _pull_of(api, of)
    if not number:
        return Posted("nothing", why=why)
    note = note_of_run(api, run)
    if note is None:
        return Posted("nothing", number, f"the run {run} has kept no note")
    body = ""
    if not note.is_silent:
        body = comment_of(note, commit=of.head_sha, run=f"https://{api.name}/actions/runs/{run}")
    return Posted(_written(api, number, body, author), number)


def _run(api: GitHubApi, run: int) -> _Run | None:
    """What GitHub says of a run of a pull request's workflow; None when its head repository is gone.

    Raises:
        PolicyError: there is no such run here, or something else started it.
    """
    told = api.get(f"/actions/runs/{run}")
    if told is None:
        raise PolicyError(f"{api.repository} has no workflow run {run}.", hint="Give the id of github.event.workflow_run.")
    if field(field(told, "repository", dict), "id", int) != api.facts.id or field(told, "event", str) != _EVENT:
        raise PolicyError(f"The workflow run {run} was not started by a pull request of {api.repository}.")
    head = told.get("head_repository")
    if not isinstance(head, dict):
        return None
    return _Run(
        id=run,
        head_sha=field(told, "head_sha", str),
        head_branch=field(told, "head_branch", str),
        head_repository=field(head, "id", int),
        head_owner=field(field(head, "owner", dict), "login", str),
    )


def _pull_of(api: GitHubApi, run: _Run) -> tuple[int, str]:
    """The number of the open pull request whose head is the run's; 0, and why, when there is not exactly one.

    GitHub's list of a run's pull requests is empty for those of forks, so they are asked for by their head.
    """
    asked = {"state": "open", "head": f"{run.head_owner}:{run.head_branch}"}
    found = [each for page, _ in api.pages("/pulls", most=_PAGES_OF_PULLS, **asked) for each in page]
    own = [each for each in found if _is_of(each, run, api.facts.id)]
    current = [each for each in own if field(field(each, "head", dict), "sha", str) == run.head_sha]
    if len(current) == 1:
        return field(current[0], "number", int), ""
    if len(current) > 1:
        return 0, "several open pull requests have the same head, and GitHub does not tell which of them the run was for"
    return 0, "the pull request has newer commits" if own else "no open pull request has the run's branch for its head"


def _is_of(pull: Mapping[str, Any], run: _Run, repository: int) -> bool:
    """Whether a pull request goes from the run's branch into this repository."""
    head, base = field(pull, "head", dict), field(pull, "base", dict)
    source, target = head.get("repo"), base.get("repo")
    if not isinstance(source, dict) or not isinstance(target, dict):
        return False
    ends = source.get("id"), target.get("id"), head.get("ref"), pull.get("state")
    return ends == (run.head_repository, repository, run.head_branch, "open")


def _written(api: GitHubApi, number: int, body: str, author: str) -> Done:
    """Have the pull request bear this comment, or none if it is empty; gives what that took."""
    own = _own_comments(api, number, author)
    for each in own[1:]:  # as two runs at the same moment would leave them
        api.delete(f"/issues/comments/{field(each, 'id', int)}")
    if not own:
        if not body:
            return "nothing"
        api.send("POST", f"/issues/{number}/comments", {"body": body})
        return "created"
    path = f"/issues/comments/{field(own[0], 'id', int)}"
    if not body:
        api.delete(path)
        return "removed"
    if _same_lines(field(own[0], "body", str), body):
        return "unchanged"
    api.send("PATCH", path, {"body": body})
    return "updated"


def _own_comments(api: GitHubApi, number: int, author: str) -> list[dict[str, Any]]:
    """The comments of this program, oldest first.

    Raises:
        PolicyError: there are too many comments to look through.
    """
    own = []
    for page, has_more in api.pages(f"/issues/{number}/comments", most=_PAGES_OF_COMMENTS):
        own += [each for each in page if _is_own(each, author)]
        if own or not has_more:
            return own
    raise PolicyError(
        f"The pull request {number} has more comments than are looked through; none is written.", hint="Open another."
    )


def _is_own(comment: Mapping[str, Any], author: str) -> bool:
    user, body = comment.get("user"), comment.get("body")
    return isinstance(user, dict) and user.get("login") == author and isinstance(body, str) and body.startswith(MARKER)


def _same_lines(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").rstrip() == other.replace("\r\n", "\n").rstrip()
