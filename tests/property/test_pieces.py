"""A long text is read piece by piece, and gives the words, pairs and lines that all of it gives at once."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.indexes import words
from hardtack.bundle.indexes.cooccurrence import pack_pairs
from hardtack.bundle.indexes.words import pack_stems, pieces_of
from hardtack.query.files import line_starts
from hardtack.query.files.line_starts import start_of_line

WORDS = ["stock ", "ration", " portions\n", "\n", "größe", "名前", ".", " ", "a" * 30]
texts = st.lists(st.sampled_from(WORDS), max_size=40).map("".join)


@settings(deadline=None)
@given(texts, st.integers(min_value=1, max_value=40))
def test_pieces_are_the_text_and_end_behind_separators(text: str, size: int) -> None:
    with patch.object(words, "_PIECE", size):
        pieces = [*pieces_of(text, "\n ")]
    assert text == "".join(pieces)
    assert all(piece[-1:] in ("\n", " ") for piece in pieces[:-1])
    assert all(len(piece) <= size or not {"\n", " "} & {*piece[:-1]} for piece in pieces)


@settings(deadline=None)
@given(texts, st.integers(min_value=1, max_value=40))
def test_words_and_pairs_by_pieces_are_those_of_the_whole(text: str, size: int) -> None:
    expected = pack_stems(text), pack_pairs(text)
    with patch.object(words, "_PIECE", size):
        assert expected == (pack_stems(text), pack_pairs(text))


@given(st.binary(max_size=200).map(lambda data: data.replace(b"\x00", b"\n")), st.integers(1, 30), st.integers(1, 9))
def test_a_line_begins_where_splitting_the_text_says(text: bytes, line: int, size: int) -> None:
    lines = text.split(b"\n")
    expected = sum(len(each) + 1 for each in lines[: line - 1]) if line <= len(lines) else len(text)
    with patch.object(line_starts, "_PIECE", size):
        assert expected == start_of_line(text, line)
