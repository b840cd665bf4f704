"""Which commit a pull request is compared with: the merge's other side, else where the branch left; never a guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from checkouts import commit, git, init, write

from hardtack.ci.pull_request import PullRequest, base_commit, pull_request_of
from hardtack.errors import SourceError
from hardtack.store.history import History


class Forked:
    """``main`` with two commits, and ``side``, which left after the first."""

    def __init__(self, root: Path) -> None:
        self.root = init(root)
        self.first = commit(write(root, {"a.py": "a = 1\n"}), "first")
        git(root, "checkout", "--quiet", "-b", "side")
        self.side = commit(write(root, {"b.py": "b = 1\n"}), "side")
        git(root, "checkout", "--quiet", "main")
        self.second = commit(write(root, {"c.py": "c = 1\n"}), "second")

    def base(self, **pull: str) -> str:
        return base_commit(History(self.root), PullRequest(**{"head": self.side, "base": self.second, **pull}))


@pytest.fixture
def forked(tmp_path: Path) -> Forked:
    return Forked(tmp_path / "checkout")


def test_of_a_merge_it_is_the_side_that_the_branch_was_merged_into(forked: Forked) -> None:
    git(forked.root, "merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert forked.second == forked.base()
    assert forked.second == forked.base(base=forked.first)  # the event is older than the merge


def test_of_the_branch_itself_it_is_where_that_left(forked: Forked) -> None:
    git(forked.root, "checkout", "--quiet", "side")
    assert forked.first == forked.base()


def test_a_merge_of_something_else_is_no_merge_of_the_pull_request(forked: Forked) -> None:
    git(forked.root, "merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert "" == forked.base(head="f" * 40, base="e" * 40)


def test_where_head_is_the_base_itself_there_is_nothing_to_compare(forked: Forked) -> None:
    assert "" == forked.base()


def test_other_events_have_no_pull_request(tmp_path: Path) -> None:
    assert pull_request_of("push", tmp_path / "event.json") is None
    assert pull_request_of("pull_request_target", tmp_path / "event.json") is None
    assert pull_request_of("pull_request", None) is None


BAD: dict[str, Any] = {
    "no object": [],
    "no pull request": {},
    "a pull request that is text": {"pull_request": "x"},
    "no head": {"pull_request": {"base": {"sha": "a" * 40}}},
    "a name for a commit": {"pull_request": {"head": {"sha": "--output=x"}, "base": {"sha": "a" * 40}}},
    "a number for a commit": {"pull_request": {"head": {"sha": 1}, "base": {"sha": "a" * 40}}},
}


@pytest.mark.parametrize("case", BAD)
def test_an_account_that_tells_of_no_pull_request_is_an_error(tmp_path: Path, case: str) -> None:
    (tmp_path / "event.json").write_text(json.dumps(BAD[case]), encoding="utf-8")
    with pytest.raises(SourceError, match="does not tell of a pull request"):
        pull_request_of("pull_request", tmp_path / "event.json")


def test_an_account_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        pull_request_of("pull_request", tmp_path / "event.json")
