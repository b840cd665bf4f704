"""Whatever the files hold and wherever their blocks are cut, a search finds the lines that looking at each line finds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from types import SimpleNamespace
from typing import cast
from unittest.mock import patch

import re2
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardtack.bundle.format import text as text_module
from hardtack.bundle.format.text import TextStore, TextWriter
from hardtack.bundle.indexes.ngrams import RunIndex, RunsWriter
from hardtack.bundle.reader import Bundle
from hardtack.query.files.grep import GrepResult, LineMatch, grep
from hardtack.query.files.patterns import required_text

ALPHABET = "ab_ .(\n\n\r\u00e9\u4e2d"
texts = st.lists(st.text(ALPHABET, max_size=60) | st.just("a" * 150), max_size=6)
wanted = st.text("ab_ .(\r\u00e9\u4e2d", min_size=1, max_size=8) | st.sampled_from(
    ["a" * 70, "a" * 150, "\n", "a\nb", "b" * 62 + "\u4e2d"]
)
PATTERNS = (
    *(
        "a",
        "a+b",
        "^a",
        "b$",
        "^$",
        "a.b",
        "x*",
        ".*",
        "[^a]b",
        r"\s",
        r"(a|b)_",
        "(?i)A_B",
        r"a\.b",
        "a{2,3}b",
        "ab?_",
        r"\(",
    ),
    *(
        "\u00e9.",
        "(a+)+$",
        "[]a]_",
        "[^]a]_",
        r"a\x62",
        r"[[:alpha:]]_",
        r"\bab\b",
        "(?:ab)+_",
        r"\Qa.b\E",
        "ab|_a",
        r"\pL_",
        "(?P<n>a)b",
    ),
)
patterns = st.sampled_from(PATTERNS) | st.lists(
    st.sampled_from(["a", "b", "_", ".", "a+", "b*", "(ab)", "(a|_)", "[ab]", r"\.", r"\w", "^", "$", "b?", "a{2}", "|"]),
    min_size=1,
    max_size=6,
).map("".join)
sizes = st.sampled_from([1, 3, 16, 64, 1000])


@dataclass
class Stored:
    """As much of a bundle as a search asks for, with blocks of any size."""

    files: list[str]
    text: TextStore
    runs: RunIndex

    @property
    def text_starts(self) -> list[int]:
        return list(accumulate((len(each.encode()) for each in self.files), initial=0))

    @property
    def manifest(self) -> SimpleNamespace:
        return SimpleNamespace(counts=SimpleNamespace(files=len(self.files)))

    def file(self, ordinal: int) -> SimpleNamespace:
        return SimpleNamespace(path=f"{ordinal:03}")


def bundle_of(files: list[str], size: int) -> Bundle:
    with patch.object(text_module, "BLOCK_SIZE", size):
        writer, runs = TextWriter([]), RunsWriter(size)
        for each in files:
            writer.add(each.encode())
            runs.add(each.encode())
        store = TextStore("text.blocks", memoryview(b"".join(writer.render())))
    index = RunIndex(memoryview(b"".join(runs.render())), blocks=store.block_count, text_bytes=store.length)
    return cast("Bundle", Stored(files, store, index))


def lines_of(text: str) -> list[str]:
    lines = re.split("\r?\n", text)
    return lines if lines[-1] else lines[:-1]


def everything(bundle: Bundle, query: str, *, regex: bool = False, files: list[int] | None = None) -> list[LineMatch]:
    found = grep(bundle, query, limit=10**6, regex=regex, files=files)
    assert not found.truncated
    return list(found.matches)


@settings(max_examples=200)
@given(texts, wanted, sizes)
@example(["a\r\n", "\r\na"], "\r", 3)
@example(["b(", "a\n"], "(a", 1)
@example(["ab" * 40 + "\nab"], "ba", 16)
def test_each_line_that_has_the_text_is_found_once_and_no_other(files: list[str], query: str, size: int) -> None:
    expected = [
        LineMatch(f"{ordinal:03}", number, line)
        for ordinal, text in enumerate(files)
        for number, line in enumerate(lines_of(text), start=1)
        if query in line
    ]
    assert expected == everything(bundle_of(files, size), query)


@settings(max_examples=200)
@given(texts, patterns, sizes)
def test_each_line_that_a_pattern_matches_is_found_once_and_no_other(files: list[str], pattern: str, size: int) -> None:
    try:
        program = re2.compile(pattern)
    except re2.error:
        return
    expected = [
        LineMatch(f"{ordinal:03}", number, line)
        for ordinal, text in enumerate(files)
        for number, line in enumerate(lines_of(text), start=1)
        if program.search(line)
    ]
    assert expected == everything(bundle_of(files, size), pattern, regex=True)


@settings(max_examples=60)
@given(texts, wanted, sizes, st.lists(st.integers(0, 5), unique=True), st.integers(1, 3))
def test_pages_of_any_choice_of_files_in_any_order_make_the_whole(
    files: list[str], query: str, size: int, chosen: list[int], limit: int
) -> None:
    bundle = bundle_of(files, size)
    chosen = [ordinal for ordinal in chosen if ordinal < len(files)]
    expected = [line for ordinal in chosen for line in everything(bundle, query) if line.path == f"{ordinal:03}"]
    pages: list[LineMatch] = []
    page = GrepResult(matches=(), truncated=True, reached=None)
    while page.truncated:
        page = grep(bundle, query, files=chosen, limit=limit, after=page.reached)
        assert len(page.matches) <= limit
        pages += page.matches
    assert expected == pages


@settings(max_examples=150)
@given(patterns, st.text("ab_. ", max_size=12))
def test_what_a_pattern_matches_has_the_text_that_it_requires(pattern: str, line: str) -> None:
    try:
        matches = re2.search(pattern, line)
    except re2.error:
        return
    assert not matches or required_text(pattern) in line
