"""Several bundles searched as one: order of the hits, facts about each bundle, and bundles without an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.errors import UsageError
from hardtack.nouns.model import Answer
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.query.several import by_name, search_all


@pytest.fixture
def both(searcher: Searcher, kitchen: Searcher) -> dict[str, Searcher]:
    return {"pantry": searcher, "kitchen": kitchen}


def _places(answer: Answer) -> list[tuple[str, str]]:
    return [(hit.index_name, hit.path) for hit in answer.hits]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("take the oldest jar from the shelf", ("pantry", "src/pantry/shelf.py")),
        ("ShelfFull", ("pantry", "src/pantry/shelf.py")),
        ("read recipes from a JSON file", ("kitchen", "readers/json.py")),
        ("heat the oven until the temperature is reached", ("kitchen", "oven.py")),
        ("light_burner", ("kitchen", "heat/burner.rs")),
    ],
)
def test_the_bundle_that_has_it_comes_first_in_whatever_order_they_are_named(
    both: dict[str, Searcher], text: str, expected: tuple[str, str]
) -> None:
    for searchers in (both, dict(reversed(both.items()))):
        assert expected == _places(search_all(searchers, text))[0]


def test_a_bundle_with_nothing_to_say_scores_less_than_it_would_alone(both: dict[str, Searcher], kitchen: Searcher) -> None:
    text = "take the oldest jar from the shelf"
    alone = kitchen.search(text).hits[0].score
    (merged, *_) = (hit.score for hit in search_all(both, text, limit=100).hits if hit.index_name == "kitchen")
    assert merged < alone / 2


def test_scores_are_chances_among_the_files_of_all(both: dict[str, Searcher]) -> None:
    hits = search_all(both, "jars on a shelf", limit=100).hits
    assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]
    best: dict[int, float] = {}
    for hit in hits:
        best.setdefault(hit.file_rank, hit.score)
    assert 0.8 < sum(best.values()) <= 1


def test_ranks_and_files_are_numbered_anew(both: dict[str, Searcher]) -> None:
    hits = search_all(both, "jar recipe oven", limit=20).hits
    assert [*range(1, len(hits) + 1)] == [hit.rank for hit in hits]
    files = [*dict.fromkeys((hit.index_name, hit.path) for hit in hits)]
    assert [files.index((hit.index_name, hit.path)) + 1 for hit in hits] == [hit.file_rank for hit in hits]


def test_what_two_bundles_have_alike_is_one_hit_that_names_the_other(both: dict[str, Searcher]) -> None:
    hits = [hit for hit in search_all(both, "how long do jars keep", limit=20).hits if hit.path == "docs/guide.md"]
    assert 1 == len(hits)
    (other,) = {"pantry", "kitchen"} - {hits[0].index_name}
    assert [(other, "docs/guide.md")] == [(twin.index_name, twin.path) for twin in hits[0].also]


def test_the_limit_is_of_the_whole_answer(both: dict[str, Searcher]) -> None:
    answer = search_all(both, "jar recipe oven", limit=3)
    assert (3, True) == (len(answer.hits), answer.truncated)
    assert answer.hits == search_all(both, "jar recipe oven", limit=20).hits[:3]


def test_files_that_come_after_are_named_best_first_and_once(both: dict[str, Searcher]) -> None:
    answer = search_all(both, "jar recipe oven", limit=2, further=50)
    shown = {(hit.index_name, hit.path) for hit in answer.hits}
    named = [(place.index_name, place.path) for place in answer.further]
    assert (len(named), set()) == (len({*named}), shown.intersection(named))
    assert {"pantry", "kitchen"} == {name for name, _ in named}
    following = [*dict.fromkeys(_places(search_all(both, "jar recipe oven", limit=100)))]
    assert [place for place in following if place in named] == [place for place in named if place in following]
    assert answer.further[:5] == search_all(both, "jar recipe oven", limit=2, further=5).further


def test_a_file_that_scores_too_little_is_not_named_either(both: dict[str, Searcher]) -> None:
    everything = search_all(both, "jar recipe oven", limit=1, further=50).further
    named = search_all(both, "jar recipe oven", limit=1, further=50, min_score=0.05).further
    assert 0 < len(named) < len(everything)
    assert everything[: len(named)] == named


def test_the_least_score_is_held_against_what_is_reported(both: dict[str, Searcher]) -> None:
    everything = search_all(both, "jar recipe oven", limit=100).hits
    least = everything[2].score
    kept = search_all(both, "jar recipe oven", limit=100, min_score=least)
    assert [hit.chunk_id for hit in everything if hit.score >= least] == [hit.chunk_id for hit in kept.hits]
    none = search_all(both, "jar recipe oven", min_score=1.0)
    assert ((), f"Nothing scores 1.0 or more; the best scores {everything[0].score:.3f}.") == (none.hits, none.hint)


def test_a_bundle_without_the_language_has_nothing_to_answer(both: dict[str, Searcher]) -> None:
    answer = search_all(both, "burner", languages=["rust"])
    assert {("kitchen", "heat/burner.rs")} == set(_places(answer))
    assert ["pantry", "kitchen"] == [each.index_name for each in answer.bundles]
    with pytest.raises(UsageError) as refused:
        search_all(both, "burner", languages=["cobol"])
    assert ("LANGUAGE_UNKNOWN", True) == (refused.value.code, {"rust", "typescript"} <= {*refused.value.details["available"]})
    assert "No bundle has a language 'cobol'." == str(refused.value)


def test_cosines_stay_as_they_are(both: dict[str, Searcher], searcher: Searcher) -> None:
    merged = {hit.chunk_id: hit.score for hit in search_all(both, "jars", mode="vector", limit=100).hits}
    alone = [hit for hit in searcher.search("jars", mode="vector", limit=100).hits if hit.path != "docs/guide.md"]
    assert [hit.score for hit in alone] == [merged[hit.chunk_id] for hit in alone]


def test_a_bundle_without_vectors_says_so_of_itself(both: dict[str, Searcher], bare_bundle: Path) -> None:
    with open_bundle(bare_bundle) as bare:
        answer = search_all({**both, "bare": bare}, "ShelfFull")
    assert "bare: This bundle has no vectors: hits are by keyword alone." == answer.hint


def test_what_is_refused_is_refused_for_all(both: dict[str, Searcher]) -> None:
    for text, options, code in (("", {}, "QUERY_EMPTY"), ("jar", {"limit": 0}, "LIMIT_INVALID")):
        with pytest.raises(UsageError) as refused:
            search_all(both, text, **options)  # type: ignore[arg-type]
        assert code == refused.value.code
    with pytest.raises(UsageError, match="No bundle was named"):
        search_all({}, "jar")


def test_bundles_of_one_name_are_told_apart(searcher: Searcher, kitchen: Searcher) -> None:
    assert ["pantry", "kitchen", "pantry-2"] == [*by_name([searcher, kitchen, searcher])]


def test_one_bundle_alone_answers_as_always(searcher: Searcher) -> None:
    merged, alone = search_all({"pantry": searcher}, "oldest jar"), searcher.search("oldest jar")
    assert [(hit.chunk_id, hit.score, hit.rank) for hit in alone.hits] == [
        (hit.chunk_id, hit.score, hit.rank) for hit in merged.hits
    ]
