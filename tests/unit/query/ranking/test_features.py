"""Features of files, for queries with an obvious answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hardtack.bundle.indexes.names import NameIndex, NamesWriter
from hardtack.errors import UsageError
from hardtack.nouns.model import Mode, Query
from hardtack.query.ranking.features import FEATURES
from hardtack.query.ranking.model import read_models, shipped_models
from hardtack.query.ranking.name_match import ABBREVIATION, COMMON_PREFIX, PREFIX, SAME_STEM, SHORT_ABBREVIATION, similar_terms
from hardtack.query.searcher import Searcher


def _features(searcher: Searcher, text: str) -> dict[str, dict[str, float]]:
    _, trace = searcher.traced(Query(text=text, mode=Mode.KEYWORD))
    assert trace.ranking is not None
    files = [searcher.bundle.file(file).path for file in trace.ranking.table.files.tolist()]
    return {
        path: dict(zip(FEATURES, row.tolist(), strict=True)) for path, row in zip(files, trace.ranking.table.values, strict=True)
    }


def test_words_of_the_path_speak_for_a_file(searcher: Searcher) -> None:
    label = _features(searcher, "label")["label/label.go"]
    assert (1.0, 1.0, 1.0, 1.0) == tuple(label[name] for name in ("stem_cover", "folder_cover", "stem_precision", "stem_is_named"))
    assert 0.5 > _features(searcher, "label shelf jar food")["label/label.go"]["stem_cover"]


def test_a_definition_of_a_name_in_the_query_speaks_for_its_file_and_more_when_no_other_has_it(searcher: Searcher) -> None:
    shelf = _features(searcher, "where is ShelfFull raised")["src/pantry/shelf.py"]
    assert (1.0, 1.0) == (shelf["defines"], shelf["defines_alone"])


def test_a_name_made_of_just_the_words_asked_for_is_a_full_match(searcher: Searcher) -> None:
    matches = {path: row["symbol_match"] for path, row in _features(searcher, "suggest a dish").items()}
    assert 1.0 == pytest.approx(max(matches.values()))


def test_a_file_that_has_every_word_is_covered_whole(searcher: Searcher) -> None:
    shelf = _features(searcher, "shelf jar")["src/pantry/shelf.py"]
    assert (1.0, 1.0) == pytest.approx((shelf["words_cover"], shelf["any_cover"]))


def test_tests_are_known_as_such_and_overlooked_where_they_are_asked_for(searcher: Searcher) -> None:
    assert 1.0 == _features(searcher, "shelf")["tests/test_shelf.py"]["is_test"]
    assert 0.0 == _features(searcher, "test of the shelf")["tests/test_shelf.py"]["is_test"]


def test_every_feature_is_a_number_for_any_query(searcher: Searcher) -> None:
    for text in ("the", "?", "ShelfFull", "how is a jar put on a shelf", "données", "a" * 300, "x::y->z"):
        assert all(np.isfinite(value) for row in _features(searcher, text).values() for value in row.values())


@pytest.mark.parametrize(
    ("term", "word", "weight"),
    [
        ("shelf", "shelf", 1.0),
        ("encoders", "encoder", SAME_STEM),
        ("authentication", "auth", ABBREVIATION),
        ("initialize", "ini", SHORT_ABBREVIATION),
        ("encod", "encoder", PREFIX),
        ("composition", "compose", COMMON_PREFIX),
    ],
)
def test_a_word_of_the_code_counts_by_how_near_it_is(term: str, word: str, weight: float) -> None:
    assert [(0, weight)] == similar_terms(_names([word]), term)


@pytest.mark.parametrize(("term", "word"), [("shelf", "she"[:2]), ("contain", "contrast"), ("go", "golang"), ("jar", "ajar")])
def test_words_that_share_little_are_not_near(term: str, word: str) -> None:
    assert [] == similar_terms(_names([word]), term)


def _names(words: list[str]) -> NameIndex:
    writer = NamesWriter()
    writer.add(0, "", 0, words)
    return NameIndex(memoryview(b"".join(writer.render())), files=1, symbols=len(words))


def test_contributions_add_up_to_the_score() -> None:
    model = shipped_models().questions
    values = np.random.default_rng(7).normal(size=(5, len(FEATURES)))
    assert model.scores(values) == pytest.approx(model.contributions(values).sum(axis=1))


def test_chances_lie_between_0_and_1_and_keep_the_order() -> None:
    scores = np.array([-900.0, -1.0, 0.0, 1.0, 900.0])
    for among in (scores, scores[:3], scores[:1]):
        chances = shipped_models().questions.chances(among, among)
        assert sorted(chances) == list(chances)
        assert 1.0 == pytest.approx(chances.sum())
        assert 0.0 <= chances.min()
    assert [] == shipped_models().questions.chances(scores[:0], scores[:0]).tolist()


def test_a_model_for_other_features_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"features": ["luck"], "means": [0], "scales": [1], "questions": [1], "changes": [1]}), "utf-8")
    with pytest.raises(UsageError, match="for other features"):
        read_models(path)
    path.write_text("{}", "utf-8")
    with pytest.raises(UsageError, match="not a ranking model"):
        read_models(path)
