"""Path globs against a matcher that tries everything."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.query.request.globs import matching, path_predicate


def _is_match(glob: str, text: str) -> bool:
    """Whether the whole of ``text`` is what ``glob`` describes, by trying every length for every wildcard."""
    if not glob:
        return not text
    if glob.startswith("**/"):
        rests = [text, *(text[at + 1 :] for at, letter in enumerate(text) if letter == "/" and "//" not in "/" + text[: at + 1])]
        return any(_is_match(glob[3:], rest) for rest in rests)
    if glob.startswith("**"):
        return any(_is_match(glob[2:], text[at:]) for at in range(len(text) + 1))
    if glob[0] == "*":
        longest = len(text.partition("/")[0])
        return any(_is_match(glob[1:], text[at:]) for at in range(longest + 1))
    if glob[0] == "?":
        return bool(text) and text[0] != "/" and _is_match(glob[1:], text[1:])
    return text[:1] == glob[0] and _is_match(glob[1:], text[1:])


def _takes(glob: str, path: str) -> bool:
    """The rules of the module's docstring, one after another."""
    borders = [at for at, letter in enumerate(path) if letter == "/"]
    if "/" not in glob:
        starts = [0, *(at + 1 for at in borders)]
        return any(_is_match(glob, path[start:end]) for start in starts for end in (*borders, len(path)) if start <= end)
    if glob.endswith("/"):
        glob = glob.lstrip("/")
        return any(_is_match(glob, path[:end]) for end in (0, *(at + 1 for at in borders)))
    return any(_is_match(glob.removeprefix("/"), path[:end]) for end in (*borders, len(path)))


_PATHS = st.lists(st.text("ab.", min_size=1, max_size=3), min_size=1, max_size=4).map("/".join)
_GLOBS = st.lists(st.sampled_from(["a", "b", ".", "/", "*", "**", "**/", "?"]), min_size=1, max_size=6).map("".join)
# ``a**/``, where ``**`` is no whole component, means nothing that anyone would expect
_GLOBS = _GLOBS.filter(lambda glob: re.search(r"[^/]\*\*/", glob) is None)


@given(_GLOBS, _PATHS)
def test_a_glob_takes_the_paths_its_rules_describe(glob: str, path: str) -> None:
    assert _takes(glob, path) == path_predicate([glob])(path)


@given(st.lists(_GLOBS, min_size=1, max_size=3), _PATHS)
def test_any_of_several_globs_may_match(globs: list[str], path: str) -> None:
    assert any(path_predicate([glob])(path) for glob in globs) == path_predicate(globs)(path)


@given(_PATHS)
def test_a_path_is_a_glob_for_itself_and_for_what_lies_below_it(path: str) -> None:
    assert (True, True) == (path_predicate([path])(path), path_predicate([path])(f"{path}/below"))


def _takes_anchored(glob: str, path: str) -> bool:
    """The rules for a glob that is held against the whole path."""
    if glob.endswith("/"):
        return _is_match(f"{glob}**", path)
    if "*" not in glob and "?" not in glob:
        return path == glob or path.startswith(f"{glob}/")
    return _is_match(glob, path)


@given(_GLOBS.filter(lambda glob: not glob.startswith("/")), st.lists(_PATHS, max_size=8).map(sorted))
def test_an_anchored_glob_takes_the_paths_its_rules_describe(glob: str, paths: list[str]) -> None:
    assert [_takes_anchored(glob, path) for path in paths] == matching(glob, paths)


@pytest.mark.parametrize(
    ("glob", "taken", "left"),
    [
        ("*.py", ["a.py"], ["src/a.py", "a.pyc"]),
        ("src", ["src", "src/a.py", "src/b/c.py"], ["lib/src/a.py", "source/a.py"]),
        ("src/", ["src/a.py", "src/b/c.py"], ["src", "lib/src/a.py"]),
        ("src/*", ["src/a.py"], ["src/b/c.py", "src"]),
        ("src/**", ["src/a.py", "src/b/c.py"], ["src", "lib/src/a.py"]),
        ("src/**/*.py", ["src/a.py", "src/b/c/a.py"], ["src/a.go", "a.py"]),
        ("src/**/", ["src/a.py", "src/b/c.py"], ["a.py"]),
        ("**/*.md", ["README.md", "docs/a.md"], ["README.mdx"]),
        ("a**/c.py", ["a/c.py", "ab/c.py", "ab/b/c.py"], ["ac.py", "b/c.py"]),
        ("?.py", ["a.py"], ["ab.py", "a/b.py"]),
        ("a?b", ["aXb"], ["a/b", "aXb/c"]),
        ("a/" * 2000 + "**", ["a/" * 2000 + "b"], ["a/b"]),
    ],
)
def test_anchored_globs_as_people_write_them(glob: str, taken: list[str], left: list[str]) -> None:
    paths = [*taken, *left]
    assert [*taken] == [path for path, matches in zip(paths, matching(glob, paths), strict=True) if matches]


@pytest.mark.parametrize(
    ("glob", "taken", "left"),
    [
        ("*.py", ["a.py", "src/a.py", "src/b/a.py"], ["a.pyc", "a.py.txt"]),
        ("src", ["src/a.py", "lib/src/a.py", "src"], ["source/a.py", "a/src.py"]),
        ("src/", ["src/a.py", "src/b/c.py"], ["lib/src/a.py", "src"]),
        ("src/*.py", ["src/a.py"], ["src/b/a.py", "a/src/a.py"]),
        ("src/**/*.py", ["src/a.py", "src/b/c/a.py"], ["src/a.go"]),
        ("**/test_*.py", ["test_a.py", "a/b/test_c.py"], ["a/b/c.py"]),
        ("/a.py", ["a.py"], ["b/a.py"]),
        ("a?c.py", ["abc.py"], ["ac.py", "a/c.py"]),
        ("[ab].py", ["[ab].py"], ["a.py"]),
        ("a+b(c).py", ["a+b(c).py"], ["aab(c).py"]),
        ("**", ["a", "a/b/c"], []),
        ("line*", ["line\nbreak.py"], []),
    ],
)
def test_globs_as_people_write_them(glob: str, taken: list[str], left: list[str]) -> None:
    matches = path_predicate([glob])
    assert [*taken] == [path for path in (*taken, *left) if matches(path)]
