"""What a repository brings along, cloned by somebody who trusts it with nothing: links, bundles, checkpoints."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from processes import Run

_KEYWORD = ("--profile", "keyword", "-j", "1")


def _cloned(author: Path, clone: Path) -> Path:
    """The author's checkout with all that lies in it, committed, and cloned."""
    git(author, "add", "--force", "--all")
    commit(author, "more")
    git(author.parent, "clone", "--quiet", str(author), str(clone))
    return clone


@pytest.fixture
def author(tmp_path: Path) -> Path:
    root = tmp_path / "author"
    init(write(root, {f"part{number}.py": f"def part_{number}():\n    return {number}\n" for number in range(12)}))
    commit(root)
    return root


@pytest.fixture
def victim(run: Run, tmp_path: Path) -> Path:
    """Another project of the person who clones, and its bundle."""
    root = tmp_path / "victim"
    init(write(root, {"a.py": "def honest():\n    return 1\n"}))
    commit(root)
    assert 0 == run("build", root, *_KEYWORD).returncode
    return root


def test_what_one_builds_is_found_at_once_and_so_is_what_changed(author: Path, run: Run) -> None:
    for name in ("part_0", "part_new"):
        if name == "part_new":
            write(author, {"new.py": "def part_new():\n    return 1\n"})
            commit(author)
        assert 0 == run("build", author, *_KEYWORD).returncode
        done = run("search", name, cwd=author)
        assert (0, "") == (done.returncode, done.stderr)
        assert f"def {name}" in done.stdout


@pytest.mark.parametrize(
    ("at", "to"),
    [
        (".hardtack/bundle", "../../victim/.hardtack/bundle"),
        (".hardtack", "../victim/.hardtack"),
        (".hardtack/bundle", "../../victim/new"),
        (".hardtack", "../victim/new"),
    ],
)
def test_a_link_that_was_cloned_leads_no_build_out_of_the_clone(
    author: Path, victim: Path, run: Run, tmp_path: Path, at: str, to: str
) -> None:
    (author / at).parent.mkdir(exist_ok=True)
    (author / at).symlink_to(to)
    clone = _cloned(author, tmp_path / "clone")
    done = run("build", clone, *_KEYWORD)
    assert 6 == done.returncode
    assert f"{clone / at} is a link, which nobody typed" in done.stderr
    assert "def honest" in run("search", "honest", cwd=victim).stdout
    assert not (victim / "new").exists()
    for verb in (("search", "honest"), ("status",), ("pack", "-o", str(tmp_path / "x.hardtack"))):
        assert run(*verb, cwd=clone).returncode in (3, 6)


def test_a_bundle_that_was_cloned_is_read_and_taken_over_from_only_when_it_is_named(author: Path, run: Run, tmp_path: Path) -> None:
    assert 0 == run("build", author, *_KEYWORD).returncode
    clone = _cloned(author, tmp_path / "clone")
    for verb in (
        ("search", "part_1"),
        ("define", "part_1"),
        ("status",),
        ("stats",),
        ("pack",),
        ("publish", "--to", "x"),
        ("clear", "-y"),
    ):
        done = run(*verb, cwd=clone)
        assert (6, "") == (done.returncode, done.stdout), verb
        assert "is not one that you built there" in done.stderr
        assert f"-b {clone}" in done.stderr
    assert "is not one that you built there" in run("list", cwd=clone).stderr
    served = run("tool", "search_code", "--json", '{"query": "part_1"}', cwd=clone)
    assert "is not one that you built there" in served.stdout + served.stderr
    assert "def part_1" in run("search", "part_1", "-b", clone).stdout
    assert "def part_1" in run("search", "part_1", cwd=clone, env={**os.environ, "HARDTACK_BUNDLE": str(clone)}).stdout
    roots = {**os.environ, "HARDTACK_BUNDLE_PATH": str(clone / ".hardtack" / "bundle")}
    assert "def part_1" in run("search", "part_1", cwd=clone, env=roots).stdout
    assert "unknown" == json.loads(run("status", "-b", clone, "--json").stdout)["origin"]
    assert "nobody known" in run("status", "-b", clone).stdout
    built = run("build", clone, *_KEYWORD, "--report", tmp_path / "report.json")
    assert "you did not build it here" in built.stderr
    assert 0 == json.loads((tmp_path / "report.json").read_text())["files_taken_over"]
    assert "def part_1" in run("search", "part_1", cwd=clone).stdout
    assert "you" == json.loads(run("status", "--json", cwd=clone).stdout)["origin"]


def test_the_bundle_of_another_repository_is_told_when_it_is_named(author: Path, victim: Path, run: Run) -> None:
    git(victim, "remote", "add", "origin", "https://example.org/us/victim")
    git(author, "remote", "add", "origin", "https://example.org/them/author")
    assert 0 == run("build", victim, *_KEYWORD).returncode
    shutil.copytree(victim / ".hardtack", author / ".hardtack")
    done = run("search", "honest", cwd=author)
    assert (6, True) == (done.returncode, "it says that it is of example.org/us/victim" in done.stderr)
    said = run("status", "-b", author).stdout
    assert "The bundle says that it is of example.org/us/victim, and the checkout is of example.org/them/author." in said
