"""What is shown of a hit, and how much of it at most."""

from __future__ import annotations

from pathlib import Path

from hardtack.model import Hit
from hardtack.query.searcher import Searcher


def _first(searcher: Searcher, query: str) -> Hit:
    return searcher.search(query).hits[0]


def _lines(pantry: Path, hit: Hit) -> list[str]:
    return (pantry / hit.path).read_text().split("\n")[hit.start_line - 1 : hit.end_line]


def test_a_short_chunk_is_shown_whole(searcher: Searcher, pantry: Path) -> None:
    hit = _first(searcher, "renderJar")
    assert "\n".join(_lines(pantry, hit)) == hit.snippet


def test_of_a_long_chunk_the_lines_around_the_symbol_are_shown(searcher: Searcher, pantry: Path) -> None:
    hit = _first(searcher, "open_shelf")
    lines = _lines(pantry, hit)
    assert len(lines) > 50
    assert lines[-50:] == hit.snippet.split("\n")
    assert "def open_shelf(" in hit.snippet


def test_of_a_long_chunk_without_a_symbol_that_answers_the_beginning_is_shown(searcher: Searcher, pantry: Path) -> None:
    (hit,) = searcher.search("puttanesca", mode="keyword").hits
    assert _lines(pantry, hit)[:50] == hit.snippet.split("\n")


def test_no_line_is_longer_than_two_hundred_characters(searcher: Searcher) -> None:
    (hit,) = searcher.search("ultramarine", mode="keyword").hits
    assert (200, "...") == (len(hit.snippet), hit.snippet[-3:])


def test_line_endings_are_shown_as_one_kind(searcher: Searcher) -> None:
    assert "def first():\n    return 1\n\n\ndef second():\n    return 2" == _first(searcher, "second").snippet
