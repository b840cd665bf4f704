"""Our reading of ``.gitignore`` against git's own, on random trees and random rules."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import tempfile
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = ["a", "b", "ab", "A", "a.b", "b.a", "é", "x y", "[a]", "#c", "!d", "-", "a ", "\\e", "aab", ".h"]
SEGMENTS = [*NAMES, "*", "?", "??", "a*", "*b", "*.b", "*a*", "*a*b", "**", "**", "[ab]", "[!a]", "[^b]*", "[a-c]", "[]a]", "[!]a]"]
SEGMENTS += [
    "[[:alpha:]]",
    "[[:upper:][:digit:]]",
    "[[:nope:]]",
    "[a",
    "[a-",
    "\\#c",
    "\\!d",
    "\\a",
    "a\\",
    "\\\\e",
    "\\[a\\]",
    "[\\]a]",
]
SEGMENTS += ["x\\ y", "a\\ ", "?*", "*?b", "[b-a]", "[a-]", "é?", "[[:alpha:]", "[[a]"]

paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)
directories = st.lists(st.sampled_from(NAMES), max_size=2).map("/".join)


@st.composite
def lines(draw: st.DrawFn) -> str:
    pattern = "/".join(draw(st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=4)))
    start = draw(st.sampled_from(["", "", "", "/", "!", "!", "!/", "#", " ", "//"]))
    end = draw(st.sampled_from(["", "", "", "/", "/", " ", "  ", "\t", "\r", "/ ", "//", "/**", "/*"]))
    return start + pattern + end


ignore_files = st.lists(lines(), min_size=1, max_size=5).flatmap(
    lambda some: st.sampled_from(["", "\n"]).map("\n".join(some).__add__)
)


def oracle() -> ModuleType:
    """The comparison that ``benchmarks/ignore_oracle.py`` makes on real checkouts."""
    place = Path(__file__).parents[4] / "benchmarks" / "ignore_oracle.py"
    spec = importlib.util.spec_from_file_location("ignore_oracle", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ORACLE = oracle()


def put(root: Path, path: str, content: str) -> None:
    """Write a file unless a part of its path is already something else."""
    place = root / path
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8", newline="")
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        pass


@settings(derandomize=True, max_examples=250, deadline=None, database=None)
@given(
    st.lists(paths, min_size=1, max_size=20, unique=True),
    st.dictionaries(directories, ignore_files, min_size=1, max_size=3),
    ignore_files,
    st.lists(paths, max_size=3),
)
def test_the_walk_finds_exactly_what_git_lists_whatever_the_rules_say(
    files: list[str], ignores: dict[str, str], exclude: str, tracked: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        for path in (*files, *tracked):
            put(root, path, "")
        for path, content in ignores.items():
            put(root, f"{path}/.gitignore" if path else ".gitignore", content)
        put(root, ".git/info/exclude", exclude)
        present = [path for path in tracked if (root / path).is_file()]
        subprocess.run(["git", "--literal-pathspecs", "add", "--force", "--", *present], cwd=root, check=True)

        assert sorted(ORACLE.paths_of_git(root)) == sorted(ORACLE.paths_of_walk(root))


def test_the_oracle_names_a_difference_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / "seen").write_text("")
    assert ORACLE.main([str(tmp_path)]) == 0
    monkeypatch.setattr(ORACLE, "paths_of_walk", lambda root: set())
    assert ORACLE.main([os.fspath(tmp_path)]) == 1
    assert "only git: b'seen'" in capsys.readouterr().out
