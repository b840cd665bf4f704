"""What chunks promise, held against any text with any tree of symbols, and against real files with their own."""

from __future__ import annotations

import hashlib
import itertools
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.build.languages.registry import detect
from hardtack.build.outline.chunks import chunks_of
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.model import Kind, Span
from hardtack.nouns.outline import Chunk, Symbol

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
SMALLEST, LARGEST, LONGEST_LINE = 50, 2000, 8000
REAL_FILES = [
    *sorted(FIXTURES.glob("*/*/input.*")),
    *sorted(Path(sysconfig.get_paths()["stdlib"]).glob("[a-z]*/*.py"))[::20],
    *sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::8],
]


def _tokens(piece: bytes) -> int:
    return -(-len(piece.decode("utf-8")) // 4)


def _line_of(text: bytes, offset: int) -> int:
    return text.count(b"\n", 0, offset) + 1


def _check_tiles(text: bytes, chunks: Sequence[Chunk]) -> None:
    at = 0
    for chunk in chunks:
        span = chunk.span
        assert at <= span.start < span.end <= len(text)
        assert text[at : span.start].strip() == b""
        piece = text[span.start : span.end]
        piece.decode("utf-8")  # never cut inside a character
        assert (_line_of(text, span.start), _line_of(text, span.end - 1)) == (span.start_line, span.end_line)
        assert hashlib.sha256(piece).digest() == chunk.content_hash
        assert _tokens(piece) == chunk.token_count <= LARGEST
        at = span.end
    assert text[at:].strip() == b""


def _check_lines(text: bytes, chunks: Sequence[Chunk]) -> None:
    holders: dict[int, int] = {}
    for chunk in chunks:
        for number in range(chunk.span.start_line, chunk.span.end_line + 1):
            holders[number] = holders.get(number, 0) + 1
    for number, line in enumerate(text.split(b"\n"), start=1):
        if line.strip():
            assert holders[number] == 1 or len(line.decode("utf-8")) > LONGEST_LINE


def _check_sizes(text: bytes, chunks: Sequence[Chunk]) -> None:
    for left, right in itertools.pairwise(chunks):
        if min(left.token_count, right.token_count) < SMALLEST:
            assert _tokens(text[left.span.start : right.span.end]) > LARGEST


def _check_symbols(symbols: Sequence[Symbol], chunks: Sequence[Chunk]) -> None:
    number = 0
    for index, chunk in enumerate(chunks):
        assert number == chunk.first_symbol
        end = chunks[index + 1].span.start if index + 1 < len(chunks) else float("inf")
        for symbol in symbols[number : number + chunk.symbol_count]:
            assert chunk.span.start <= symbol.span.start < end
        number += chunk.symbol_count
        holders = [
            (symbol.extent.end - symbol.extent.start, -before)
            for before, symbol in enumerate(symbols[: chunk.first_symbol])
            if symbol.extent.end >= chunk.span.end
        ]
        assert chunk.enclosing == (-min(holders)[1] if holders else -1)
    assert number == len(symbols)


def _check_parts(chunks: Sequence[Chunk]) -> None:
    """Parts count up to their number; those of a symbol inside another lie between two of the other's."""
    open_groups: list[tuple[int, int]] = []  # (part, parts) of the last one seen
    for chunk in chunks:
        if chunk.parts == 1:
            assert chunk.part == 1
        elif chunk.part == 1:
            open_groups.append((1, chunk.parts))
        else:
            assert (chunk.part - 1, chunk.parts) == open_groups.pop()
            open_groups.append((chunk.part, chunk.parts))
        if open_groups and open_groups[-1][0] == open_groups[-1][1]:
            open_groups.pop()
    assert open_groups == []


def check(text: bytes, symbols: Sequence[Symbol]) -> None:
    chunks = chunks_of(text, symbols)
    assert chunks == chunks_of(text, symbols)
    assert bool(text.strip()) == bool(chunks)
    _check_tiles(text, chunks)
    _check_lines(text, chunks)
    _check_sizes(text, chunks)
    _check_symbols(symbols, chunks)
    _check_parts(chunks)


class _Page:
    """Text that grows, and the symbols in it, outer before inner."""

    def __init__(self) -> None:
        self.text = b""
        self.drafts: list[tuple[int, int, int, int]] = []  # extent start, span start, end, parent

    def symbols(self) -> list[Symbol]:
        symbols = []
        for number, (extent, start, end, parent) in enumerate(self.drafts):
            span, name = self._span(start, end), f"n{number}"
            symbols.append(
                Symbol(
                    name=name,
                    qualified_name=name,
                    kind=Kind.CLASS,
                    span=span,
                    extent=self._span(extent, end),
                    selection=span,
                    signature="",
                    doc="",
                    package="",
                    parent=parent,
                )
            )
        return symbols

    def _span(self, start: int, end: int) -> Span:
        lines = _line_of(self.text, start), _line_of(self.text, end - 1)
        return Span(start=start, end=end, start_line=lines[0], end_line=lines[1])


_WORDS = st.sampled_from(["x", "word ", "ключ", "中文字", "\U0001f980", "\u00a0", "\t", "\x0c", "\r", "\u2028", "  ", "{}"])
_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n\n", "", " "])
_REPEATS = st.sampled_from([0, 1, 1, 2, 5, 20, 100, 700, 2500])


@st.composite
def _stretches(draw: st.DrawFn) -> str:
    """Some lines, or part of one: a word repeated, as it is or once a line."""
    between = draw(st.sampled_from(["", "", "\n", "\r\n"]))
    return (draw(_WORDS) + between) * draw(_REPEATS) + draw(_ENDS)


_TREES = st.recursive(
    _stretches(),
    lambda inner: st.tuples(_stretches(), st.lists(inner, max_size=5), _stretches()),
    max_leaves=12,
)


def _write(page: _Page, tree: object, parent: int) -> None:
    if isinstance(tree, str):
        page.text += tree.encode()
        return
    assert isinstance(tree, tuple)
    documentation, inner, tail = tree
    extent = len(page.text)
    page.text += b"#" + documentation.encode() if documentation.strip() else b""
    start, number = len(page.text), len(page.drafts)
    page.text += b"def"
    page.drafts.append((extent, start, 0, parent))
    for item in inner:
        _write(page, item, number)
    page.text += tail.encode() + b"end"
    page.drafts[number] = (extent, start, len(page.text), parent)


@settings(max_examples=80, deadline=None)
@given(st.lists(_TREES, max_size=6))
def test_any_text_with_any_tree_of_symbols_is_tiled(trees: list[object]) -> None:
    page = _Page()
    for tree in trees:
        _write(page, tree, -1)
    check(page.text, page.symbols())


@settings(max_examples=40, deadline=None)
@given(st.lists(_stretches(), max_size=12))
def test_any_text_without_symbols_is_tiled(stretches: list[str]) -> None:
    check("".join(stretches).encode(), ())


@pytest.mark.parametrize("path", REAL_FILES, ids=lambda path: "/".join(path.parts[-3:]))
def test_a_real_file_is_tiled(path: Path) -> None:
    text = path.read_bytes()
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        text = text.decode("latin-1").encode()
    check(text, outline_of(text, detect(path.name, text)).symbols)
