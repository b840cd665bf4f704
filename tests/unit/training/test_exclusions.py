"""What is kept out of the training pairs: names, directories, and copies by content."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from exclusions import BENCHMARK_HELD_OUT, KnownText, index_of, is_excluded_name, is_excluded_path, windows_of, without_comments

FUNCTION = """
def merge_settings(request, session, factory=dict):
    # the session's come first
    merged = factory(session.items())
    merged.update(request.items())
    for key in [key for key, value in merged.items() if value is None]:
        del merged[key]
    return merged
"""

OTHER = """
func (pool *Pool) Release(connection net.Conn, broken bool) error {
	pool.mutex.Lock()
	defer pool.mutex.Unlock()
	if broken || len(pool.idle) >= pool.limit {
		return connection.Close()
	}
	pool.idle = append(pool.idle, connection)
	return nil
}
"""


@pytest.fixture
def known(tmp_path: Path) -> KnownText:
    np.save(tmp_path / "known.npy", index_of([b"import os\n" + FUNCTION.encode() + b"\nsettings = 1\n"]))
    return KnownText(tmp_path / "known.npy")


@pytest.mark.parametrize("name", BENCHMARK_HELD_OUT)
def test_every_held_out_repository_is_excluded_by_its_own_name(name: str) -> None:
    assert is_excluded_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("golang-github-spf13-cobra", "python3-flask", "haskell-aeson", "ruby-rack", "rust-serde-json", "node-express", "zod"),
        *("@trpc/server", "php-guzzlehttp-psr7", "illuminate/support", "@reduxjs/toolkit", "rust-tokio-util", "nlohmann-json3"),
        *(
            "pydantic-core",
            "libcommons-lang3-java",
            "typelevel/cats-effect",
            "@vitest/runner",
            "haskell-http4s",
            "Kotlin/kotlinx.coroutines",
        ),
    ],
)
def test_packages_made_from_benchmark_repositories_are_excluded(name: str) -> None:
    assert is_excluded_name(name)


@pytest.mark.parametrize(
    "name", ["ruby-racket", "haskell-parsec", "golang-github-stretchr-testify", "react", "concatenate", "fmtools"]
)
def test_other_packages_are_not_excluded(name: str) -> None:
    assert not is_excluded_name(name)


def test_a_directory_called_like_a_benchmark_repository_excludes_what_is_in_it() -> None:
    assert is_excluded_path("external/abseil-cpp/base/call.h")
    assert is_excluded_path("include/spdlog/fmt/format.h")
    assert not is_excluded_path("src/format/fmt.c")


def test_a_verbatim_copy_is_known(known: KnownText) -> None:
    assert known.holds_code(FUNCTION)


def test_a_copy_in_another_layout_without_its_comment_is_known(known: KnownText) -> None:
    copy = FUNCTION.replace("    # the session's come first\n", "").replace("\n    ", "\n\t").replace("(request", "( request")
    assert known.holds_code(copy)


def test_a_copy_with_other_comments_is_known(known: KnownText) -> None:
    assert known.holds_code(
        FUNCTION.replace("# the session's come first", "# what the caller says wins over everything else there is")
    )


def test_an_edited_copy_is_known(known: KnownText) -> None:
    assert known.holds_code(FUNCTION.replace("return merged", "return OrderedDict(merged)"))


def test_code_of_its_own_is_not_known(known: KnownText) -> None:
    assert not known.holds_code(OTHER)


def test_nothing_is_not_a_copy(known: KnownText) -> None:
    assert not known.holds("")
    assert not known.holds_code("// no words but a comment's\n")


def test_a_text_has_one_window_for_every_eight_words() -> None:
    assert len(windows_of(b"one two three four five six seven eight")) == 1
    assert len(windows_of(b"one two three four five six seven eight nine")) == 2
    assert len(windows_of(b"one two")) == 1
    assert len(windows_of(b"...")) == 0


def test_windows_do_not_depend_on_case_layout_and_punctuation() -> None:
    assert windows_of(b"If (a < B) { return c(d, e, f); } g h").tolist() == windows_of(b"if a b\n\treturn c d e f g h").tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a /* b\n c */ d", b"a   d"),
        (b"a\n  // b\nc", b"a\n \nc"),
        (b"#include <a>\n# b\nc", b"#include <a>\n \nc"),
        (b"x = {- y -} z", b"x =   z"),
        (b'def f():\n    """g\n    h"""\n    return 1', b"def f():\n \n    return 1"),
    ],
)
def test_comments_are_taken_out(text: bytes, expected: bytes) -> None:
    assert without_comments(text) == expected
