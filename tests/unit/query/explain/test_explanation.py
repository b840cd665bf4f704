"""An explanation says what the search it explains did: counts against counts by hand, and what became of a file or a symbol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from hardtack.errors import UsageError
from hardtack.nouns.explanation import Explanation, Tracked
from hardtack.nouns.model import Query
from hardtack.query.explain.contributions import contributions_to
from hardtack.query.explain.explanation import explain
from hardtack.query.opening import open_bundle
from hardtack.query.ranking.features import FEATURES
from hardtack.query.request.analysis import analyse
from hardtack.query.request.aspects import Reading
from hardtack.query.request.parse import parse_request
from hardtack.query.searcher import Searcher
from hardtack.query.trace import Trace
from hardtack.render.explanation import explanation_to_json

WORDS = "the oldest jar on a shelf"


@pytest.fixture(scope="module")
def explained(pantry_bundle: Path) -> Iterator[Explanation]:
    with open_bundle(pantry_bundle) as searcher:
        yield explain(searcher, WORDS, limit=5)


def _tracked(searcher: Searcher, text: str, where: str, **options: Any) -> Tracked:
    (tracked,) = explain(searcher, text, where=[where], **options).tracked
    return tracked


@pytest.mark.parametrize(
    "options", [{}, {"mode": "vector"}, {"mode": "keyword", "kinds": ["method"]}, {"limit": 100, "further": 3}]
)
def test_the_answer_explained_is_the_answer_given(searcher: Searcher, options: dict[str, Any]) -> None:
    assert searcher.search(WORDS, **options) == explain(searcher, WORDS, **options).answer


def test_the_counts_are_those_of_the_lists(searcher: Searcher) -> None:
    explained = explain(searcher, WORDS, limit=100)
    keyword = {hit.chunk_id for hit in searcher.search(WORDS, mode="keyword", limit=100).hits}
    vector = {hit.chunk_id for hit in searcher.search(WORDS, mode="vector", limit=100).hits}
    fusion = explained.fusion
    assert (len(keyword), len(vector)) == (explained.keyword_search.result_count, explained.vector_search.result_count)
    assert (len(keyword & vector), len(keyword - vector), len(vector - keyword), len(keyword | vector)) == (
        fusion.both_count,
        fusion.keyword_only_count,
        fusion.vector_only_count,
        fusion.total_fused,
    )


def test_the_scores_of_the_lists_are_those_of_their_ends(searcher: Searcher) -> None:
    explained = explain(searcher, WORDS)
    keyword = [hit.keyword_score for hit in searcher.search(WORDS, limit=100).hits if hit.keyword_score is not None]
    assert (max(keyword), min(keyword)) == (explained.keyword_search.top_ts_rank, explained.keyword_search.bottom_ts_rank)


@pytest.mark.parametrize(
    ("options", "mode", "reason", "flag"),
    [
        ({}, "hybrid", "Hybrid is the default; the query has no identifier, which shifts weights and nothing else", None),
        ({"mode": "vector"}, "vector-only", "Vectors alone were asked for", False),
        ({"mode": "keyword"}, "keyword-only", "Keywords alone were asked for", None),
    ],
)
def test_the_mode_says_why(searcher: Searcher, options: dict[str, Any], mode: str, reason: str, flag: bool | None) -> None:
    explained = explain(searcher, WORDS, **options)
    section = explained.search_mode
    assert (mode, reason, flag) == (section.mode, section.reason, section.use_hybrid_flag)
    assert (mode != "vector-only", mode != "keyword-only") == (explained.keyword_search.executed, explained.vector_search.executed)
    assert (mode == "hybrid") == explained.fusion.executed


def test_a_bundle_without_vectors_says_that_it_has_none(bare_bundle: Path) -> None:
    with open_bundle(bare_bundle) as bare:
        section = explain(bare, WORDS).search_mode
    assert ("keyword-only", True) == (section.mode, "has no vectors" in section.reason)


def test_filters_are_told_as_they_were_understood(searcher: Searcher) -> None:
    section = explain(searcher, WORDS, languages=["PY"], kinds=["interface"], min_score=0.5, packages=["pantry"]).filtering
    arguments = {"language_filter": ["python"], "symbol_type_filter": ["interface", "trait"], "package_filter": ["pantry"]}
    assert arguments == {key: value for key, value in section.filters.items() if value is not None}
    assert 0.5 == section.min_score


def test_every_stage_has_its_time_and_they_add_up(explained: Explanation) -> None:
    times = dict(explained.timings)
    total = times.pop("total_ms")
    assert all(time >= 0 for time in times.values())
    assert total == pytest.approx(sum(times.values()), abs=0.01)
    assert 0 < total


def test_what_is_explained_is_made_anew_and_says_whether_it_was_at_hand(pantry_bundle: Path) -> None:
    with open_bundle(pantry_bundle) as searcher:
        before = explain(searcher, "jar").cache
        searcher.search("jar")
        after = explain(searcher, "jar").cache
        other = explain(searcher, "jar", limit=3).cache
    assert ((False, "miss"), (True, "exact"), (False, "miss")) == tuple((it.hit, it.hit_type) for it in (before, after, other))
    assert (before.cache_key_prefix, 16) == (after.cache_key_prefix, len(other.cache_key_prefix))
    assert before.cache_key_prefix != other.cache_key_prefix


def test_a_file_in_the_answer_is_told_with_its_place_at_every_stage(searcher: Searcher) -> None:
    first = searcher.search(WORDS).hits[0]
    tracked = _tracked(searcher, WORDS, first.path)
    steps = {step.stage: step for step in tracked.steps}
    assert ("", "It is hit 1.", 1, 1) == (tracked.lost_at, tracked.verdict, steps["ranking"].rank, steps["answer"].rank)
    assert first.score == steps["answer"].score
    assert f"{first.path}:{first.start_line}-{first.end_line}" == steps["answer"].place
    assert ["keyword", "vector", "fusion", "ranking", "answer"] == [step.stage for step in tracked.steps]


def test_a_chunk_is_told_by_a_line_of_it(searcher: Searcher) -> None:
    hit = searcher.search(WORDS).hits[0]
    for line in (hit.start_line, hit.end_line):
        tracked = _tracked(searcher, WORDS, f"{hit.path}:{line}")
        assert (1, "It is hit 1.") == (tracked.chunks, tracked.verdict)


def test_a_symbol_is_told_by_its_name(searcher: Searcher) -> None:
    (tracked,) = explain(searcher, "ParseLabel", symbols=["ParseLabel"]).tracked
    assert ("ParseLabel", "It is hit 1.") == (tracked.name, tracked.verdict)


def test_of_several_symbols_the_best_ranked_is_told_of(searcher: Searcher) -> None:
    (tracked,) = explain(searcher, "take_oldest", symbols=["take_oldest"]).tracked
    first, second = (_tracked(searcher, "take_oldest", path) for path in ("src/pantry/shelf.py", "tests/test_shelf.py"))
    best, other = (first, second) if searcher.search("take_oldest").hits[0].path == first.name else (second, first)
    assert (2, best.contributions) == (tracked.chunks, tracked.contributions)
    assert best.contributions != other.contributions


def test_what_the_filters_keep_out_says_which(searcher: Searcher) -> None:
    tracked = _tracked(searcher, WORDS, "label.go", languages=["python"], kinds=["function"])
    assert ("filters", "It was kept out by the filter on languages.") == (tracked.lost_at, tracked.verdict)
    tracked = _tracked(searcher, WORDS, "label.go", paths=["label"], languages=["python"], kinds=["section"])
    assert "It was kept out by the filter on languages and kinds." == tracked.verdict


def test_filters_that_only_keep_it_out_together_are_told_together(searcher: Searcher) -> None:
    options: dict[str, Any] = {"kinds": ["function"], "symbol_name": "Print"}
    tracked = _tracked(searcher, WORDS, "label.go", **options)
    assert ("filters", "It was kept out by the filter on kinds and names.") == (tracked.lost_at, tracked.verdict)
    assert "filters" != _tracked(searcher, WORDS, "label.go", kinds=["function"]).lost_at


def test_what_no_retriever_found_says_where_it_would_have_come(searcher: Searcher) -> None:
    tracked = _tracked(searcher, "puttanesca", "label.go", mode="keyword")
    assert ("retrieval", "Keywords do not find it: it has none of the query's words.") == (tracked.lost_at, tracked.verdict)


def test_what_came_too_late_in_a_list_says_its_number(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    last = searcher.search("jar", mode="keyword", limit=100).hits[-1]
    monkeypatch.setattr("hardtack.query.retrieval.retrieve.DEPTH", 1)
    tracked = _tracked(searcher, "jar", f"{last.path}:{last.start_line}", mode="keyword", limit=1)
    assert "retrieval" == tracked.lost_at
    assert tracked.verdict.startswith("Keywords find it as number ")
    assert tracked.verdict.endswith("; the first 2 were taken.")


def test_what_ranking_leaves_behind_says_so(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.query.hits.gather._SPARE", 0)
    monkeypatch.setattr("hardtack.query.hits.gather._PER_HIT", 1)
    last = searcher.search(WORDS, limit=100).hits[-1]
    tracked = _tracked(searcher, WORDS, f"{last.path}:{last.start_line}", limit=2)
    assert ("ranking", "It was found, and stands behind the 2 that ranking kept.") == (tracked.lost_at, tracked.verdict)


def test_the_contributions_of_a_file_are_what_orders_files(searcher: Searcher) -> None:
    _, trace = searcher.traced(parse_request(searcher.bundle, WORDS))
    assert trace.ranking is not None
    scores = searcher.ranking.questions.scores(trace.ranking.table.values)
    added = [
        sum(each.contribution for each in contributions_to(trace.ranking, file)) for file in trace.ranking.table.files.tolist()
    ]
    assert len(FEATURES) * 0.005 > max(abs(sum_ - score) for sum_, score in zip(added, scores.tolist(), strict=True))


def test_what_the_first_hit_has_more_of_is_why_a_file_is_behind(searcher: Searcher) -> None:
    first, other = explain(searcher, WORDS, where=["shelf.py", "README.md"]).tracked
    assert ((), True) == (first.behind, bool(other.behind))
    ahead = sum(each.contribution for each in first.contributions) - sum(each.contribution for each in other.contributions)
    assert ahead <= sum(each.contribution for each in other.behind) + len(FEATURES) * 0.01
    assert sorted(-each.contribution for each in first.contributions) == [-each.contribution for each in first.contributions]


@pytest.mark.parametrize(
    ("text", "executed"), [("where is ParseLabel used", True), ("ShelfFull", True), ("jars for the winter", False)]
)
def test_a_definition_that_is_named_moves_its_file(searcher: Searcher, text: str, executed: bool) -> None:
    section = explain(searcher, text).definition_boost
    assert (executed, None) == (section.boosted_count > 0, section.boost_multiplier)
    assert section.executed == (section.rank_changes > 0)
    if not executed:
        assert 0 == section.rank_changes


def test_every_retriever_is_timed_on_its_own(searcher: Searcher) -> None:
    times = explain(searcher, WORDS, mode="keyword").timings
    assert (True, 0, 0) == (times["keyword_search_ms"] > 0, times["embedding_ms"], times["vector_search_ms"])
    times = explain(searcher, WORDS, mode="vector").timings
    assert (0, True, True) == (times["keyword_search_ms"], times["embedding_ms"] > 0, times["vector_search_ms"] > 0)


def test_what_scored_too_little_says_so(searcher: Searcher) -> None:
    last = searcher.search(WORDS, limit=100).hits[-1]
    tracked = _tracked(searcher, WORDS, f"{last.path}:{last.start_line}", min_score=0.99)
    assert ("min_score", f"It scored {last.score:.3f}, and 0.99 was the least wanted.") == (tracked.lost_at, tracked.verdict)


def test_what_came_after_the_limit_says_its_number(searcher: Searcher) -> None:
    hits = searcher.search(WORDS, limit=100).hits
    tracked = _tracked(searcher, WORDS, f"{hits[4].path}:{hits[4].start_line}", limit=2)
    number = next(step.rank for step in tracked.steps if step.stage == "ranking")
    assert ("limit", f"It was number {number} after ranking, and 2 hits were wanted.") == (tracked.lost_at, tracked.verdict)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"where": ["nowhere.py"]}, "The bundle has no file 'nowhere.py'."),
        ({"symbols": ["take_oldst"]}, "The bundle has no symbol 'take_oldst'."),
    ],
)
def test_what_is_not_there_cannot_be_told_of(searcher: Searcher, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        explain(searcher, WORDS, **arguments)
    assert message == str(refused.value)
    assert refused.value.hint


def test_a_trace_counts_the_time_between_its_laps(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 11.5, 12.0, 16.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(times))
    trace = Trace(Query(text="jar"), Reading(analyse("jar"), (), None))
    for stage in ("fusion", "ranking", "fusion"):
        trace.lap(stage)
    assert {"fusion": 5.5, "ranking": 0.5} == trace.times


def test_too_many_files_are_refused(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.query.explain.tracking.MAX_FILES", 2)
    with pytest.raises(UsageError, match=r"files match '\*\*'; at most 2 are told of\.$"):
        explain(searcher, WORDS, where=["**"])


def test_the_command_line_tells_the_same(searcher: Searcher, pantry_bundle: Path) -> None:
    asked = (
        "explain",
        "oldest",
        "jar",
        "-n",
        "3",
        "--package",
        "pantry",
        "--where",
        "shelf.py",
        "--symbol",
        "Jar",
        "-b",
        pantry_bundle,
    )
    section = json.loads(run(*asked, "--json").stdout)
    expected = explanation_to_json(
        explain(searcher, "oldest jar", limit=3, packages=["pantry"], where=["shelf.py"], symbols=["Jar"])
    )
    assert expected.keys() == section.keys()
    assert {name for name in expected if json.loads(json.dumps(expected[name])) != section[name]} <= {"timings"}
    text = run(*asked).stdout
    assert "\nsrc/pantry/shelf.py\n  It is hit 1.\n" in text
    assert "  filters   package pantry\n" in text


ISSUE = """Jars are lost when the shelf is full
#### Description
`Shelf.put` takes a jar and nobody is told that there is no room for it, which is wrong, as people look for their jars there.
  File "/usr/lib/python3/site-packages/pantry/shelf.py", line 12, in put
ValueError: no room
"""


def test_the_parts_of_an_issue_are_told(searcher: Searcher) -> None:
    explanation = explain(searcher, ISSUE)
    parts = {part.sort: part.count for part in explanation.query_analysis.parts}
    assert {"title": 1, "name": 1, "error": 1, "prose": 1, "template": 1, "frame": 1} == parts
    assert "Jars are lost when the shelf is full" == explanation.query_analysis.title
    assert () == explain(searcher, WORDS).query_analysis.parts


def test_a_file_that_a_traceback_goes_through_comes_first(searcher: Searcher) -> None:
    explanation = explain(searcher, ISSUE)
    assert "src/pantry/shelf.py" == explanation.answer.hits[0].path
