"""``hardtack impact`` in a checkout of git: names, two bundles, the working tree; lists, arguments of runners, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bundles import built_commits
from checkouts import git
from command_line import run_or_raise as run

from hardtack.cli.exits import NOTHING_FOUND
from hardtack.errors import NotFound, UsageError

OLD = {
    "shop/jar.py": "def fill(what):\n    return what\n\n\ndef lid():\n    return 1\n",
    "shop/stall.py": "from shop.jar import fill\n\n\ndef sell(what):\n    return fill(what)\n",
    "tests/test_stall.py": "from shop.stall import sell\n\n\ndef test_sell():\n    assert sell(1)\n",
    ".gitignore": ".hardtack\n",
}
NEW = {"shop/jar.py": OLD["shop/jar.py"].replace("return what", "return [what]")}
GOLDEN = """\
shop/jar.py:1:1: function fill  [changed: body]
shop/stall.py:5:12: return fill(what)  [distance 1, exact, to fill, in sell]
tests/test_stall.py:4:1: test_sell  [test, leads to fill in 2 steps, exact]
"""
MARKDOWN = """\
1 symbol changed, 1 place reached within 1 step, 1 test affected in 1 of 1 test file.

### Changed (1)

- function `fill` `shop/jar.py:1`: body

### Reached (1)

- `sell` `shop/stall.py:5`: distance 1, exact, to `fill`

### Tests (1)

- `test_sell` `tests/test_stall.py:4`: leads to fill in 2 steps, exact
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout at its second commit, and bundles of both commits."""
    return built_commits(tmp_path_factory.mktemp("reached"), old=OLD, new=NEW)


def test_two_bundles_are_printed_as_lines_of_places(place: Path) -> None:
    printed = run("impact", "-b", str(place / "new"), "--diff", str(place / "old"))
    assert GOLDEN == printed.stdout
    assert "1 symbol changed, 1 place reached within 1 step, 1 test affected in 1 of 1 test file." in printed.stderr


def test_the_same_in_markdown_json_and_lines_of_json(place: Path) -> None:
    given = ("impact", "-b", str(place / "new"), "--diff", str(place / "old"))
    assert MARKDOWN == run(*given, "--format", "markdown").stdout
    document = json.loads(run(*given, "--json").stdout)
    assert ("hardtack.impact/1", "sell", "test_sell") == (
        document["schema"],
        document["reached"][0]["name"],
        document["tests"][0]["name"],
    )
    lines = [json.loads(line)["list"] for line in run(*given, "--format", "jsonl").stdout.splitlines()]
    assert ["target", "reached", "test"] == lines


def test_counts_and_a_limit(place: Path) -> None:
    given = ("impact", "-b", str(place / "old"), "fill", "lid")
    assert "shop/stall.py:1\ntests/test_stall.py:1\n" == run(*given, "-c").stdout
    assert "1 more is left out" in run(*given, "-n", "1").stderr


def test_a_runner_gets_arguments_alone(place: Path) -> None:
    given = ("impact", "-b", str(place / "new"), "--diff", str(place / "old"), "--tests")
    assert "tests/test_stall.py::test_sell\n" == run(*given, "pytest").stdout
    other = run(*given, "go")
    assert ("", NOTHING_FOUND) == (other.stdout, other.return_value)
    assert "1 affected test is left out: go cannot be given them" in other.stderr


def test_without_names_it_is_what_the_working_tree_changes(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = tmp_path / "shop"
    git(place, "clone", "-q", str(place / "shop"), str(tree))
    monkeypatch.chdir(tree)
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    run("build", ".", "--profile", "keyword")
    unchanged = run("impact")
    assert (NOTHING_FOUND, True) == (unchanged.return_value, "0 symbols changed, 0 places reached" in unchanged.stderr)
    (tree / "shop/jar.py").write_text(OLD["shop/jar.py"].replace("return 1", "return 2"))
    assert "shop/jar.py:5:1: function lid  [changed: body]" in run("impact").stdout


def test_what_does_not_go_together_is_refused(place: Path) -> None:
    with pytest.raises(UsageError, match="Names and --diff"):
        run("impact", "-b", str(place / "new"), "fill", "--diff", str(place / "old"))
    with pytest.raises(UsageError, match="narrow names"):
        run("impact", "-b", str(place / "new"), "--diff", str(place / "old"), "--class", "Jar")
    with pytest.raises(NotFound, match="Nothing is called pour"):
        run("impact", "-b", str(place / "new"), "pour")
