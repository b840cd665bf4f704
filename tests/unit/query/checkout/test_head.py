"""HEAD of a checkout, read from repositories that git made, moved, packed, linked, cut short or set as traps."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from checkouts import commit, init
from checkouts import git as git_in

from hardtack.nouns.statistics import Distance, Head
from hardtack.query.checkout import head as module
from hardtack.query.checkout.head import Checkout

Git = Callable[..., str]


def _commit(git: Git, message: str = "more") -> str:
    git("commit", "--quiet", "--allow-empty", "--message", message)
    return git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = init(tmp_path / "repository")
    for message in ("first", "second"):
        commit(root, message)
    return root


@pytest.fixture
def git(repository: Path) -> Git:
    return partial(git_in, repository)


def test_head_is_the_commit_and_the_branch_that_git_names(repository: Path, git: Git) -> None:
    assert Head(commit=git("rev-parse", "HEAD"), branch="main") == Checkout(repository).head()


def test_a_directory_in_a_checkout_stands_where_the_checkout_does(repository: Path, git: Git) -> None:
    inside = repository / "a" / "b"
    inside.mkdir(parents=True)
    assert Head(commit=git("rev-parse", "HEAD"), branch="main") == Checkout(inside).head()


def test_a_head_that_moves_is_seen_each_time(repository: Path, git: Git) -> None:
    checkout = Checkout(repository)
    seen = [checkout.head()]
    commits = [git("rev-parse", "HEAD")]
    for _ in range(3):
        commits.append(_commit(git))
        seen.append(checkout.head())
    git("checkout", "--quiet", "-b", "topic/one", "HEAD~1")
    assert [Head(commit=commit, branch="main") for commit in commits] == seen
    assert Head(commit=commits[-2], branch="topic/one") == checkout.head()
    git("checkout", "--quiet", "--detach", "main")
    assert Head(commit=commits[-1], branch="") == checkout.head()


def test_packed_references_are_read_and_loose_ones_come_before_them(repository: Path, git: Git) -> None:
    checkout, packed = Checkout(repository), git("rev-parse", "HEAD")
    git("tag", "--annotate", "--message", "x", "v1")
    git("pack-refs", "--all")
    assert not (repository / ".git" / "refs" / "heads" / "main").exists()
    assert Head(commit=packed, branch="main") == checkout.head()
    assert Head(commit=_commit(git), branch="main") == checkout.head()


def test_a_linked_worktree_stands_on_its_own(repository: Path, git: Git, tmp_path: Path) -> None:
    git("worktree", "add", "--quiet", "-b", "aside", str(tmp_path / "aside"), "HEAD~1")
    checkout = Checkout(tmp_path / "aside")
    assert Head(commit=git("rev-parse", "main~1"), branch="aside") == checkout.head()
    moved = _commit(partial(git_in, tmp_path / "aside"))
    assert Head(commit=moved, branch="aside") == checkout.head()
    assert Head(commit=git("rev-parse", "main"), branch="main") == Checkout(repository).head()


def test_a_branch_that_stands_for_another_is_followed(repository: Path, git: Git) -> None:
    git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert Head(commit=git("rev-parse", "main"), branch="alias") == Checkout(repository).head()


def test_nothing_is_known_of_what_is_no_checkout_or_has_no_commit(tmp_path: Path) -> None:
    assert (None, None) == (Checkout(tmp_path).head(), Checkout(tmp_path / "absent").head())
    git_in(tmp_path, "init", "--quiet")
    checkout = Checkout(tmp_path)
    assert None is checkout.head()
    assert Head(commit=commit(tmp_path), branch=git_in(tmp_path, "branch", "--show-current")) == checkout.head()


@pytest.mark.parametrize(
    "content",
    [
        "ref: ../../secret",
        "ref: refs/heads/../../../secret",
        "ref: /etc/passwd",
        "ref: refs/heads/main\nref: refs/heads/x",
        "ref: refs/heads/a\x00b",
        "ref: HEAD",
        "not a commit",
        "abc123",
        "\xff\xfe",
        "",
    ],
)
def test_a_head_that_git_did_not_write_is_not_known(repository: Path, content: str) -> None:
    (repository / "secret").write_text("0" * 40)
    (repository / ".git" / "HEAD").write_bytes(content.encode("latin-1"))
    assert None is Checkout(repository).head()


def test_references_that_lead_in_a_circle_end(repository: Path, git: Git) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        (repository / ".git" / "refs" / "heads" / one).write_text(f"ref: refs/heads/{other}\n")
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/a\n")
    assert None is Checkout(repository).head()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_file_is_not_waited_for(repository: Path) -> None:
    (repository / ".git" / "HEAD").unlink()
    os.mkfifo(repository / ".git" / "HEAD")
    assert None is Checkout(repository).head()


def test_the_distance_is_how_many_commits_head_has_more(repository: Path, git: Git) -> None:
    checkout, indexed = Checkout(repository), git("rev-parse", "HEAD")
    assert Distance(behind=0, ahead=0) == checkout.distance(indexed)
    for _ in range(3):
        _commit(git)
    assert Distance(behind=3, ahead=0) == checkout.distance(indexed)
    assert not Distance(behind=3, ahead=0).is_diverged


def test_a_commit_that_head_does_not_contain_has_diverged(repository: Path, git: Git) -> None:
    git("checkout", "--quiet", "-b", "topic", "HEAD~1")
    indexed = [_commit(git), _commit(git)][-1]
    git("checkout", "--quiet", "main")
    distance = Checkout(repository).distance(indexed)
    assert Distance(behind=1, ahead=2) == distance
    assert distance.is_diverged


@pytest.mark.parametrize("commit", ["", "0" * 40, "main", "--all", "HEAD", "a" * 39])
def test_the_distance_from_what_the_checkout_does_not_have_is_not_known(repository: Path, commit: str) -> None:
    assert None is Checkout(repository).distance(commit)


def test_in_a_history_that_was_cut_short_nothing_is_called_diverged(repository: Path, git: Git, tmp_path: Path) -> None:
    indexed = git("rev-parse", "HEAD")
    git_in(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), "shallow")
    _commit(git), _commit(git)
    shallow = partial(git_in, tmp_path / "shallow")
    shallow("fetch", "--quiet", "--depth", "1")
    shallow("reset", "--quiet", "--hard", "origin/main")
    assert None is Checkout(tmp_path / "shallow").distance(indexed)


def test_while_head_stays_no_process_is_started_and_nothing_opened(
    repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed, checkout = git("rev-parse", "HEAD~1"), Checkout(repository)
    first = (checkout.head(), checkout.distance(indexed))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was started or opened")

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", refuse)
        patch.setattr(os, "open", refuse)
        assert first == (checkout.head(), checkout.distance(indexed))
    _commit(git)
    assert Distance(behind=2, ahead=0) == checkout.distance(indexed)


def test_without_git_head_is_known_and_the_distance_is_not(
    repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commit, before = git("rev-parse", "HEAD"), git("rev-parse", "HEAD~1")
    monkeypatch.setenv("PATH", str(tmp_path))
    checkout = Checkout(repository)
    assert (Head(commit=commit, branch="main"), None) == (checkout.head(), checkout.distance(before))


def test_a_git_that_takes_too_long_is_not_waited_for(
    repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = git("rev-parse", "HEAD~1")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(module, "GIT_SECONDS", 0.1)
    assert None is Checkout(repository).distance(before)


def test_what_the_caller_or_the_repository_tells_git_to_read_instead_is_not_read(
    repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = git("rev-parse", "HEAD~1")
    git_in(tmp_path, "init", "--quiet", "other")
    git("replace", "--graft", "HEAD")  # a history in which HEAD has no parents
    assert "1\t1" == git("rev-list", "--left-right", "--count", f"{before}...HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    assert Distance(behind=1, ahead=0) == Checkout(repository).distance(before)
