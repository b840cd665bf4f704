from __future__ import annotations

import pytest

from hardtack.build.source.paths import is_housekeeping, label_of, printable


@pytest.mark.parametrize(
    "path", ["a", "src/a b.py", "é/日本.md", "e\u0301", "README", "C:x", "con", "trailing. ", "👩\u200d💻.txt", "-rf", "$(id)"]
)
def test_an_odd_but_harmless_path_is_kept_as_it_is(path: str) -> None:
    assert path == label_of(path.encode())


@pytest.mark.parametrize(
    "raw",
    [
        *(b"/etc/passwd", b"../x", b"a/../x", b"a//b", b"./a", b"a/.", b"", b"a/", b"a\\b"),
        *(b"a\nb", b"a\0b", b"a\x1b[31m", b"a\x7f", b"caf\xe9", b"\xed\xa0\x80", "a\u202eb".encode(), "a\u2028b".encode()),
        *("a\U000e0041".encode(), "a\x85b".encode(), b"x" * 4097),
    ],
)
def test_a_path_that_could_leave_the_root_or_act_on_a_terminal_is_no_label(raw: bytes) -> None:
    assert label_of(raw) is None


def test_a_path_of_4096_bytes_is_the_longest_label() -> None:
    assert label_of(b"x" * 4096) == "x" * 4096


def test_what_is_shown_of_a_refused_path_is_printable_and_says_what_was_there() -> None:
    assert printable(b"a\nb\xe9\\c\xe2\x80\xaed") == "a\\x0ab\\xe9\\\\c\\u202ed"
    assert printable(b"x" * 5000) == "x" * 200 + "…"
    assert printable(bytes(range(256))).isprintable()


def test_version_control_s_own_directories_are_no_part_of_a_tree() -> None:
    kept = [
        path
        for path in (b".git/x", b"a/.hg/x", b".svn", b".hardtack/bundle/m", b".gitignore", b".github/w")
        if not is_housekeeping(path)
    ]
    assert kept == [b".gitignore", b".github/w"]
