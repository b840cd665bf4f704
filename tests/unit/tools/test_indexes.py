"""``list_indexes``, ``index_stats`` and ``get_status``: what they report on the bundles that are served."""

from __future__ import annotations

import json
import os
import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from checkouts import git, init
from tool_calls import outcome_of

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.naming import OWN_PLACE
from hardtack.bundle.reader import open_bundle
from hardtack.render.stats import readable_size
from hardtack.tools import tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome
from hardtack.tools.schema import output_schema
from hardtack.tools.tool import Call

COMMITTED = 981_173_107
DAY = 86_400

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def installed(pantry_bundle: Path, bare_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two installed bundles; tests must not write into them."""
    root = tmp_path_factory.mktemp("installed")
    shutil.copytree(pantry_bundle, root / "pantry")
    shutil.copytree(bare_bundle, root / "plain")
    return root


@pytest.fixture(scope="module")
def catalog(installed: Path, pantry: Path) -> Catalog:
    return Catalog(roots=[installed], checkout=pantry, clock=lambda: COMMITTED + 9 * DAY)


def _run(catalog: Catalog, name: str, **arguments: Any) -> Outcome:
    """The outcome of a call, checked against the schema of the tool."""
    return outcome_of(Call(catalog=catalog), name, **arguments)


@pytest.fixture
def ask(catalog: Catalog) -> Ask:
    """The text of an answer, parsed as JSON."""
    return lambda name, **arguments: json.loads(_run(catalog, name, **arguments).text)


# -- list_indexes -----------------------------------------------------------------------------------------------------------------


def test_indexes_are_listed_with_the_digest_of_their_bundles(ask: Ask, pantry_bundle: Path, bare_bundle: Path) -> None:
    with open_bundle(pantry_bundle) as pantry, open_bundle(bare_bundle) as bare:
        expected = [{"name": "pantry", "table_name": pantry.digest}, {"name": "plain", "table_name": bare.digest}]
    assert expected == ask("list_indexes")


def test_listing_opens_no_bundle(installed: Path) -> None:
    catalog = Catalog(roots=[installed])
    _run(catalog, "list_indexes")
    assert [None, None] == [entry.opened for entry in catalog.entries()]


def test_without_indexes_the_list_is_empty_and_says_how_to_build_one(tmp_path: Path) -> None:
    outcome = _run(Catalog(starts=[tmp_path]), "list_indexes")
    assert {"result": [], "hint": "No index is served. Build one with: hardtack build SRC"} == outcome.structured


def test_an_index_that_cannot_be_read_is_named_and_the_others_are_listed(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path / "roots")
    os.truncate(tmp_path / "roots" / "pantry" / "manifest.json", 30)
    for tool in ("list_indexes", "index_stats"):
        structured = _run(Catalog(roots=[tmp_path / "roots"]), tool).structured
        assert ["plain"] == [index["name"] for index in structured["result"]]
        assert "Cannot be read: pantry; get_status says why." == structured["hint"]


def test_a_deleted_bundle_that_is_still_open_is_still_listed(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path / "roots")
    catalog = Catalog(roots=[tmp_path / "roots"])
    with catalog.searcher("pantry") as searcher:
        digest = searcher.bundle.digest
    shutil.rmtree(tmp_path / "roots" / "pantry")
    assert {"name": "pantry", "table_name": digest} in _run(catalog, "list_indexes").structured["result"]


# -- index_stats ------------------------------------------------------------------------------------------------------------------


def test_statistics_of_one_index_have_the_seeds_fields_in_its_order(ask: Ask, pantry_bundle: Path) -> None:
    stats = ask("index_stats", index_name="pantry")
    assert [
        *("name", "file_count", "chunk_count", "storage_size", "storage_size_pretty", "created_at", "updated_at", "is_stale"),
        *("staleness_days", "languages", "symbols", "parse_stats", "warnings", "commit_hash", "commits_behind", "embedding_model"),
        "roles",
    ] == list(stats)
    with open_bundle(pantry_bundle) as bundle:
        counts, size = bundle.manifest.counts, sum(member.size for member in bundle.manifest.members)
        assert (counts.files, counts.chunks, size) == (stats["file_count"], stats["chunk_count"], stats["storage_size"])
        assert bundle.manifest.provenance.commit == stats["commit_hash"]
        assert counts.symbols == sum(stats["symbols"].values())
        assert counts.files == sum(stats["roles"].values())
    assert readable_size(size) == stats["storage_size_pretty"]
    assert ("2001-02-03T04:05:07Z", "2001-02-03T04:05:07Z") == (stats["created_at"], stats["updated_at"])
    assert (False, 9, 0) == (stats["is_stale"], stats["staleness_days"], stats["commits_behind"])
    assert [] == stats["warnings"]
    assert ["language", "file_count", "chunk_count", "line_count"] == list(stats["languages"][0])
    assert ("python", "static") == (stats["languages"][0]["language"], stats["embedding_model"])
    parsed = stats["parse_stats"]
    assert ["parse_health_pct", "total_files", "total_ok", "by_language"] == list(parsed)
    assert ["files", "ok", "partial", "error", "no_grammar"] == list(parsed["by_language"]["python"])
    assert parsed["total_files"] == sum(counts["files"] for counts in parsed["by_language"].values())


def test_without_a_name_there_is_a_list_of_all(ask: Ask, catalog: Catalog) -> None:
    stats = ask("index_stats")
    assert [ask("index_stats", index_name=name) for name in ("pantry", "plain")] == stats
    assert ["result"] == list(_run(catalog, "index_stats").structured)


def test_an_index_of_another_repository_is_not_held_against_the_checkout(pantry: Path, pantry_bundle: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(pantry, other)
    git(other, "commit", "--quiet", "--amend", "--message", "x")
    build_bundle(other, tmp_path / "bundles" / "other", BuildOptions(jobs=1, profile="keyword"))
    for first, second, expected in (
        (pantry_bundle, tmp_path / "bundles" / "other", [False, False]),
        (tmp_path / "bundles" / "other", pantry_bundle, [True, False]),
    ):
        catalog = Catalog(named=[str(first), str(second)], checkout=pantry, clock=lambda: COMMITTED)
        stats = _run(catalog, "index_stats").structured["result"]
        assert expected == [any("Index is of commit" in warning for warning in each["warnings"]) for each in stats]


def test_failures_are_given_when_they_are_asked_for(ask: Ask) -> None:
    stats = ask("index_stats", index_name="pantry", include_failures=True)
    counted = stats["parse_stats"]["total_files"] - stats["parse_stats"]["total_ok"]
    assert counted == len(stats["parse_failures"])
    for failure in stats["parse_failures"]:
        assert ["file_path", "language", "parse_status", "error_message"] == list(failure)


def test_statistics_of_an_index_that_is_not_served_are_an_error(catalog: Catalog) -> None:
    outcome = _run(catalog, "index_stats", index_name="nonexistent")
    assert "INDEX_NOT_FOUND" == outcome.structured["error"]["code"]
    assert {"available": ["pantry", "plain"]} == outcome.structured["error"]["details"]


def test_the_seeds_examples_fit_what_is_published() -> None:
    parsed = {"files": 180, "ok": 175, "partial": 3, "error": 2, "no_grammar": 0}
    parse_stats = {"parse_health_pct": 95.2, "total_files": 342, "total_ok": 325, "by_language": {"python": parsed}}
    example = {
        "name": "my-api-server",
        "file_count": 342,
        "chunk_count": 1523,
        "storage_size": 8421376,
        "storage_size_pretty": "8.0 MB",
        "created_at": "2026-01-15T10:30:00Z",
        "updated_at": "2026-02-05T14:22:00Z",
        "is_stale": False,
        "staleness_days": 1,
        "languages": [{"language": "python", "file_count": 180, "chunk_count": 890, "line_count": 12500}],
        "symbols": {"function": 450, "class": 85, "method": 320, "interface": 25},
        "parse_stats": parse_stats,
        "warnings": ["Index is stale (9 days since last update)"],
    }
    assert example["storage_size_pretty"] == readable_size(8421376)
    schema = output_schema(tool_named("index_stats"))
    without_languages = {**example, "parse_stats": {**parse_stats, "by_language": {}}}
    for answer in (example, {"result": [example, without_languages]}):
        jsonschema.validate(answer, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**example, "file_count": "342"}, schema)
    indexes = {"result": [{"name": "my-api-server", "table_name": "cocosearch_my_api_server"}]}
    jsonschema.validate(indexes, output_schema(tool_named("list_indexes")))


# -- get_status -------------------------------------------------------------------------------------------------------------------


def test_the_status_of_an_index_has_the_contracts_shape(ask: Ask) -> None:
    status = ask("get_status", index_name="pantry")
    assert ["success", "indexed", "project", "statistics", "health", "message", "checkout"] == list(status)
    assert (True, True) == (status["success"], status["indexed"])
    assert ["id", "name", "index_version", "module_name", "commit"] == list(status["project"])
    assert ("pantry", "pantry", "1") == tuple(status["project"][key] for key in ("name", "module_name", "index_version"))
    assert [
        *("total_files", "total_symbols", "total_chunks", "total_embeddings", "index_size_mb", "last_indexed_at"),
    ] == list(status["statistics"])
    assert status["statistics"]["total_chunks"] == status["statistics"]["total_embeddings"]
    assert {"database_accessible": True, "embeddings_available": True, "fts_indexes_built": True} == status["health"]


def test_without_arguments_the_first_index_is_meant(ask: Ask) -> None:
    assert ask("get_status", index_name="pantry") == ask("get_status")


def test_a_keyword_only_bundle_has_no_embeddings_and_says_so(ask: Ask) -> None:
    status = ask("get_status", path="plain")
    assert (0, False) == (status["statistics"]["total_embeddings"], status["health"]["embeddings_available"])
    assert "It was built without vectors: searches are by keyword alone." in status["warnings"]


def test_a_directory_is_known_by_the_bundle_that_was_built_of_it(pantry_bundle: Path, tmp_path: Path) -> None:
    place = tmp_path / "jar" / OWN_PLACE
    shutil.copytree(pantry_bundle, place)
    (tmp_path / "link").symlink_to(tmp_path / "jar")
    (tmp_path / "jar" / "src").mkdir()
    catalog = Catalog(named=[str(tmp_path / "link")])
    for path in (tmp_path / "jar", tmp_path / "link", tmp_path / "jar" / "src", place, f"{tmp_path}/x/../jar/"):
        project = _run(catalog, "get_status", path=str(path)).structured["project"]
        assert ("jar", str(path)) == (project["name"], project["root_path"])


def test_a_checkout_inside_the_directory_that_was_built_is_not_indexed(pantry_bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(pantry_bundle, tmp_path / "jar" / OWN_PLACE)
    init(tmp_path / "jar" / "trees" / "other")
    catalog = Catalog(named=[str(tmp_path / "jar")])
    paths = [tmp_path / "jar" / "trees" / part for part in ("", "other", "other/src")]
    assert [True, False, False] == [_run(catalog, "get_status", path=str(path)).structured["indexed"] for path in paths]


@pytest.mark.parametrize("path", ["a/" * 30_000, "/" + "x/" * 30_000, "../" * 20_000, "hardtack://" + "a/" * 30_000])
def test_of_a_path_that_no_system_has_no_index_is_found_and_no_memory_taken(pantry_bundle: Path, path: str) -> None:
    catalog = Catalog(named=[str(pantry_bundle)])
    _run(catalog, "get_status", path="a")  # loads what the tool needs
    tracemalloc.start()
    try:
        assert not _run(catalog, "get_status", path=path).structured["indexed"]
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_the_checkout_that_answers_are_held_against_is_the_first_indexs(ask: Ask, pantry: Path) -> None:
    assert "pantry" == ask("get_status", path=str(pantry / "src"))["project"]["name"]


@pytest.mark.parametrize("path", ["", "/", "/nope", "nope", "../..", "~", "\x00", "pantry/..", "/proc/self"])
def test_a_path_of_no_index_is_not_indexed_which_is_no_error(catalog: Catalog, path: str) -> None:
    structured = _run(catalog, "get_status", path=path).structured
    expected = {"success": True, "indexed": False, "project": None, "statistics": None, "health": None}
    assert expected == {key: structured[key] for key in expected}
    assert "Build one with: hardtack build SRC" == structured["hint"]


def test_nothing_of_the_machine_is_looked_at_because_a_caller_named_it(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    ask("get_status", path="/some/place")
    asked: list[str] = []
    for name in ("stat", "lstat", "open", "listdir", "readlink"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda path, *rest, _real=real, **named: (asked.append(str(path)), _real(path, *rest, **named))[1]
        )
    ask("get_status", path="/some/place")
    assert [] == [path for path in asked if path.startswith("/some")]


def test_an_index_that_cannot_be_read_is_indexed_and_not_healthy(pantry_bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(pantry_bundle, tmp_path / "copy")
    os.truncate(tmp_path / "copy" / "chunks.msgpack", 10)
    structured = _run(Catalog(named=[str(tmp_path / "copy")]), "get_status").structured
    assert {"database_accessible": False, "embeddings_available": False, "fts_indexes_built": False} == structured["health"]
    assert (True, "copy") == (structured["indexed"], structured["project"]["name"])
    assert "chunks.msgpack has 10 bytes" in structured["message"]
    assert str(tmp_path) not in json.dumps(structured)
    os.truncate(tmp_path / "copy" / "manifest.json", 10)
    structured = _run(Catalog(named=[str(tmp_path / "copy")]), "get_status").structured
    assert (None, None, False) == (structured["project"], structured["statistics"], structured["health"]["database_accessible"])
    assert str(tmp_path) not in json.dumps(structured)


def test_a_status_of_an_unknown_name_is_an_error(catalog: Catalog) -> None:
    assert "INDEX_NOT_FOUND" == _run(catalog, "get_status", index_name="nope").structured["error"]["code"]


def test_no_answer_names_a_place_on_this_machine(catalog: Catalog, installed: Path, pantry: Path) -> None:
    for name in ("list_indexes", "index_stats", "get_status"):
        text = _run(catalog, name).text
        assert (False, False) == (str(installed) in text, str(pantry) in text)
