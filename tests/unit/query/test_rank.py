"""What each ranking rule does to candidates that retrieval found equally good."""

from __future__ import annotations

import pytest

from hardtack.bundle.reader import Bundle
from hardtack.model import Candidate, Query
from hardtack.query.rank import rank
from hardtack.query.searcher import Searcher


@pytest.fixture
def bundle(searcher: Searcher) -> Bundle:
    return searcher.bundle


def _ranked(bundle: Bundle, text: str, score: float = 0.5) -> list[tuple[str, Candidate]]:
    """All chunks, found equally good, as ranked for ``text``, each with its path."""
    candidates = [Candidate(ordinal=ordinal, score=score) for ordinal in range(bundle.manifest.counts.chunks)]
    ranked = rank(bundle, Query(text=text), candidates)
    return [(bundle.file(bundle.chunk(candidate.ordinal).file).path, candidate) for candidate in ranked]


def _place(bundle: Bundle, text: str, path: str) -> int:
    return [found for found, _ in _ranked(bundle, text)].index(path)


def test_nothing_is_lost_or_added(bundle: Bundle) -> None:
    assert list(range(bundle.manifest.counts.chunks)) == sorted(candidate.ordinal for _, candidate in _ranked(bundle, "jar"))


@pytest.mark.parametrize("score", [0.0, 0.1, 1.0])
def test_an_exact_definition_beats_one_in_other_case_and_both_beat_every_mention(bundle: Bundle, score: float) -> None:
    exact = _ranked(bundle, "ShelfFull", score)[0][1]
    folded = _ranked(bundle, "shelffull", score)[0][1]
    assert ("ShelfFull", "ShelfFull") == (bundle.symbol(exact.symbol).name, bundle.symbol(folded.symbol).name)
    assert 0.95 <= exact.score <= 1
    assert 0.90 <= folded.score < 0.95
    assert all(0 <= candidate.score < 0.90 for _, candidate in _ranked(bundle, "shelffull", 1.0)[1:])


def test_equal_candidates_stay_in_the_order_of_the_bundle(bundle: Bundle) -> None:
    ordinals = [candidate.ordinal for _, candidate in _ranked(bundle, "nothing is called like this", 0.0)]
    assert sorted(ordinals) == ordinals


def test_a_test_comes_after_what_is_found_equally_good(bundle: Bundle) -> None:
    assert _place(bundle, "take_oldest", "src/pantry/shelf.py") < _place(bundle, "take_oldest", "tests/test_shelf.py")
    mentions = dict(_ranked(bundle, "olives"))
    assert ("is a test",) == mentions["tests/test_shelf.py"].reasons
    assert mentions["tests/test_shelf.py"].score < mentions["pyproject.toml"].score


def test_a_test_keeps_its_place_when_tests_are_asked_for(bundle: Bundle) -> None:
    by_path = dict(_ranked(bundle, "tests of the shelf"))
    assert "is a test" not in by_path["tests/test_shelf.py"].reasons
    assert 0 == _place(bundle, "test a full shelf takes no jar", "tests/test_shelf.py")


def test_a_name_that_shares_words_with_the_query_is_lifted_by_as_much_as_it_shares(bundle: Bundle) -> None:
    assert ("is named like function suggest_dish",) == _ranked(bundle, "suggest a dish")[0][1].reasons
    whole, half, none = (dict(_ranked(bundle, text))["label/label.go"].score for text in ("parse label", "parse olives", "olives"))
    assert whole > half > none


def test_a_thing_named_among_other_words_is_lifted_and_named_as_the_reason(bundle: Bundle) -> None:
    first = _ranked(bundle, "where is ParseLabel used")[0][1]
    symbol = bundle.symbol(first.symbol)
    assert "ParseLabel" == symbol.name
    assert (f"defines function {symbol.qualified_name}",) == first.reasons
