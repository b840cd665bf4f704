"""``explore``: what the tool of that name answers, as Markdown and as JSON, within its budget."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_or_raise as run

from hardtack.cli.exits import NOTHING_FOUND
from hardtack.errors import UsageError
from hardtack.query.explore.explore import explore
from hardtack.query.searcher import Searcher
from hardtack.render.exploration import render_exploration


def test_it_prints_what_the_library_composes(pantry_bundle: Path, searcher: Searcher) -> None:
    printed = run("explore", "who", "calls", "open_shelf", "-b", str(pantry_bundle)).stdout
    assert render_exploration(explore(searcher, "who calls open_shelf"), 10_000)[0] == printed
    assert printed.startswith("About function `open_shelf`.\n")


def test_the_budget_is_that_of_the_whole_answer(pantry_bundle: Path) -> None:
    assert len(run("explore", "open_shelf", "-b", str(pantry_bundle), "--max-tokens", "120").stdout) <= 480


@pytest.mark.parametrize("flags", [["--json"], ["--format", "json"]])
def test_json_is_one_document_with_its_schema(pantry_bundle: Path, flags: list[str]) -> None:
    document = json.loads(run("explore", "open_shelf", "-b", str(pantry_bundle), *flags).stdout)
    assert ("hardtack.explore/1", ["open_shelf"]) == (document["schema"], [each["name"] for each in document["named"]])
    assert document["places"][0]["code"].startswith("def open_shelf")


@pytest.mark.parametrize("tokens", [150, 400, 2500])
def test_json_keeps_to_the_budget_in_bytes_and_counts_what_it_leaves_out(pantry_bundle: Path, tokens: int) -> None:
    flags = ("-b", str(pantry_bundle), "--json", "--max-tokens")
    whole = json.loads(run("explore", "open_shelf", *flags, "20000").stdout)
    printed = run("explore", "open_shelf", *flags, str(tokens)).stdout
    document = json.loads(printed)
    assert len(printed.encode()) <= 4 * tokens
    assert "left_out" not in whole
    assert document == whole or document["left_out"]


def test_nothing_found_has_its_own_exit_code(pantry_bundle: Path) -> None:
    result = run("explore", "--max-tokens", "200", "-b", str(pantry_bundle), "--json", "zzzzqqqq")
    assert (NOTHING_FOUND if not json.loads(result.stdout).get("places") else 0) == result.return_value


def test_a_blank_question_is_refused(pantry_bundle: Path) -> None:
    with pytest.raises(UsageError, match="empty"):
        run("explore", " ", "-b", str(pantry_bundle))
