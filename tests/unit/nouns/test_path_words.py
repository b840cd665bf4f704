"""A file is secondary by the words of its path, as this regular expression defines."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardtack.nouns.path_words import has_secondary_word

SECONDARY = re.compile(
    r"(?:^|[/_.-])(?:tests?|testing|specs?|bench(?:es|marks?)?|examples?|samples?|demos?|mocks?|fixtures?|legacy|deprecated|compat"
    r"|vendor|third_party|generated|internal_?docs?)(?:[/_.-]|$)"
)
PIECES = st.sampled_from(
    [
        *(
            "test",
            "tests",
            "testing",
            "spec",
            "specs",
            "bench",
            "benches",
            "benchmark",
            "examples",
            "sample",
            "demos",
            "mock",
            "fixtures",
        ),
        *(
            "legacy",
            "deprecated",
            "compat",
            "vendor",
            "third",
            "party",
            "generated",
            "internal",
            "doc",
            "docs",
            "internaldoc",
            "internaldocs",
        ),
        *("src", "contest", "es", "s", "a", "attest", "é", "", "/", "/", "/", "_", "_", ".", "-", "v1"),
    ]
)


@given(path=st.lists(PIECES, max_size=9).map("".join))
@example(path="third_party")
@example(path="a/internal_docs/b")
@example(path="internal-docs")
def test_words_are_found_where_the_expression_finds_them(path: str) -> None:
    assert has_secondary_word(path) is (SECONDARY.search(path) is not None)


@pytest.mark.parametrize("path", ["tests/a.py", "src/a_test.go", "a.spec.ts", "my-examples/b", "x/third_party/y", "bench"])
def test_tests_examples_and_what_others_wrote_stand_aside(path: str) -> None:
    assert has_secondary_word(path)


@pytest.mark.parametrize("path", ["src/contest.py", "latest/a", "party/third/a", "inspect.py", ""])
def test_what_only_has_such_a_word_in_another_does_not(path: str) -> None:
    assert not has_secondary_word(path)
