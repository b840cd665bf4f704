"""Similar chunks: copies first, never the place itself, by the vectors and words that a bundle has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.errors import HardtackError, NotFound, UsageError
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.query.similar import COPY, similar


def test_a_copy_comes_first_and_is_called_one_then_what_does_the_same(kitchen: Searcher) -> None:
    first, second, *rest = similar(kitchen.bundle, "readers/csv.py", 5).hits
    assert ("old/csv.py", 1.0, (COPY,)) == (first.path, first.score, first.reasons)
    assert ("readers/json.py", "read_json", ()) == (second.path, second.name, second.reasons)
    assert first.score > second.score > rest[0].score >= 0


def test_the_place_itself_is_never_among_its_hits(kitchen: Searcher) -> None:
    for path in ("readers/csv.py", "oven.py", "heat/burner.rs"):
        assert path not in {hit.path for hit in similar(kitchen.bundle, path, 2).hits}


def test_a_function_of_many_chunks_is_asked_for_as_a_whole(kitchen: Searcher) -> None:
    chunks = kitchen.bundle.file_at("baking.py")
    assert chunks is not None and chunks.chunk_count > 3
    for line in (1, 200, 402):
        assert "baking.py" not in {hit.path for hit in similar(kitchen.bundle, "baking.py", line).hits}


def test_a_score_is_the_mean_of_the_likeness_of_vectors_and_of_words(kitchen: Searcher) -> None:
    bundle = kitchen.bundle
    one, other = (bundle.file_at(path) for path in ("readers/csv.py", "readers/json.py"))
    assert one and other
    vectors = [bundle.vectors.vector(file.first_chunk).astype(float) for file in (one, other)]
    cosine = vectors[0] @ vectors[1] / np.linalg.norm(vectors[0]) / np.linalg.norm(vectors[1])
    (hit,) = (hit for hit in similar(bundle, "readers/csv.py", 5).hits if hit.path == "readers/json.py")
    assert cosine == pytest.approx(hit.vector_score, abs=0.01)
    assert hit.vector_score is not None and hit.keyword_score is not None and 0 < hit.keyword_score < 1
    assert (hit.vector_score + hit.keyword_score) / 2 == pytest.approx(hit.score, abs=1e-5)


def test_of_a_function_of_many_chunks_one_is_given(kitchen: Searcher) -> None:
    (hit,) = (hit for hit in similar(kitchen.bundle, "oven.py", 5).hits if hit.path == "baking.py")
    assert "bake_everything" == hit.name


def test_a_stored_vector_is_the_one_that_finds_its_own_chunk(kitchen: Searcher) -> None:
    vectors = kitchen.bundle.vectors
    for ordinal in range(vectors.count):
        found, scores = vectors.search(vectors.vector(ordinal), 1)
        assert scores[0] == pytest.approx(1.0, abs=0.05)
        assert kitchen.bundle.chunk(int(found[0])).content_hash == kitchen.bundle.chunk(ordinal).content_hash


def test_what_is_in_the_same_file_can_be_left_out(searcher: Searcher) -> None:
    path = "src/pantry/advice.py"
    assert path in {hit.path for hit in similar(searcher.bundle, path, 1).hits}
    assert path not in {hit.path for hit in similar(searcher.bundle, path, 1, exclude_same_file=True).hits}


def test_a_range_of_lines_is_compared_as_one(searcher: Searcher) -> None:
    hits = similar(searcher.bundle, "src/pantry/advice.py", 1, 84).hits
    assert "src/pantry/advice.py" not in {hit.path for hit in hits}


def test_a_blank_line_belongs_to_what_follows(searcher: Searcher) -> None:
    after_first = similar(searcher.bundle, "src/pantry/advice.py", 19)
    assert similar(searcher.bundle, "src/pantry/advice.py", 30).hits == after_first.hits


def test_so_many_hits_are_given_and_none_below_the_least_score(kitchen: Searcher) -> None:
    answer = similar(kitchen.bundle, "readers/csv.py", 5, limit=1)
    assert (1, True) == (len(answer.hits), answer.truncated)
    assert {"old/csv.py", "readers/json.py"} == {
        hit.path for hit in similar(kitchen.bundle, "readers/csv.py", 5, min_score=0.5).hits
    }


def test_nothing_that_is_similar_enough_is_no_error(kitchen: Searcher) -> None:
    answer = similar(kitchen.bundle, "oven.py", 5, min_score=0.99)
    assert ((), True) == (answer.hits, answer.hint.startswith("Nothing is as similar as 0.99; the most similar has 0."))


def test_a_hit_shows_the_chunk_that_was_compared(kitchen: Searcher) -> None:
    hit = similar(kitchen.bundle, "readers/csv.py", 5).hits[1]
    assert (hit.start_line, hit.end_line) == (hit.snippet_start_line, hit.snippet_end_line)


@pytest.mark.parametrize(
    ("path", "line", "end_line", "options", "code"),
    [
        ("oven.py", 0, None, {}, "RANGE_INVALID"),
        ("oven.py", 500, None, {}, "RANGE_INVALID"),
        ("oven.py", 5, 3, {}, "RANGE_INVALID"),
        ("oven.py", 1, None, {"limit": 0}, "LIMIT_INVALID"),
        ("oven.py", 1, None, {"min_score": 2}, "USAGE"),
        ("gone.py", 1, None, {}, "FILE_NOT_FOUND"),
        ("../oven.py", 1, None, {}, "PATH_OUT_OF_ROOT"),
        ("", 1, None, {}, "PATH_EMPTY"),
    ],
)
def test_a_place_that_cannot_be_is_refused(
    kitchen: Searcher, path: str, line: int, end_line: int | None, options: dict[str, int], code: str
) -> None:
    with pytest.raises(HardtackError) as refused:
        similar(kitchen.bundle, path, line, end_line, **options)  # type: ignore[arg-type]
    assert code == refused.value.code
    assert isinstance(refused.value, UsageError | NotFound)


@pytest.mark.parametrize(("profile", "text"), [("keyword", "full"), ("hybrid", "none")])
def test_a_bundle_compares_by_what_it_has(kitchen_source: Path, tmp_path: Path, profile: str, text: str) -> None:
    build_bundle(kitchen_source, tmp_path / "half", BuildOptions(jobs=1, profile=profile, text=text))
    with open_bundle(tmp_path / "half") as half:
        answer = similar(half.bundle, "readers/csv.py", 5)
    assert ["old/csv.py", "readers/json.py"] == [hit.path for hit in answer.hits[:2]]
    expected = ("keyword", True, False) if profile == "keyword" else ("semantic", False, True)
    second = answer.hits[1]
    assert expected == (second.match_type, second.keyword_score == second.score, second.vector_score == second.score)


def test_what_words_alone_find_is_compared_by_vectors_too(kitchen: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle, far = kitchen.bundle, similar(kitchen.bundle, "readers/csv.py", 5).hits[-1]
    file = bundle.file_at(far.path)
    assert file and far.vector_score is not None
    for name in ("_DEPTH", "_PER_HIT", "_SPARE"):
        monkeypatch.setattr(f"hardtack.query.similar.{name}", 1)
    monkeypatch.setattr("hardtack.query.similar._by_words", lambda *_: {file.first_chunk: 0.9})
    (hit,) = similar(bundle, "readers/json.py", 5, limit=1).hits
    assert (far.path, 0.9, True) == (hit.path, hit.keyword_score, hit.vector_score is not None)


def test_a_file_of_blank_lines_is_like_nothing(searcher: Searcher) -> None:
    with pytest.raises(UsageError, match="has no text to compare") as refused:
        similar(searcher.bundle, "odd/blank.py", 1)
    assert "RANGE_INVALID" == refused.value.code


def test_without_vectors_and_text_there_is_nothing_to_compare(bare_bundle: Path) -> None:
    with open_bundle(bare_bundle) as bare, pytest.raises(UsageError) as refused:
        similar(bare.bundle, "src/pantry/shelf.py", 1)
    assert "EMBEDDING_UNAVAILABLE" == refused.value.code


def test_the_same_place_gives_the_same_answer(kitchen: Searcher, kitchen_bundle: Path) -> None:
    with open_bundle(kitchen_bundle) as again:
        assert similar(kitchen.bundle, "oven.py", 5) == similar(again.bundle, "oven.py", 5)
