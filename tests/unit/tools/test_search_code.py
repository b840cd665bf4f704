"""``search_code``: the fields of a hit, the hits of the library, filters, context, and every refusal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from checkouts import git

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.store.built import BuiltHere
from hardtack.store.cache import BundleCache
from hardtack.tools import search_code, tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome, run
from hardtack.tools.schema import input_schema, output_schema
from hardtack.tools.tool import Call

COMMITTED = 981_173_107
"""When the pantry's commit was made, seconds since 1970."""
DAY = 86_400

SEED_FIELDS = (
    *("file_path", "start_line", "end_line", "score", "content", "block_type", "hierarchy", "language_id", "symbol_type"),
    *("symbol_name", "symbol_signature", "match_type", "vector_score", "keyword_score", "context_before", "context_after"),
)
"""Fields that clients know from the tool that this one replaces, in their order."""


@pytest.fixture(scope="module")
def call(pantry_bundle: Path, kitchen_bundle: Path) -> Call:
    return Call(catalog=Catalog(named=[str(pantry_bundle), str(kitchen_bundle)], clock=lambda: COMMITTED + DAY))


def _run(call: Call, arguments: object) -> Outcome:
    outcome = run(search_code.TOOL, call, arguments)
    if outcome.error is None:
        jsonschema.validate(outcome.structured, output_schema(search_code.TOOL))
        items = [item for item in json.loads(outcome.text) if item.get("type") != "hint"]
        assert items == json.loads(json.dumps(outcome.structured["result"]))
    return outcome


