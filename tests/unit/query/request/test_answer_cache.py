"""The answer cache: repeated queries get the cached answer, except with a checkout, which may change; and the least score."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.bundle.reader import open_bundle
from hardtack.nouns.model import Answer, Query
from hardtack.query.request.parse import parse_request
from hardtack.query.searcher import Searcher
from hardtack.query.trace import Trace


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the queries that were really answered, in order."""
    texts: list[str] = []
    answer = Searcher.traced

    def noting(self: Searcher, query: Query) -> tuple[Answer, Trace]:
        texts.append(query.text)
        return answer(self, query)

    monkeypatch.setattr(Searcher, "traced", noting)
    return texts


def test_the_same_request_is_answered_once(pantry_bundle: Path, asked: list[str]) -> None:
    with Searcher(open_bundle(pantry_bundle)) as searcher:
        first = searcher.search("jar", languages=["py"])
        assert first is searcher.search("jar", languages=["python"])
        assert first is not searcher.search("jar", languages=["python"], limit=3)
        assert first is not searcher.search("jar")
    assert ["jar"] * 3 == asked


def test_the_one_asked_longest_ago_goes_first(pantry_bundle: Path, asked: list[str]) -> None:
    with Searcher(open_bundle(pantry_bundle), kept_answers=2) as searcher:
        for text in ("jar", "shelf", "jar", "label", "jar", "shelf"):
            searcher.search(text)
    assert ["jar", "shelf", "label", "shelf"] == asked


@pytest.mark.parametrize("of_a_checkout", [False, True])
def test_none_is_kept_when_it_is_turned_off_or_the_checkout_may_change(
    pantry_bundle: Path, pantry: Path, asked: list[str], of_a_checkout: bool
) -> None:
    bundle = open_bundle(pantry_bundle)
    with Searcher(bundle, checkout=pantry) if of_a_checkout else Searcher(bundle, kept_answers=0) as searcher:
        searcher.search("jar")
        searcher.search("jar")
    assert ["jar", "jar"] == asked


def test_hits_that_score_too_little_are_left_out(searcher: Searcher) -> None:
    everything = searcher.search("the oldest jar", limit=100)
    least = everything.hits[3].score
    enough = searcher.search("the oldest jar", limit=100, min_score=least)
    assert [hit for hit in everything.hits if hit.score >= least] == list(enough.hits)
    best = everything.hits[0].score
    assert f"Nothing scores 1.0 or more; the best scores {best:.3f}." == searcher.search("the oldest jar", min_score=1.0).hint


def test_a_request_is_the_same_however_it_is_spelt(searcher: Searcher) -> None:
    spelt = parse_request(searcher.bundle, "jar", languages=["PY,golang"], kinds=["const"], tags=["SERVICE"], limit=1000)
    plain = parse_request(searcher.bundle, "jar", languages=("python", "go"), kinds=("constant",), tags=("service",), limit=100)
    assert spelt == plain
