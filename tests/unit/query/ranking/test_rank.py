"""Ranking: files by learned weights, definitions of the typed name first."""

from __future__ import annotations

from typing import Unpack

import pytest

from hardtack.nouns.model import Candidate, Mode, NameMatch
from hardtack.query.ranking.rank import _in_words
from hardtack.query.request.filters import FilterOptions
from hardtack.query.request.parse import parse_request
from hardtack.query.searcher import Searcher


def _ranked(searcher: Searcher, text: str, **filters: Unpack[FilterOptions]) -> list[tuple[str, Candidate]]:
    """The candidates for ``text``, each with its path, best first."""
    _, trace = searcher.traced(parse_request(searcher.bundle, text, mode=Mode.KEYWORD, limit=100, **filters))
    bundle = searcher.bundle
    return [(bundle.file(bundle.chunk(candidate.ordinal).file).path, candidate) for candidate in trace.ranked]


def test_the_candidates_come_in_order_of_score_equal_ones_in_order_of_the_bundle(searcher: Searcher) -> None:
    ranked = [(-candidate.score, candidate.ordinal) for _, candidate in _ranked(searcher, "jar shelf label")]
    assert sorted(ranked) == ranked
    assert len({ordinal for _, ordinal in ranked}) == len(ranked)


def test_an_exact_definition_beats_one_in_other_case_and_both_beat_every_mention(searcher: Searcher) -> None:
    bundle = searcher.bundle
    exact = _ranked(searcher, "ShelfFull")[0][1]
    folded, *mentions = (candidate for _, candidate in _ranked(searcher, "shelffull"))
    assert ("ShelfFull", "ShelfFull") == (bundle.symbol(exact.symbol).name, bundle.symbol(folded.symbol).name)
    assert 0.96 <= exact.score <= 1
    assert 0.90 <= folded.score < 0.95
    assert all(0 <= candidate.score < 0.90 for candidate in mentions)


def _match_of(candidate: Candidate) -> NameMatch:
    assert candidate.name_match is not None
    assert candidate.name_match.symbol == candidate.symbol
    return candidate.name_match


def test_a_definition_says_what_it_defines(searcher: Searcher) -> None:
    assert "defines" == _match_of(_ranked(searcher, "ShelfFull")[0][1]).how
    assert "defines, in other case," == _match_of(_ranked(searcher, "shelffull")[0][1]).how


def test_the_name_nearest_to_the_words_is_the_one_that_is_told(searcher: Searcher) -> None:
    first = _ranked(searcher, "suggest a dish")[0][1]
    match = _match_of(first)
    assert ("is named like", "suggest_dish") == (match.how, searcher.bundle.symbol(match.symbol).name)
    assert "suggest_dish" == searcher.bundle.symbol(first.symbol).name


def test_a_file_that_tests_comes_after_what_it_tests_unless_tests_are_asked_for(searcher: Searcher) -> None:
    def places(text: str) -> list[str]:
        return [path for path, _ in _ranked(searcher, text)]

    plain, asking = places("shelf takes a jar"), places("tests of shelf takes a jar")
    assert plain.index("src/pantry/shelf.py") < plain.index("tests/test_shelf.py")
    assert asking.index("tests/test_shelf.py") < plain.index("tests/test_shelf.py")


def test_nothing_comes_in_that_a_filter_keeps_out(searcher: Searcher) -> None:
    assert {"label/label.go"} == {path for path, _ in _ranked(searcher, "ShelfFull parse label shelf", languages=("go",))}


def test_the_best_chunks_of_two_files_stand_before_the_next_of_one(searcher: Searcher) -> None:
    paths = [path for path, _ in _ranked(searcher, "jar")]
    assert len(set(paths[:2])) == 2


@pytest.mark.parametrize(
    ("feature", "value", "words"),
    [
        ("dense_best", 0.4, "dense best"),
        ("is_test", 1.0, "is test"),
        ("is_test", 0.0, "no test"),
        ("is_document_code", 0.0, "no document code"),
        ("other_language", 0.0, "main language"),
        ("log_length", 0.0, "log length"),
    ],
)
def test_what_a_file_is_not_is_told_as_lacking(feature: str, value: float, words: str) -> None:
    assert _in_words(feature, value) == words


def test_reasons_of_a_hit_name_what_spoke_most_for_its_file(searcher: Searcher) -> None:
    hit = searcher.search("suggest a dish", mode="keyword", limit=1).hits[0]
    assert "is named like function suggest_dish" == hit.reasons[0]
    assert len(hit.reasons) > 1
    assert all(" +" in reason for reason in hit.reasons[1:])