def _hits(call: Call, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = [item for item in _run(call, arguments).structured["result"] if "type" not in item]
    return hits


def _code(call: Call, arguments: object) -> str:
    code: str = _run(call, arguments).structured["error"]["code"]
    return code


def test_a_hit_has_the_fields_of_the_seed_in_its_order(call: Call) -> None:
    arguments = {"query": "take_oldest", "limit": 1, "context_before": 2, "context_after": 2, "smart_context": False}
    (hit,) = _hits(call, arguments)
    assert [field for field in SEED_FIELDS if field not in ("context_before", "context_after") or field in hit] == [
        field for field in hit if field in SEED_FIELDS
    ]
    assert ("src/pantry/shelf.py", "method", "Shelf.take_oldest", "python") == (
        *(hit[field] for field in ("file_path", "block_type", "hierarchy", "language_id")),
    )
    assert ("method", "take_oldest", "def take_oldest(self) -> Jar") == (
        *(hit[field] for field in ("symbol_type", "symbol_name", "symbol_signature")),
    )


def test_the_request_of_the_seed_is_taken_as_it_stands(call: Call) -> None:
    request = {
        "query": "JWT token validation",
        "index_name": "pantry",
        "limit": 5,
        "language": "python",
        "use_hybrid_search": True,
        "symbol_type": "function",
        "context_before": 3,
        "context_after": 3,
        "smart_context": False,
    }
    assert {"function"} == {hit["symbol_type"] for hit in _hits(call, request)}
    assert _run(call, request).structured == _run(call, {**request, "language": "py", "symbol_type": ["function"]}).structured


def test_what_is_ours_stands_after_the_fields_of_the_seed(call: Call) -> None:
    (hit,) = _hits(call, {"query": "take_oldest", "limit": 1})
    own = [field for field in hit if field not in SEED_FIELDS]
    assert ["rank", "chunk_id", "index_name", "freshness", "imports", "uri"] == own
    assert (1, "pantry", "unknown") == (hit["rank"], hit["index_name"], hit["freshness"])
    assert f"hardtack://pantry/src/pantry/shelf.py#L{hit['start_line']}-L{hit['end_line']}" == hit["uri"]


def test_the_lines_told_are_those_of_the_content(call: Call, pantry: Path) -> None:
    for hit in _hits(call, {"query": "jars on a shelf", "limit": 20}):
        text = (pantry / hit["file_path"]).read_bytes().decode().split("\n")
        shown = [line.rstrip("\r")[:197] for line in text[hit["start_line"] - 1 : hit["end_line"]]]
        assert shown == [line[:197] for line in hit["content"].split("\n")]


def test_what_says_nothing_is_left_out_but_the_signature_is_null(call: Call) -> None:
    (hit,) = _hits(call, {"query": "Jars with vinegar keep for years", "limit": 1, "language": "markdown"})
    assert "symbol_signature" in hit
    for other in _hits(call, {"query": "jar", "limit": 100}):
        assert all(value not in (None, "", []) for field, value in other.items() if field != "symbol_signature")


@pytest.mark.parametrize(
    ("narrowed", "field", "allowed"),
    [
        ({"language": "py"}, "language_id", {"python"}),
        ({"language": "typescript, golang"}, "language_id", {"typescript", "go"}),
        ({"symbol_type": "function"}, "symbol_type", {"function"}),
        ({"symbol_type": ["method", "class"]}, "symbol_type", {"method", "class", "struct", "enum"}),
        ({"symbol_name": "TAKE*"}, "symbol_name", {"take_oldest", "takeOldest", "TakeOldest"}),
        (
            {"filters": {"file_pattern": "src/**/*.py"}},
            "file_path",
            {"src/pantry/__init__.py", "src/pantry/shelf.py", "src/pantry/advice.py"},
        ),
        ({"filters": {"symbol_types": ["interface"]}}, "symbol_type", {"interface", "trait"}),
        ({"filters": {"packages": ["src/pantry"]}}, "language_id", {"python"}),
        ({"filters": {"returns": "Jar"}}, "symbol_name", {"take_oldest"}),
        ({"filters": {"param_type": "Jar"}}, "symbol_name", {"put", "__init__", "suggest_dish"}),
    ],
)
def test_what_narrows_a_search_holds_for_every_hit(call: Call, narrowed: dict[str, Any], field: str, allowed: set[str]) -> None:
    found = {hit[field] for hit in _hits(call, {"query": "take the oldest jar", "limit": 100, **narrowed})}
    assert found and found <= allowed, found


def test_the_least_relevance_is_kept_to(call: Call) -> None:
    scores = [hit["score"] for hit in _hits(call, {"query": "oldest jar", "limit": 100, "filters": {"min_relevance": 0.2}})]
    assert scores and min(scores) >= 0.2


@pytest.mark.parametrize(
    ("asked", "match_types"),
    [
        ({"use_hybrid_search": False}, {"semantic"}),
        ({"search_mode": "vector"}, {"semantic"}),
        ({"search_mode": "keyword", "use_hybrid_search": False}, {"keyword"}),
    ],
)
def test_the_mode_goes_by_its_name_or_by_the_flag(call: Call, asked: dict[str, Any], match_types: set[str]) -> None:
    assert match_types == {hit["match_type"] for hit in _hits(call, {"query": "oldest jar", **asked})}
    hybrid = _run(call, {"query": "oldest jar"}).structured
    assert hybrid == _run(call, {"query": "oldest jar", "use_hybrid_search": True}).structured


def test_smart_context_brings_what_is_around_and_a_files_imports_once(call: Call) -> None:
    hits = _hits(call, {"query": "shelf", "limit": 100, "symbol_type": ["function", "class", "method"]})
    with_imports = [hit["file_path"] for hit in hits if "imports" in hit]
    assert with_imports and len(with_imports) == len(set(with_imports))
    plain = _hits(call, {"query": "shelf", "limit": 100, "smart_context": False})
    assert not any("imports" in hit or "related" in hit for hit in plain)


def test_lines_around_a_hit_come_when_they_are_asked_for(call: Call) -> None:
    (hit,) = _hits(call, {"query": "retryWithBackoff", "limit": 1, "context_before": 0, "context_after": 2})
    assert (False, 1, False) == ("context_before" in hit, hit["context_after"].count("\n"), "imports" in hit)


def test_several_indexes_are_searched_as_one_and_each_hit_names_its_own(call: Call) -> None:
    hits = _hits(call, {"query": "jar recipe oven", "index_names": ["pantry", "kitchen", "pantry"], "limit": 100})
    assert {"pantry", "kitchen"} == {hit["index_name"] for hit in hits}
    assert all(hit["uri"].startswith(f"hardtack://{hit['index_name']}/{hit['file_path']}#") for hit in hits)
    (guide,) = (hit for hit in hits if hit["file_path"] == "docs/guide.md")
    assert {"pantry", "kitchen"} == {guide["index_name"], guide["also"][0]["index_name"]}
    assert _hits(call, {"query": "oven", "index_names": ["kitchen"]}) == _hits(call, {"query": "oven", "index_name": "kitchen"})


def test_an_index_that_was_found_is_introduced_and_one_that_was_named_is_not(pantry_bundle: Path) -> None:
    found = Call(catalog=Catalog(roots=[pantry_bundle.parent], clock=lambda: COMMITTED))
    header = {
        "type": "search_context",
        "searching": "pantry",
        "index_name": "pantry",
        "last_indexed_at": "2001-02-03T04:05:07Z",
    }
    first = _run(found, {"query": "jar", "limit": 1}).structured["result"]
    assert (header, 2) == (first[0], len(first))
    for named in ({"index_name": "pantry"}, {"index_names": ["pantry"]}):
        assert "type" not in _run(found, {"query": "jar", "limit": 1, **named}).structured["result"][0]


def test_an_old_index_is_no_reason_for_a_warning(pantry_bundle: Path) -> None:
    catalog = Catalog(named=[str(pantry_bundle)], clock=lambda: COMMITTED + 900 * DAY)
    assert "type" not in _run(Call(catalog=catalog), {"query": "jar", "limit": 1}).structured["result"][-1]


def test_that_the_checkout_has_moved_on_is_said_unasked_in_one_line_of_every_answer(pantry: Path, tmp_path: Path) -> None:
    shutil.copytree(pantry, tmp_path / "pantry")
    cache = BundleCache(tmp_path / "cache")
    build_bundle(tmp_path / "pantry", None, BuildOptions(jobs=1, profile="keyword"), own=BuiltHere(lambda: cache))
    call = Call(catalog=Catalog(starts=[tmp_path / "pantry" / "src"], cache=lambda: cache))
    asked: dict[str, dict[str, Any]] = {
        "open_file": {"path": "README.md"},
        "search": {"query": "jar"},
        "find_references": {"symbol_name": "Shelf"},
        "get_function_details": {"function_name": "take_oldest"},
        "find_similar": {"path": "src/pantry/shelf.py", "line": 20},
    }
    for name, arguments in asked.items():
        assert "Note: " not in run(tool_named(name), call, arguments).text
    (tmp_path / "pantry" / "README.md").write_text("# Cupboard\n")
    git(tmp_path / "pantry", "commit", "-q", "-a", "-m", "another name")
    for name, arguments in asked.items():
        outcome = run(tool_named(name), call, arguments)
        said = "Note: this is of the working tree: 1 file differs from the bundle pantry of "
        assert (1, 1) == (outcome.text.count(said), json.dumps(outcome.structured).count(said)), name
    assert not any("commits_behind" in each for each in _run(call, {"query": "jar"}).structured["result"])
    as_built = Call(catalog=Catalog(starts=[tmp_path / "pantry"], cache=lambda: cache, as_built=True))
    assert 1 == run(tool_named("open_file"), as_built, {"path": "README.md"}).text.count(": 1 file changed.")
    (*_, note) = _run(as_built, {"query": "jar"}).structured["result"]
    assert ("branch_staleness_warning", 1, True) == (note["type"], note["commits_behind"], "; 1 file changed." in note["message"])


def test_a_checkout_is_of_the_first_index_alone(pantry_bundle: Path, kitchen_bundle: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("1" * 40)

    def notes(*bundles: Path) -> list[tuple[str, str]]:
        call = Call(catalog=Catalog(named=[*map(str, bundles)], checkout=tmp_path, clock=lambda: COMMITTED))
        result = _run(call, {"query": "jar", "index_names": ["pantry", "kitchen"]}).structured["result"]
        return [(item["type"], item["index_name"]) for item in result if "type" in item]

    assert [("branch_staleness_warning", "pantry")] == notes(pantry_bundle, kitchen_bundle)
    assert [] == notes(kitchen_bundle, pantry_bundle)


def test_the_checkout_says_what_is_fresh_and_its_commit_what_is_not(pantry_bundle: Path, pantry: Path) -> None:
    call = Call(catalog=Catalog(named=[str(pantry_bundle)], checkout=pantry, clock=lambda: COMMITTED))
    assert {"fresh"} == {hit["freshness"] for hit in _hits(call, {"query": "jar"})}


def test_a_budget_shortens_what_is_shown_before_it_loses_a_hit(call: Call) -> None:
    whole = _hits(call, {"query": "shelf", "limit": 10})
    small = _run(call, {"query": "shelf", "limit": 10, "max_tokens": 2300})
    hits = small.structured["result"]
    assert [hit["chunk_id"] for hit in whole] == [hit["chunk_id"] for hit in hits]
    assert len(small.text.encode()) <= 9_200 < len(json.dumps(whole))
    assert "truncated" not in small.structured


def test_a_budget_that_is_too_small_loses_the_last_hits_and_says_so(call: Call) -> None:
    small = _run(call, {"query": "shelf", "limit": 10, "max_tokens": 300}).structured
    assert (True, True) == (1 <= len(small["result"]) < 10, small["truncated"])
    assert small["hint"].startswith("Hits were cut to fit")


def test_a_budget_gives_the_hits_that_the_command_line_gives_for_it(call: Call, searcher: Searcher) -> None:
    from hardtack.render import RENDERERS, Style

    for tokens in (300, 1000, 2000, 20_000):
        answer = searcher.search("shelf", surroundings=True)
        printed = json.loads(RENDERERS["json"](answer, Style(max_tokens=tokens)))["hits"]
        given = _hits(call, {"query": "shelf", "max_tokens": tokens})
        assert [(hit["chunk_id"], hit.get("snippet")) for hit in printed] == [
            (hit["chunk_id"], hit.get("content")) for hit in given
        ]


def test_more_than_can_be_given_is_cut_down_and_said(call: Call) -> None:
    outcome = _run(call, {"query": "jar", "limit": 10**9}).structured
    assert (True, "At most 100 hits") == (outcome["truncated"], outcome["hint"][:16])


def test_nothing_found_is_no_error(call: Call) -> None:
    outcome = _run(call, {"query": "zzzqqqxyw", "search_mode": "keyword"})
    assert (None, [], "Nothing found; try other words.") == (
        outcome.error,
        outcome.structured["result"],
        outcome.structured["hint"],
    )
    assert [{"type": "hint", "message": "Nothing found; try other words."}] == json.loads(outcome.text)


@pytest.mark.parametrize(
    ("arguments", "code", "details"),
    [
        ({"query": " \n"}, "QUERY_EMPTY", ()),
        ({"query": "x" * 65_537}, "QUERY_TOO_LONG", ("characters", "most")),
        ({"query": "x" * 1_000_000}, "QUERY_TOO_LONG", ("characters", "most")),
        ({"query": "jar", "limit": 0}, "LIMIT_INVALID", ()),
        ({"query": "jar", "limit": -1}, "LIMIT_INVALID", ()),
        ({"query": "jar", "language": "cobol"}, "LANGUAGE_UNKNOWN", ("language", "available")),
        ({"query": "jar", "symbol_type": "widget"}, "SYMBOL_TYPE_INVALID", ("available",)),
        ({"query": "jar", "filters": {"symbol_types": ["widget"]}}, "SYMBOL_TYPE_INVALID", ("available",)),
        ({"query": "jar", "filters": {"ddd_patterns": ["widget"]}}, "INVALID_REQUEST", ("available",)),
        ({"query": "jar", "search_mode": "magic"}, "MODE_INVALID", ("available",)),
        ({"query": "jar", "index_name": "gone"}, "INDEX_NOT_FOUND", ("available",)),
        ({"query": "jar", "index_names": ["pantry", "gone"]}, "INDEX_NOT_FOUND", ("available",)),
        ({}, "INVALID_REQUEST", ("param",)),
        ({"query": 5}, "INVALID_REQUEST", ("param",)),
        ({"query": "jar", "context_before": -1}, "INVALID_REQUEST", ("param",)),
        ({"query": "jar", "max_tokens": 0}, "INVALID_REQUEST", ("param",)),
        ({"query": "jar", "filters": {"min_relevance": 2}}, "INVALID_REQUEST", ("param",)),
        ({"query": "jar", "filters": {"unheard": 1}}, "INVALID_REQUEST", ("param",)),
        ({"query": "jar", "unheard": 1}, "INVALID_REQUEST", ("param",)),
        ([], "INVALID_REQUEST", ("reason",)),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_code(call: Call, arguments: object, code: str, details: tuple[str, ...]) -> None:
    error = _run(call, arguments).structured["error"]
    assert (code, details) == (error["code"], tuple(error.get("details", ())))


def test_vectors_are_not_to_be_had_where_there_are_none(bare_bundle: Path) -> None:
    call = Call(catalog=Catalog(named=[str(bare_bundle)]))
    outcome = _run(call, {"query": "jar", "search_mode": "vector"})
    assert "EMBEDDING_UNAVAILABLE" == outcome.structured["error"]["code"]
    assert str(bare_bundle.parent) not in outcome.text
    assert "by keyword alone" in _run(call, {"query": "jar"}).structured["hint"]


def test_without_text_a_hit_is_where_its_chunk_is(bare_bundle: Path) -> None:
    (hit,) = _hits(Call(catalog=Catalog(named=[str(bare_bundle)])), {"query": "ShelfFull", "limit": 1})
    with open_bundle(bare_bundle) as bare:
        (same,) = bare.search("ShelfFull", limit=1).hits
    assert ((same.start_line, same.end_line), False) == ((hit["start_line"], hit["end_line"]), "content" in hit)


def test_the_schema_takes_one_kind_of_symbol_or_several() -> None:
    properties = input_schema(search_code.TOOL)["properties"]
    types = [option.get("type") for option in properties["symbol_type"]["anyOf"]]
    assert ["string", "array"] == types
    assert ["query"] == input_schema(search_code.TOOL)["required"]
