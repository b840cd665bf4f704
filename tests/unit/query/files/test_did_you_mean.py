"""What is suggested for a path that is not there."""

from __future__ import annotations

import pytest

from hardtack.query.files.did_you_mean import nearest_paths

PATHS = sorted(
    [
        *("README.md", "src/core.py", "src/http/client.py", "src/http/errors.py", "tests/client.py", "tests/http/client.py"),
        *(f"data/{number:04}/value{number}.txt" for number in range(400)),
        "data/values.txt",
    ]
)


@pytest.mark.parametrize(
    ("missing", "suggested"),
    [
        ("lib/http/client.py", ["src/http/client.py", "tests/http/client.py", "tests/client.py"]),
        ("tests/http/clients.py", ["tests/http/client.py"]),
        ("readme.MD", ["README.md"]),
        ("src/http/error.py", ["src/http/errors.py"]),
        ("src/error.py", ["src/http/errors.py"]),
        ("data/vallues.txt", ["data/values.txt"]),
        ("src/core", ["src/core.py"]),
        ("src/tools.py", []),
        ("zzz", []),
        ("", []),
    ],
)
def test_the_same_name_comes_first_and_then_a_like_one_near_by(missing: str, suggested: list[str]) -> None:
    assert suggested == nearest_paths(missing, PATHS)[: max(len(suggested), 1)]


def test_no_more_than_five_are_suggested() -> None:
    assert [f"{letter}/x.py" for letter in "abcde"] == nearest_paths("x.py", [f"{letter}/x.py" for letter in "abcdefg"])


def test_what_is_no_path_by_its_length_is_not_compared() -> None:
    assert ["README.md"] == nearest_paths(f"{'a/' * 1000}README.md", PATHS)
    assert [] == nearest_paths(f"{'a/' * 3000}README.md", PATHS)
