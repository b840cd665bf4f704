"""Whatever the bytes, an outline comes back in time and keeps its promises about spans and order."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.build.languages.registry import Language, detect, languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.outline import Outline, ParseStatus

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
SOURCES = {path: path.read_bytes() for path in sorted(FIXTURES.glob("*/*/input.*"))}
PARSED = [language for language in languages().values() if language.has_query or language.has_cutter]
NESTED = {"json": b'{"k":', "html": b"<p id=a>", "xml": b"<g id='a'>", "yaml": b"[", "css": b"a{", "make": b"$("}
ONE_LINE = {
    "json": b'{"key": [1, 2], "other": "text"},',
    "css": b".a{color:red}",
    "markdown": b"# a `b` *c* ",
    "python": b"x = 1; ",
}


def check(outline: Outline, text: bytes) -> None:
    """Spans lie in the text and in each other, parents precede and hold their children, order is by extent."""
    previous = 0
    for index, symbol in enumerate(outline.symbols):
        extent, span, selection = symbol.extent, symbol.span, symbol.selection
        assert 0 <= extent.start <= span.start <= selection.start < selection.end <= span.end <= extent.end <= len(text)
        assert previous <= extent.start
        previous = extent.start
        for part in (extent, span, selection):
            assert text.count(b"\n", 0, part.start) + 1 == part.start_line
            assert text.count(b"\n", 0, part.end - 1) + 1 == part.end_line
        assert symbol.name
        assert -1 <= symbol.parent < index
        if symbol.parent >= 0:
            parent = outline.symbols[symbol.parent].span
            assert parent.start <= extent.start
            assert span.end <= parent.end


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_spans_nest_and_lines_agree_with_bytes(path: Path) -> None:
    text = SOURCES[path]
    for variant in (text, text.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + text):
        check(outline_of(variant, detect(path.name, text)), variant)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(sorted(SOURCES)), st.data())
def test_source_with_a_piece_cut_out_keeps_the_promises(path: Path, data: st.DataObject) -> None:
    text = SOURCES[path].decode()
    start = data.draw(st.integers(0, len(text)))
    cut = text[:start] + text[start + data.draw(st.integers(1, 60)) :]
    language = detect(path.name, SOURCES[path])
    check(outline_of(cut.encode(), language), cut.encode())


@pytest.mark.parametrize("language", PARSED, ids=lambda language: language.id)
def test_hostile_text_comes_back_in_time(language: Language) -> None:
    noise = random.Random(7).randbytes(20_000).decode("latin-1").encode()
    cases = {
        "empty": b"",
        "a line feed": b"\n",
        "brackets": NESTED.get(language.id, b"(") * 10_000,
        "quotes": b"> " * 10_000,
        "nuls": b"\0" * 10_000,
        "noise": noise,
        "one line": ONE_LINE.get(language.id, b"x y ") * 20_000,
    }
    for name, text in cases.items():
        start = time.process_time()
        outline = outline_of(text, language, deadline_s=2.0)
        assert time.process_time() - start < 8, name
        assert outline.status in {ParseStatus.OK, ParseStatus.PARTIAL, ParseStatus.ERROR}
        if len(outline.symbols) < 2_000:
            check(outline, text)


def test_a_long_line_of_many_definitions_costs_no_more_than_its_length() -> None:
    text = b"{" + b",".join(b'"k%d": {"a": 1}' % number for number in range(40_000)) + b"}"
    start = time.process_time()
    assert len(outline_of(text, languages()["json"]).symbols) == 80_000
    assert time.process_time() - start < 15
