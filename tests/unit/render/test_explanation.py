"""An explanation as text and as JSON equals its files in ``fixtures/answers``; ``--update-golden`` writes them anew."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hits import HIT

from hardtack.nouns.explanation import (
    CacheLookup,
    Contribution,
    DefinitionBoost,
    Explanation,
    Filtering,
    Fusion,
    KeywordSearch,
    QueryAnalysis,
    SearchMode,
    Step,
    Tracked,
    VectorSearch,
)
from hardtack.nouns.model import Answer, Mode
from hardtack.render.explanation import explanation_to_json, render_explanation
from hardtack.render.style import PLAIN, Style

ANSWERS = Path(__file__).parents[3] / "fixtures" / "answers"

EXPLAINED = Explanation(
    query_analysis=QueryAnalysis(
        original_query='method that takes the "oldest jar" in\tpython \x1b[31m',
        has_identifier=False,
        normalized_keyword_query="method that takes the oldest jar in python",
        is_symbol_like=False,
        terms=("method", "that", "takes", "the", "oldest", "jar", "in", "python"),
        content_words=("method", "takes", "oldest", "jar", "python"),
        identifiers=(),
        literals=("oldest jar",),
        kinds=("method",),
        subjects=(),
        languages=("python",),
        paths=(),
    ),
    search_mode=SearchMode(
        mode="hybrid",
        reason="Hybrid is the default",
        use_hybrid_flag=None,
        has_content_text_column=True,
        has_identifier_pattern=False,
    ),
    cache=CacheLookup(checked=True, hit=False, hit_type="miss", cache_key_prefix="0123456789abcdef"),
    vector_search=VectorSearch(executed=True, result_count=100, top_score=0.61, bottom_score=0.2),
    keyword_search=KeywordSearch(
        executed=True,
        normalized_query="method that takes the oldest jar in python",
        result_count=40,
        top_ts_rank=0.9,
        bottom_ts_rank=0.1,
    ),
    fusion=Fusion(executed=True, k_constant=60, vector_only_count=80, keyword_only_count=20, both_count=20, total_fused=120),
    definition_boost=DefinitionBoost(executed=True, boost_multiplier=None, boosted_count=3, rank_changes=2),
    filtering=Filtering(
        filters={
            "language_filter": ["python"],
            "symbol_type_filter": None,
            "symbol_name_filter": "take_*",
            "path_filter": None,
            "exclude_filter": None,
            "tag_filter": None,
            "package_filter": ["pantry"],
            "parameter_type_filter": None,
            "returns_filter": "Jar",
        },
        min_score=0.5,
        pre_filter_count=120,
        post_filter_count=9,
    ),
    timings={
        "query_analysis_ms": 0.05,
        "cache_check_ms": 0.0,
        "embedding_ms": 0.2,
        "vector_search_ms": 0.3,
        "keyword_search_ms": 0.4,
        "rrf_fusion_ms": 0.1,
        "definition_boost_ms": 12.25,
        "snippets_ms": 1.0,
        "total_ms": 14.3,
    },
    answer=Answer(
        query="oldest jar",
        mode=Mode.HYBRID,
        hits=(HIT, HIT._replace(rank=2, score=0.6, path="notes.txt", kind="", name="", qualified_name="", reasons=())),
        truncated=True,
        hint="",
        bundle_digest="sha256:" + "a" * 64,
        bundle_commit="b" * 40,
        bundle_name="pantry",
    ),
    tracked=(
        Tracked(
            name="src/pantry/jar.py",
            chunks=4,
            steps=(
                Step(stage="keyword", rank=3, of=40, score=0.7, place="src/pantry/jar.py:1-20"),
                Step(stage="vector", rank=None, of=100, score=None, place=""),
                Step(stage="ranking", rank=14, of=120, score=0.55, place="src/pantry/jar.py:1-20"),
                Step(stage="answer", rank=None, of=2, score=None, place=""),
            ),
            lost_at="limit",
            verdict="It was number 14 after ranking, and 2 hits were wanted.",
            role="amalgamation",
            contributions=(Contribution(feature="body_coverage", value=0.5, contribution=1.25),),
            behind=(Contribution(feature="name_match", value=1.0, contribution=-2.5),),
        ),
    ),
)
NOTHING = replace(
    EXPLAINED,
    vector_search=VectorSearch(executed=False, result_count=0, top_score=None, bottom_score=None),
    keyword_search=replace(EXPLAINED.keyword_search, result_count=0, top_ts_rank=None, bottom_ts_rank=None),
    answer=EXPLAINED.answer._replace(hits=()),
    tracked=(),
)


@pytest.mark.parametrize(
    ("file", "rendered"),
    [
        ("explained.txt", render_explanation(EXPLAINED, PLAIN)),
        ("explained.color.txt", render_explanation(EXPLAINED, Style(color=True))),
        ("explained.nothing.txt", render_explanation(NOTHING, PLAIN)),
        ("explained.json", json.dumps(explanation_to_json(EXPLAINED), ensure_ascii=False, indent=2) + "\n"),
    ],
)
def test_every_shape_is_the_one_that_is_kept(file: str, rendered: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        (ANSWERS / file).write_text(rendered, encoding="utf-8", newline="")
    assert (ANSWERS / file).read_bytes().decode() == rendered


CONTRACT = {
    "query_analysis": "original_query has_identifier normalized_keyword_query",
    "search_mode": "mode reason use_hybrid_flag has_content_text_column has_identifier_pattern",
    "cache": "checked hit hit_type cache_key_prefix",
    "vector_search": "result_count top_score bottom_score",
    "keyword_search": "executed normalized_query result_count top_ts_rank",
    "fusion": "executed k_constant vector_only_count keyword_only_count both_count total_fused",
    "definition_boost": "executed boost_multiplier boosted_count rank_changes",
    "filtering": "language_filter symbol_type_filter symbol_name_filter min_score pre_filter_count post_filter_count",
    "timings": "query_analysis_ms cache_check_ms embedding_ms vector_search_ms keyword_search_ms rrf_fusion_ms "
    "definition_boost_ms total_ms",
}


def test_the_json_has_every_field_of_the_contract() -> None:
    document = explanation_to_json(EXPLAINED)
    assert {} == {
        section: missing
        for section, fields in CONTRACT.items()
        if (missing := [field for field in fields.split() if field not in document[section]])
    }
    assert [1, 2] == [hit["rank"] for hit in document["results"]]
