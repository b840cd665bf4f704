"""A name of several symbols: which command is named, and that it does what is said of it."""

from __future__ import annotations

import shlex
from pathlib import Path

import command_line
import pytest
from checkouts import write

from hardtack.build.pipeline import BuildOptions, build_bundle

TREE = {
    "shop/cart.py": b"class Cart:\n    def add(self, jar): ...\n\n\ndef total(jars):\n    return Cart().add(jars)\n",
    "shop/bag.py": b"class Bag:\n    def add(self, jar): ...\n\n\ndef total(jars):\n    return Bag().add(jars)\n",
    "depot/bag.py": b"class Bag:\n    def add(self, jar):\n        return [jar]\n\n\ndef use():\n    return Bag().add(1)\n",
    "a b/odd name.py": b"class Cart:\n    def add(self):\n        return 1\n",
}


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("twins")
    write(root / "tree", TREE)
    build_bundle(root / "tree", root / "bundle", BuildOptions(profile="keyword", jobs=1))
    return root / "bundle"


def _commands(text: str) -> list[list[str]]:
    return [shlex.split(line) for line in text.splitlines() if line.startswith("  hardtack ")]


@pytest.mark.parametrize(
    ("verb", "name", "count"),
    [
        *(("function", "add", 4), ("function", "total", 2), ("define", "Bag", 2), ("define", "Cart", 2)),
        *(("callers", "add", 4), ("references", "Bag", 2)),
    ],
)
def test_each_command_that_is_named_means_one_symbol(twins: Path, verb: str, name: str, count: int) -> None:
    asked = command_line.run_or_raise(verb, name, "-b", twins)
    assert f"hardtack: {count} symbols are called {name}. For one of them, type" in asked.stderr
    named = _commands(asked.stderr)
    assert 1 <= len(named) <= 3
    for command in named:
        assert [verb, "-b", str(twins)] == [command[1], *command[-2:]]
        narrowed = command_line.run_or_raise(*command[1:])
        assert "symbols are called" not in narrowed.stderr
        if verb in ("define", "function"):
            assert narrowed.stdout.startswith(f"# {name}\n")
    assert len(named) == len({tuple(command) for command in named})


def test_what_narrowed_already_stays(twins: Path) -> None:
    asked = command_line.run_or_raise("function", "add", "--class", "Bag", "-b", twins)
    assert _commands(asked.stderr)
    assert all(["--class", "Bag"] == command[3:5] for command in _commands(asked.stderr))


def test_a_path_with_blanks_is_quoted_for_the_shell(twins: Path) -> None:
    commands = _commands(command_line.run_or_raise("define", "Cart", "-b", twins).stderr)
    assert any("a b" in word for command in commands for word in command)


def test_several_symbols_are_one_place_a_line_and_their_markdown_is_asked_for(twins: Path) -> None:
    asked = command_line.run_or_raise("function", "total", "-b", twins)
    expected = [f"shop/{name}.py:5:1: def total(jars)  [function total]" for name in ("bag", "cart")]
    assert expected == asked.stdout.splitlines()
    assert command_line.run_or_raise("function", "total", "-b", twins, "--format", "markdown").stdout.startswith("2 symbols have")
    assert "shop/bag.py:1\nshop/cart.py:1\n" == command_line.run_or_raise("function", "total", "-b", twins, "-c").stdout
