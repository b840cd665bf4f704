"""``analyze_query``: every key of each stage in its order, the hits of ``search_code``, and each tracked file and symbol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from hardtack.tools import analyze_query, search_code
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import run
from hardtack.tools.schema import output_schema
from hardtack.tools.tool import Call

SEED = {
    "query_analysis": ("original_query", "has_identifier", "normalized_keyword_query"),
    "search_mode": ("mode", "reason", "use_hybrid_flag", "has_content_text_column", "has_identifier_pattern"),
    "cache": ("checked", "hit", "hit_type", "cache_key_prefix"),
    "vector_search": ("result_count", "top_score", "bottom_score"),
    "keyword_search": ("executed", "normalized_query", "result_count", "top_ts_rank"),
    "fusion": ("executed", "k_constant", "vector_only_count", "keyword_only_count", "both_count", "total_fused"),
    "definition_boost": ("executed", "boost_multiplier", "boosted_count", "rank_changes"),
    "filtering": (
        *("language_filter", "symbol_type_filter", "symbol_name_filter"),
        *("min_score", "pre_filter_count", "post_filter_count"),
    ),
    "timings": (
        *("query_analysis_ms", "cache_check_ms", "embedding_ms", "vector_search_ms"),
        *("keyword_search_ms", "rrf_fusion_ms", "definition_boost_ms", "total_ms"),
    ),
    "results": (),
}
"""The keys that clients know from the tool that this one replaces, in their order."""


@pytest.fixture(scope="module")
def call(pantry_bundle: Path) -> Call:
    return Call(catalog=Catalog(named=[str(pantry_bundle)], clock=lambda: 0))


def _analysis(call: Call, **arguments: object) -> dict[str, Any]:
    outcome = run(analyze_query.TOOL, call, arguments)
    if outcome.error is None:
        jsonschema.validate(outcome.structured, output_schema(analyze_query.TOOL))
        assert json.loads(outcome.text) == outcome.structured
    return outcome.structured


def test_every_key_of_the_seed_is_there_in_its_order(call: Call) -> None:
    told = _analysis(call, query="getUserById")
    assert [*SEED] == [*told]
    for section, keys in SEED.items():
        if section != "results":
            assert list(keys) == [key for key in told[section] if key in keys]
    assert ("getUserById", True, "getUserById get User By Id") == tuple(told["query_analysis"].values())[:3]


def test_a_filter_that_was_not_asked_for_is_null(call: Call) -> None:
    plain, narrowed = (
        _analysis(call, query="jar", **more)["filtering"] for more in ({}, {"language": "py", "symbol_type": "method"})
    )
    assert (None, None, None) == tuple(plain[key] for key in SEED["filtering"][:3])
    assert (["python"], ["method"], None) == tuple(narrowed[key] for key in SEED["filtering"][:3])


@pytest.mark.parametrize(
    ("asked", "mode", "flag"),
    [
        ({}, "hybrid", None),
        ({"use_hybrid_search": True}, "hybrid", True),
        ({"use_hybrid_search": False}, "vector-only", False),
        ({"search_mode": "keyword"}, "keyword-only", None),
        ({"search_mode": "keyword", "use_hybrid_search": False}, "keyword-only", False),
    ],
)
def test_the_mode_and_the_flag_are_told(call: Call, asked: dict[str, Any], mode: str, flag: bool | None) -> None:
    told = _analysis(call, query="oldest jar", **asked)["search_mode"]
    assert (mode, flag) == (told["mode"], told["use_hybrid_flag"])


def test_its_results_are_those_of_search_code(call: Call) -> None:
    asked = {"query": "oldest jar", "limit": 5, "language": "python"}
    results = _analysis(call, **asked)["results"]
    searched = run(search_code.TOOL, call, {**asked, "smart_context": True}).structured["result"]
    for result, hit in zip(results, searched, strict=True):
        assert result == {key: value for key, value in hit.items() if key not in ("imports", "related")}


def test_what_is_followed_is_told_of(call: Call) -> None:
    told = _analysis(call, query="oldest jar", limit=1, track_paths=["docs/guide.md"], track_symbols=["Shelf.take_oldest"])
    guide, symbol = told["tracked"]
    assert ("docs/guide.md", "limit") == (guide["name"], guide["lost_at"])
    assert ("Shelf.take_oldest", "", "It is hit 1.") == (symbol["name"], symbol["lost_at"], symbol["verdict"])
    assert "tracked" not in _analysis(call, query="oldest jar")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": ""}, "QUERY_EMPTY"),
        ({"query": "jar", "limit": 0}, "LIMIT_INVALID"),
        ({"query": "jar", "index_name": "gone"}, "INDEX_NOT_FOUND"),
        ({"query": "jar", "symbol_type": "widget"}, "SYMBOL_TYPE_INVALID"),
        ({"query": "jar", "track_paths": ["gone.py"]}, "FILE_NOT_FOUND"),
        ({"query": "jar", "track_symbols": ["gone_for_good"]}, "SYMBOL_NOT_FOUND"),
        ({"query": "jar", "context_before": 3}, "INVALID_REQUEST"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_code(call: Call, arguments: dict[str, Any], code: str) -> None:
    assert code == _analysis(call, **arguments)["error"]["code"]
