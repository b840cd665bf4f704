from __future__ import annotations

import time

import pytest

from hardtack.build.source.ignore import decide, directories_above, line_that_ignores, parse_ignore_file, require_reasonable
from hardtack.errors import SourceUnreadable


def is_ignored(rules: str, path: str, *, base: str = "", is_directory: bool = False) -> bool:
    return decide((parse_ignore_file(rules.encode(), base.encode()),), path.encode(), is_directory=is_directory) is not None


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        ("a", "a", True),
        ("a", "x/a", True),
        ("/a", "x/a", False),
        ("x/a", "y/x/a", False),
        ("*.log", "deep/er/x.log", True),
        ("*.log\n!keep.log", "keep.log", False),
        ("!keep.log\n*.log", "keep.log", True),
        ("*.LOG", "x.log", False),
        ("**/b", "b", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "xa/b", False),
        ("a/**", "a", False),
        ("a/**", "a/x/y", True),
        ("a*/b", "a/x/b", False),
        ("a**b", "axyb", True),
        ("**/a/*/c/**/d", "z/a/a/c/x/d", True),
        ("a?c", "a/c", False),
        ("[!a]", "b", True),
        ("a\\ ", "a ", True),
        ("a  ", "a", True),
        ("a\r", "a", True),
        ("\ufeffa", "a", True),
        ("\\#a", "#a", True),
        ("#a", "#a", False),
        ("/", "a", False),
        ("[a", "[a", False),
        ("", "a", False),
    ],
)
def test_a_rule_means_what_gitignore_s_manual_says(rules: str, path: str, expected: bool) -> None:
    assert expected == is_ignored(rules, path)


def test_a_pattern_with_a_final_slash_matches_directories_alone() -> None:
    assert is_ignored("build/", "x/build", is_directory=True)
    assert not is_ignored("build/", "x/build")


def test_the_rules_of_a_nested_file_are_anchored_in_its_directory() -> None:
    assert is_ignored("/a", "sub/a", base="sub/")
    assert not is_ignored("/a", "sub/x/a", base="sub/")


def test_a_deeper_file_is_asked_first() -> None:
    chain = (parse_ignore_file(b"*.log", b""), parse_ignore_file(b"!keep.log", b"sub/"))
    assert decide(chain, b"sub/keep.log", is_directory=False) is None
    assert decide(chain, b"sub/other.log", is_directory=False) is not None


def test_the_deciding_line_is_named() -> None:
    chain = (parse_ignore_file(b"# data\n\n*.csv\n", b"sub/"),)
    assert line_that_ignores(chain, b"sub/x.csv", is_directory=False, file_name=b".hardtackignore") == "sub/.hardtackignore line 3"


@pytest.mark.parametrize("pattern", ["*a" * 40 + "b", "**/a/" * 40 + "b", "*[a]*?" * 30 + "b", "x/" + "*a" * 40 + "b"])
def test_a_hostile_pattern_takes_no_exponential_time(pattern: str) -> None:
    rules = parse_ignore_file(pattern.encode(), b"")
    started = time.process_time()
    decide((rules,), b"a" * 250, is_directory=False)
    decide((rules,), b"x/" + b"a" * 250, is_directory=False)
    decide((rules,), b"a/" * 1000 + b"a", is_directory=False)
    assert time.process_time() - started < 1


def test_directories_above_a_path_start_at_the_top() -> None:
    assert directories_above(b"a/b/c") == [b"", b"a/", b"a/b/"]
    assert directories_above(b"a/b/") == [b"", b"a/"]
    assert directories_above(b"") == []


def test_an_ignore_file_beyond_reason_is_refused_not_left_out() -> None:
    with pytest.raises(SourceUnreadable, match=r"sub/\.hardtackignore has 1048577 bytes"):
        require_reasonable(b"sub/.hardtackignore", (1 << 20) + 1)
