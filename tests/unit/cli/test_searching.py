"""``search`` of several bundles and ``similar``: the library's hits, in every format, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_or_raise as run

from hardtack.cli.exits import NOTHING_FOUND
from hardtack.errors import NotFound, UsageError
from hardtack.query.searcher import Searcher
from hardtack.query.several import search_all
from hardtack.query.similar import similar
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import run as run_tool
from hardtack.tools.search_code import TOOL
from hardtack.tools.tool import Call


def test_several_bundles_are_searched_as_one(
    pantry_bundle: Path, kitchen_bundle: Path, searcher: Searcher, kitchen: Searcher
) -> None:
    command = ("search", "jar recipe oven", "-b", str(pantry_bundle), "-b", str(kitchen_bundle), "-n", "20", "--json")
    document = json.loads(run(*command).stdout)
    expected = search_all({"pantry": searcher, "kitchen": kitchen}, "jar recipe oven", limit=20)
    assert [(hit.index_name, hit.path, hit.score) for hit in expected.hits] == [
        (hit["index_name"], hit["path"], hit["score"]) for hit in document["hits"]
    ]
    assert [("pantry", searcher.bundle.digest), ("kitchen", kitchen.bundle.digest)] == [
        (bundle["name"], bundle["digest"]) for bundle in document["bundles"]
    ]
    assert "bundle" not in document


def test_the_tool_gives_the_hits_of_the_command_line(pantry_bundle: Path, kitchen_bundle: Path) -> None:
    named = [str(pantry_bundle), str(kitchen_bundle)]
    call = Call(catalog=Catalog(named=named, clock=lambda: 0))
    given = run_tool(TOOL, call, {"query": "jar recipe", "index_names": ["pantry", "kitchen"], "max_tokens": 1500}).structured
    flags = ("--surroundings", "--max-tokens", "1500", "--json")
    printed = json.loads(run("search", "jar recipe", "-b", named[0], "-b", named[1], *flags).stdout)["hits"]
    assert [(hit["index_name"], hit["chunk_id"], hit["score"], hit.get("snippet")) for hit in printed] == [
        (hit["index_name"], hit["chunk_id"], hit["score"], hit.get("content")) for hit in given["result"]
    ]


@pytest.mark.parametrize("format_", ["text", "markdown"])
def test_for_people_each_path_begins_with_its_bundle(pantry_bundle: Path, kitchen_bundle: Path, format_: str) -> None:
    flags = ("-b", str(pantry_bundle), "-b", str(kitchen_bundle), "--format", format_)
    shown = run("search", "jar recipe oven", *flags).stdout
    assert "pantry:src/pantry/shelf.py:" in shown and "kitchen:readers/json.py:" in shown
    alone = run("search", "oven", "-b", str(kitchen_bundle), "--format", format_).stdout
    assert "kitchen:" not in alone and "oven.py:" in alone


def test_one_bundle_named_twice_is_one(kitchen_bundle: Path) -> None:
    twice, once = (run("search", "oven", *("-b", str(kitchen_bundle)) * times, "--json").stdout for times in (2, 1))
    assert once == twice


def test_the_environment_names_one_bundle_whatever_is_in_its_name(
    kitchen_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b").symlink_to(kitchen_bundle)
    monkeypatch.setenv("HARDTACK_BUNDLE", str(tmp_path / "a b"))
    assert run("search", "Oven").stdout.startswith("oven.py:")


def test_a_digest_is_of_one_bundle(pantry_bundle: Path, kitchen_bundle: Path) -> None:
    with pytest.raises(UsageError, match="several are named"):
        run("search", "oven", "-b", str(pantry_bundle), "-b", str(kitchen_bundle), "--digest", "sha256:" + "0" * 64)


def test_similar_prints_what_the_library_finds(kitchen_bundle: Path, kitchen: Searcher) -> None:
    printed = json.loads(run("similar", "readers/csv.py:5-8", "-b", str(kitchen_bundle), "-n", "2", "--json").stdout)
    expected = similar(kitchen.bundle, "readers/csv.py", 5, 8, limit=2).hits
    assert [(hit.path, hit.score) for hit in expected] == [(hit["path"], hit["score"]) for hit in printed["hits"]]
    shown = run("similar", "readers/csv.py:5", "-b", str(kitchen_bundle), "--exclude-same-file", "--min-score", "0.5").stdout
    assert shown.startswith("old/csv.py:1-8  function read_csv  1.000\n") and "oven.py" not in shown


def test_nothing_alike_leaves_with_one(kitchen_bundle: Path) -> None:
    result = run("similar", "oven.py:5", "-b", str(kitchen_bundle), "--min-score", "0.99")
    assert (NOTHING_FOUND, True) == (result.return_value, "Nothing is as similar as 0.99" in result.stdout)


def test_a_place_that_is_none_is_refused(kitchen_bundle: Path) -> None:
    with pytest.raises(UsageError, match="is no place in a file"):
        run("similar", "oven.py", "-b", str(kitchen_bundle))
    with pytest.raises(NotFound):
        run("similar", "gone.py:1", "-b", str(kitchen_bundle))
