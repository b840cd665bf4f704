"""``hardtack diff`` in a checkout of git: two bundles, the working tree, what it prints, refuses and leaves with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bundles import built_commits
from checkouts import commit, git, write
from command_line import run_or_raise as run
from processes import hardtack

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.packing import write_pack
from hardtack.cli.diff import BREAKING
from hardtack.diff import revisions
from hardtack.diff.commit_process import build_commit
from hardtack.errors import BuildError, BundleNotFound

OLD = {
    "shop/stall.py": "def sell(what, many=1):\n    return what * many\n\n\ndef close(now):\n    return now\n\n\ndef _lock(): ...\n",
    "shop/stall.go": "package shop\n\ntype Seller interface {\n\tSell() error\n}\n\nfunc Pour(n int) {}\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\n',
    ".gitignore": ".hardtack\n",
}
NEW = {
    "shop/stall.py": "import os\n\n\ndef sell(what, many):\n    return what * many\n\n\ndef shut(): ...\n",
    "shop/stall.go": "package shop\n\ntype Seller interface {\n\tSell() error\n}\n\nfunc Pour(n int64) {}\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "2.0"\n',
}
GOLDEN = """\
old {old} -> new {new}
2 files of code changed; 5 symbols differ: 1 added, 2 removed, 2 with another signature

Breaks callers (3)
  shop/stall.go:7  function Pour
    parameter `n` takes `int64`, and took `int` (parameter-type-changed)
  shop/stall.py:4  function sell
    parameter `many` has no default any more (parameter-made-required)
  shop/stall.py:5  function close
    it is gone (removed)

Removed (1)
  shop/stall.py:9  function _lock

Added (1)
  shop/stall.py:8  function shut  (exported)

Imports and supertypes (1)
  shop/stall.py:1  gained: imports os

Projects (1)
  pyproject.toml  version: 1.0 -> 2.0
"""
MARKDOWN = """\
### Breaks callers (3)

- `shop/stall.go:7`  function `Pour`
  - parameter `n` takes `int64`, and took `int` (parameter-type-changed)
- `shop/stall.py:4`  function `sell`
  - parameter `many` has no default any more (parameter-made-required)
and 1 more; -n 3 shows all
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout at its second commit, and bundles of both commits."""
    return built_commits(tmp_path_factory.mktemp("compared"), old=OLD, new=NEW)


def test_it_groups_what_differs_and_says_what_breaks(place: Path) -> None:
    ids = dict(zip(("new", "old"), git(place / "shop", "log", "--format=%h", "--abbrev=12").split(), strict=True))
    assert GOLDEN.format(**ids) == run("diff", str(place / "old"), str(place / "new")).stdout


def test_markdown_counts_what_the_limit_leaves_out(place: Path) -> None:
    printed = run("diff", str(place / "old"), str(place / "new"), "--breaking", "--format", "markdown", "-n", "2").stdout
    assert MARKDOWN.replace("and 1 more", "- and 1 more") == printed.partition("\n\n")[2]


def test_json_has_those_that_break_first_and_counts_what_is_left_out(place: Path) -> None:
    document = json.loads(run("diff", str(place / "old"), str(place / "new"), "--json", "-n", "3").stdout)
    assert ("hardtack.diff/1", {"breaks": 3, "may_break": 0}) == (document["schema"], document["breaking"])
    assert ["Pour", "sell", "close"] == [(each.get("new") or each["old"])["name"] for each in document["symbols"]]
    assert {"symbols": 2} == document["left_out"]


def test_breaking_leaves_with_one_only_if_something_certainly_breaks(place: Path, tmp_path: Path) -> None:
    assert BREAKING == run("diff", str(place / "old"), str(place / "new"), "--breaking").return_value
    assert 0 == run("diff", str(place / "old"), str(place / "new")).return_value
    assert 0 == run("diff", str(place / "old"), str(place / "old"), "--breaking").return_value
    assert 0 == run("diff", str(place / "old"), str(place / "new"), "--breaking", "--path", "docs/**").return_value


def test_without_new_it_is_the_working_tree_that_is_compared(place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(place / "shop")
    assert 0 == hardtack("build", "--profile", "keyword", "-j", "1", "-q").returncode
    assert "no symbol differs" in run("diff", ".hardtack/bundle").stdout
    write(place / "shop", {"shop/stall.py": NEW["shop/stall.py"].replace("(what, many)", "(what, many, more)")})
    printed = run("diff", ".hardtack/bundle")
    assert "(working tree)" in printed.stdout
    assert "parameter `more` was added and has no default" in printed.stdout
    git(place / "shop", "checkout", "--quiet", ".")


def test_a_pack_is_a_bundle(place: Path, tmp_path: Path) -> None:
    pack = write_pack(place / "new", tmp_path / "new.hardtack").path
    assert "Breaks callers (3)" in run("diff", str(place / "old"), str(pack)).stdout


def test_what_is_neither_a_bundle_nor_a_commit_says_how_to_get_one(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place / "shop")
    for name in ("no-such-bundle", "HEAD~99", "HEAD:shop/stall.py", "-q", "--all", "HEAD\n", "x" * 9999):
        with pytest.raises(BundleNotFound) as caught:
            run("diff", str(place / "new"), "--", name)
        assert "hardtack pull --commit" in caught.value.hint


@pytest.fixture
def edited(place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A checkout of two commits that nobody has built, and a cache without bundles."""
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    git(tmp_path, "clone", "--quiet", "--no-hardlinks", str(place / "shop"), "mine")
    git(tmp_path / "mine", "remote", "set-url", "origin", "https://example.org/acme/shop")
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path / "mine"


