"""How files are cut, case by case; what holds for every file is in ``tests/property/test_chunks_tile.py``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.chunks import chunks_of
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.model import Kind, Span
from hardtack.nouns.outline import Chunk, Symbol

LINE = "    total = add(total, 'some words to fill a line')\n"  # 52 characters, 13 tokens


def _cut(source: str, language: str = "python") -> tuple[tuple[Symbol, ...], tuple[Chunk, ...]]:
    text = source.encode()
    symbols = outline_of(text, languages()[language]).symbols
    return symbols, chunks_of(text, symbols)


def _lines(chunks: tuple[Chunk, ...]) -> list[tuple[int, int]]:
    return [(chunk.span.start_line, chunk.span.end_line) for chunk in chunks]


def _function(name: str, lines: int) -> str:
    return f"def {name}():\n" + LINE * lines


@pytest.mark.parametrize("source", ["", "\n", " \t\r\n\n\x0c\n"])
def test_a_blank_file_has_no_chunks(source: str) -> None:
    assert () == _cut(source)[1]


def test_a_small_file_is_one_chunk_with_all_its_symbols() -> None:
    symbols, (chunk,) = _cut("import os\n\n\nclass A:\n    def b(self): ...\n\n\nC = 1\n")
    assert ["A", "b", "C"] == [symbol.name for symbol in symbols]
    assert (0, 3, -1, 1, 1) == (chunk.first_symbol, chunk.symbol_count, chunk.enclosing, chunk.part, chunk.parts)
    assert (1, 8) == (chunk.span.start_line, chunk.span.end_line)


def test_blank_lines_around_a_chunk_are_no_part_of_it() -> None:
    _, (chunk,) = _cut("\n\n  \n    indented = 1\n\n\n", "text")
    assert Span(start=5, end=21, start_line=4, end_line=4) == chunk.span


def test_functions_of_an_ideal_size_are_chunks_of_their_own() -> None:
    symbols, chunks = _cut("\n\n".join(_function(name, 25) for name in ("one", "two", "three")))
    assert [(1, 26), (29, 54), (57, 82)] == _lines(chunks)
    assert ["one", "two", "three"] == [symbols[chunk.first_symbol].name for chunk in chunks]


def test_what_documents_a_function_stays_with_it() -> None:
    _, chunks = _cut(_function("one", 30) + "\n\n# What two is for.\n@decorated\n" + _function("two", 30))
    assert [(1, 31), (34, 66)] == _lines(chunks)


def test_small_neighbours_are_joined_up_to_the_ideal_size() -> None:
    symbols, chunks = _cut("\n\n".join(_function(f"f{number}", 5) for number in range(30)))
    assert all(chunk.symbol_count > 1 and chunk.token_count <= 500 for chunk in chunks)
    assert len(symbols) == sum(chunk.symbol_count for chunk in chunks)


def test_a_long_function_stays_in_one_piece_up_to_twice_the_ideal_size() -> None:
    _, chunks = _cut(_function("long", 70))
    assert [(1, 1)] == [(chunk.part, chunk.parts) for chunk in chunks]


def test_a_function_that_is_longer_is_cut_into_numbered_parts_which_it_encloses() -> None:
    _, chunks = _cut(_function("endless", 200))
    assert [(number, len(chunks)) for number in range(1, len(chunks) + 1)] == [(chunk.part, chunk.parts) for chunk in chunks]
    assert [-1] + [0] * (len(chunks) - 1) == [chunk.enclosing for chunk in chunks]
    assert all(50 <= chunk.token_count <= 500 for chunk in chunks)


def test_a_cut_is_made_before_a_paragraph_where_one_begins_near_the_ideal_size() -> None:
    _, chunks = _cut((LINE * 32 + "\n") * 4, "text")
    assert [(1, 32), (34, 65), (67, 98), (100, 131)] == _lines(chunks)


def test_a_large_class_is_cut_at_its_methods_and_encloses_them() -> None:
    method = "    def m{0}(self):\n" + ("    " + LINE) * 20
    symbols, chunks = _cut("class Large:\n    '''Of some use.'''\n\n" + "\n".join(method.format(n) for n in range(4)))
    assert ["Large", "m0", "m1", "m2", "m3"] == [symbol.name for symbol in symbols]
    assert [symbols[chunk.first_symbol].name for chunk in chunks] == ["Large", "m1", "m2", "m3"]
    assert [-1, 0, 0, 0] == [chunk.enclosing for chunk in chunks]


def test_a_document_under_one_title_is_cut_at_its_sections() -> None:
    section = "## Section {0}\n\n" + "Some words of which a paragraph is made, and more of them.\n" * 20 + "\n"
    symbols, chunks = _cut("# Title\n\n" + "".join(section.format(n) for n in range(3)), "markdown")
    assert ["Title", "Section 1", "Section 2"] == [symbols[chunk.first_symbol].name for chunk in chunks]
    assert [2, 1, 1] == [chunk.symbol_count for chunk in chunks]


@pytest.mark.parametrize(("length", "expected"), [(7999, 1), (8000, 1), (8001, 2), (16_000, 2), (16_001, 3)])
def test_a_line_is_cut_every_eight_thousand_characters(length: int, expected: int) -> None:
    for text in ("x" * length, "é" * length + "\n", "\U0001f980" * length + "\r\n"):
        assert expected == len(chunks_of(text.encode(), ()))


def test_statements_far_apart_are_not_joined_over_the_blank_lines_between_them() -> None:
    _, chunks = _cut("a = 1\n" + "\n" * 10_000 + "b = 2\n")
    assert [(1, 1), (10_002, 10_002)] == _lines(chunks)
    assert [2, 2] == [chunk.token_count for chunk in chunks]


@pytest.mark.parametrize("odd", ["\x0c", "\r", "\x0b", "\u2028", "\x85", "\u00a0"])
def test_only_a_newline_ends_a_line(odd: str) -> None:
    _, (chunk,) = _cut(f"one{odd}two\nthree{odd}four", "text")
    assert (1, 2) == (chunk.span.start_line, chunk.span.end_line)


def test_windows_line_endings_count_once_and_stay() -> None:
    _, (chunk,) = _cut("one\r\ntwo\r\n", "text")
    assert Span(start=0, end=8, start_line=1, end_line=2) == chunk.span


def test_tokens_count_characters_and_not_bytes() -> None:
    _, (chunk,) = _cut("ééééé\U0001f980\n", "text")
    assert 2 == chunk.token_count


def _crowded_line() -> tuple[bytes, list[Symbol]]:
    """Ten thousand symbols on one line of a megabyte."""
    piece = b"x" * 99 + b" "
    spans = [Span(start=100 * n, end=100 * n + 99, start_line=1, end_line=1) for n in range(10_000)]
    same: dict[str, Any] = {"name": "x", "qualified_name": "x", "kind": Kind.VARIABLE, "signature": "", "doc": "", "package": ""}
    return piece * 10_000, [Symbol(**same, span=span, extent=span, selection=span) for span in spans]


def _nested() -> tuple[bytes, list[Symbol]]:
    """Three thousand symbols, each inside the one before."""
    text = b"".join(b"{ open\n" for _ in range(3000)) + b"".join(b"} close\n" for _ in range(3000))
    same: dict[str, Any] = {"name": "x", "qualified_name": "x", "kind": Kind.BLOCK, "signature": "", "doc": "", "package": ""}
    spans = [Span(start=7 * n, end=len(text) - 8 * n - 1, start_line=n + 1, end_line=6000 - n) for n in range(3000)]
    return text, [Symbol(**same, span=span, extent=span, selection=span, parent=n - 1) for n, span in enumerate(spans)]


@pytest.mark.parametrize("make", [lambda: (LINE.encode() * 100_000, []), _crowded_line, _nested], ids=["long", "crowded", "nested"])
def test_time_does_not_explode_with_the_shape_of_the_file(make: Callable[[], tuple[bytes, list[Symbol]]]) -> None:
    text, symbols = make()
    started = time.process_time()
    chunks = chunks_of(text, symbols)
    assert time.process_time() - started < 5  # 0.1 to 0.5 s; each was minutes or a full stack with the obvious code
    assert len(symbols) == sum(chunk.symbol_count for chunk in chunks)
