"""Reaching repositories: the commit that a name stands for, a bare clone of it alone, and nothing that runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from checkouts import commit, git, write
from git_server import GitServer

from hardtack.errors import BuildError, HardtackError, PolicyError, SourceError, SourceUnreadable
from hardtack.fleet import remote
from hardtack.fleet.listing import Entry
from hardtack.fleet.remote import clone, commit_at, name_of

from .conftest import Make, entry_of

MEGABYTE = 1 << 20


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    place = tmp_path / "scratch"
    place.mkdir()
    return place


def test_a_name_stands_for_the_commit_that_a_clone_would_check_out(make: Make, scratch: Path) -> None:
    root = make("one")
    first = git(root, "rev-parse", "HEAD")
    git(root, "tag", "-a", "-m", "a tag", "v1")
    git(root, "tag", "both")
    second = commit(write(root, {"b.py": "b = 1\n"}))
    git(root, "branch", "both")
    expected = {"": second, "main": second, "v1": first, "both": second, first: first}
    assert expected == {ref: commit_at(entry_of(root, ref), scratch) for ref in expected}
    with pytest.raises(SourceUnreadable, match="has no branch or tag gone"):
        commit_at(entry_of(root, "gone"), scratch)


def test_a_clone_has_one_commit_and_no_working_tree_hooks_or_tags(make: Make, scratch: Path) -> None:
    root = make("one")
    git(root, "tag", "v1")
    head = commit(write(root, {"b.py": "b = 1\n"}))
    size = clone(entry_of(root), head, scratch / "clone", most=MEGABYTE)
    assert head == git(scratch / "clone", "rev-parse", "HEAD")
    assert "1" == git(scratch / "clone", "rev-list", "--count", "HEAD")
    assert "" == git(scratch / "clone", "for-each-ref")
    assert not (scratch / "clone" / "hooks").exists()
    assert not (scratch / "clone" / "a.py").exists()
    assert 0 < size < MEGABYTE


def test_a_repository_is_cloned_from_a_real_server_and_by_a_commit_that_no_branch_is_at(make: Make, scratch: Path) -> None:
    root = make("one")
    old = git(root, "rev-parse", "HEAD")
    new = commit(write(root, {"b.py": "b = 1\n"}))
    with GitServer(root.parent) as server:
        entry = Entry(address=f"{server.url}/one/.git", name="git.example.org/team/one")
        assert new == commit_at(entry, scratch)
        clone(entry, new, scratch / "new", most=MEGABYTE)
        clone(Entry(address=entry.address, ref=old), old, scratch / "old", most=MEGABYTE)
        for address, said, kind in (
            (f"{server.url}/absent.git", "is not found", SourceUnreadable),
            (f"{server.url}/private.git", "cannot be fetched", SourceError),
        ):
            with pytest.raises(kind, match=said):
                commit_at(Entry(address=address), scratch)
    assert (new, old) == tuple(git(scratch / name, "rev-parse", "HEAD") for name in ("new", "old"))
    with pytest.raises(SourceError, match="cannot be fetched"):
        commit_at(entry, scratch)


def test_a_server_that_sends_nothing_is_left_before_the_time_of_the_repository_is_up(
    scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "_STALLED_SECONDS", 1)
    with GitServer(tmp_path) as server:
        entry = Entry(address=f"{server.url}/silent.git")
        with pytest.raises(SourceError, match=r"cannot be fetched: .*too slow"):
            commit_at(entry, scratch)
        with pytest.raises(SourceError, match=r"cannot be fetched: .*too slow"):
            clone(entry, "0" * 40, scratch / "clone", most=MEGABYTE)


def test_more_bytes_than_are_allowed_end_the_clone(make: Make, scratch: Path) -> None:
    root = make("large", {"noise.bin": os.urandom(3 * MEGABYTE)})
    head = git(root, "rev-parse", "HEAD")
    with pytest.raises(BuildError, match=f"sends more than {MEGABYTE} bytes"):
        clone(entry_of(root), head, scratch / "clone", most=MEGABYTE)


def test_nothing_that_a_repository_configures_is_run(make: Make, scratch: Path, tmp_path: Path) -> None:
    root = make("hostile", {".gitattributes": "* filter=evil\n", ".gitmodules": '[submodule "x"]\n\tpath=x\n\turl=ext::id\n'})
    head = git(root, "rev-parse", "HEAD")
    canary = tmp_path / "canary"
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\ntouch {canary}\ncat\n")
    program.chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "uploadpack.packObjectsHook", "filter.evil.smudge", "filter.evil.process"):
        git(root, "config", key, str(program))
    for hook in ("post-checkout", "reference-transaction", "post-update", "pre-receive"):
        (root / ".git" / "hooks" / hook).parent.mkdir(exist_ok=True)
        (root / ".git" / "hooks" / hook).symlink_to(program)
    entry = entry_of(root)
    assert head == commit_at(entry, scratch)
    clone(entry, head, scratch / "clone", most=MEGABYTE)
    assert not canary.exists()


def test_a_path_that_borrows_another_repository_is_followed_only_if_that_is_said(make: Make, scratch: Path, tmp_path: Path) -> None:
    private = make("private")
    borrowing = tmp_path / "borrowing"
    git(tmp_path, "clone", "--quiet", "--reference", str(private), str(private), str(borrowing))
    with pytest.raises(PolicyError, match="outside of"):
        commit_at(entry_of(borrowing), scratch)
    assert git(private, "rev-parse", "HEAD") == commit_at(entry_of(borrowing), scratch, follow_git=True)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("absent", "is not found"),
        ("file", "is not found"),
        ("directory", "is no git repository"),
        ("inside", "is no git repository"),
        ("empty", "has no commit at its HEAD"),
    ],
)
def test_what_is_no_repository_with_a_commit_is_said_in_one_sentence(
    kind: str, said: str, make: Make, scratch: Path, tmp_path: Path
) -> None:
    place = tmp_path / kind
    if kind == "file":
        place.write_text("x")
    elif kind == "directory":
        place.mkdir()
    elif kind == "inside":
        place = make("one", {"deep/b.py": "b = 1\n"}) / "deep"
    elif kind == "empty":
        place.mkdir()
        git(place, "init", "--quiet", "--bare")
    with pytest.raises(SourceUnreadable) as refused:
        commit_at(entry_of(place), scratch)
    assert f"{place} {said}." == str(refused.value)


def test_a_path_is_named_by_its_line_or_by_its_origin_and_never_by_chance(make: Make) -> None:
    assert "git.example.org/team/one" == name_of(entry_of(make("one")))
    assert "example.org/o/n" == name_of(entry_of(make("two"), name="example.org/o/n"))
    with pytest.raises(PolicyError, match="does not say of which repository it is"):
        name_of(entry_of(make("three", origin="")))


def test_a_commit_that_is_not_there_is_said(make: Make, scratch: Path) -> None:
    with pytest.raises(HardtackError, match=r"one (is not found|cannot be fetched)"):
        clone(entry_of(make("one")), "0" * 39 + "1", scratch / "clone", most=MEGABYTE)