def test_a_revision_is_built_once_from_the_commit_and_compared(edited: Path) -> None:
    found = run("diff", "HEAD~1", "HEAD", "--breaking")
    assert "it is gone (removed)" in found.stdout
    assert "No bundle of HEAD~1 is installed: commit" in found.stderr
    assert "is built now" in found.stderr
    assert BREAKING == found.return_value
    again = run("diff", "HEAD~1", "HEAD", "--breaking")
    assert found.stdout == again.stdout
    assert "was built before" in again.stderr
    assert "built now" not in again.stderr
    write(edited, {"shop/stall.py": "def sell(what): ...\n"})  # the commit is read, not the files
    assert found.stdout == run("diff", "HEAD~1", "HEAD", "--breaking").stdout


def test_a_revision_without_any_bundle_is_compared_with_the_working_tree(edited: Path) -> None:
    write(edited, {"shop/stall.py": NEW["shop/stall.py"].replace("(what, many)", "(what, many, more)")})
    assert "parameter `more` was added and has no default" in run("diff", "HEAD").stdout


def test_what_is_kept_takes_over_nothing_from_a_bundle_that_was_only_named(edited: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever made that bundle could otherwise decide what later answers say of the commit."""
    bases: list[Path | None] = []

    def noted(*arguments: Any, **named: Any) -> None:
        bases.append(named["base"])
        build_commit(*arguments, **named)

    monkeypatch.setattr(revisions, "build_commit", noted)
    build_bundle(edited, edited.parent / "theirs", BuildOptions(profile="keyword", jobs=1))
    run("diff", "HEAD~1", str(edited.parent / "theirs"))
    assert [None] == bases
    run("build", ".", "--profile", "keyword", "-q")
    run("diff", "HEAD~1", "--any-repository", "--exported", "-n", "1")
    git(edited, "commit", "--quiet", "--allow-empty", "-m", "empty")
    run("diff", "HEAD", str(edited.parent / "theirs"))
    assert [None, edited / ".hardtack" / "bundle"] == bases


def test_an_installed_bundle_of_the_commit_is_taken(edited: Path, place: Path, tmp_path: Path) -> None:
    write_pack(place / "old", tmp_path / "old.hardtack")
    run("install", str(tmp_path / "old.hardtack"))
    found = run("diff", "HEAD~1", str(place / "new"))
    assert "is the bundle acme-shop" in found.stderr
    assert "built" not in found.stderr


def test_a_commit_that_lacks_the_directory_is_refused_in_a_sentence(edited: Path, tmp_path: Path) -> None:
    commit(write(edited, {"later/a.py": "A = 1\n"}))
    build_bundle(edited / "later", tmp_path / "later", BuildOptions(profile="keyword", jobs=1))
    with pytest.raises(BuildError, match="is no part of commit"):
        run("diff", "HEAD~1", str(tmp_path / "later"))
