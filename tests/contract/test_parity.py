"""The library, the command line and the server give the same answers: hits, order, scores and text."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from checkouts import commit, init
from mcp import Client
from mcp_servers import text_of
from questions import Question, questions

import hardtack
from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.mcp.server import server_of
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher
from hardtack.tools import TOOLS, tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.schema import output_schema

PACKAGE = Path(hardtack.__file__).parent


@pytest.fixture(scope="module")
def own_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of the package, committed one room after the other, so that it has a history."""
    place, source = tmp_path_factory.mktemp("own") / "hardtack", init(tmp_path_factory.mktemp("source") / "hardtack")
    for room in sorted(path for path in PACKAGE.iterdir() if path.name != "__pycache__"):
        if room.is_dir():
            shutil.copytree(room, source / room.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(room, source)
        commit(source, f"The room {room.stem}")
    build_bundle(source, place, BuildOptions(jobs=2, history=50))
    return place


@pytest.fixture(scope="module")
def searcher(own_bundle: Path) -> Iterator[Searcher]:
    with open_bundle(own_bundle) as opened:
        yield opened


@pytest.fixture(scope="module")
def asked(searcher: Searcher) -> list[Question]:
    return questions(searcher)


@pytest.fixture(scope="module")
def of_library(asked: list[Question]) -> list[Any]:
    return [json.loads(json.dumps(question.asked())) for question in asked]


@pytest.fixture(scope="module")
def of_server(asked: list[Question], own_bundle: Path) -> list[Any]:
    async def answers() -> list[Any]:
        found = []
        async with Client(server_of(Catalog(named=[str(own_bundle)]), ["contract"], output_schemas=True)) as client:
            for question in asked:
                result = await client.call_tool(question.tool, question.arguments)
                if result.is_error:
                    found.append(json.loads(text_of(result.content[0]))["error"]["code"])
                    continue
                structured = result.structured_content
                jsonschema.validate(structured, output_schema(tool_named(question.tool)))
                found.append(question.of_tool(structured))
        return found

    found: list[Any] = json.loads(json.dumps(anyio.run(answers)))
    return found


def _printed(question: Question, bundle: Path) -> Any:
    """What the command line prints, read; of what it refuses, the code."""
    command = [sys.executable, "-m", "hardtack", *question.argv]
    done = subprocess.run(command, env={**os.environ, "HARDTACK_BUNDLE": str(bundle)}, capture_output=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        return json.loads(done.stderr)["error"]["code"]
    return question.of_verb(json.loads(done.stdout))


def test_every_tool_that_reads_is_asked_twice_or_more(asked: list[Question]) -> None:
    counted = Counter(question.tool for question in asked)
    # what compares two bundles is asked in tests/unit/tools/test_diff.py
    reading = {name for toolset, names in TOOLS.items() for name in names if toolset not in ("default", "changes", "build")}
    assert reading == set(counted)
    assert 2 <= min(counted.values())


def test_the_questions_meet_errors_an_ambiguity_a_truncation_and_answers(of_library: list[Any]) -> None:
    codes = {facts for facts in of_library if isinstance(facts, str)}
    assert {"QUERY_EMPTY", "LIMIT_INVALID", "LANGUAGE_UNKNOWN", "FILE_NOT_FOUND", "REGEX_INVALID", "SYMBOL_AMBIGUOUS"} <= codes
    assert {"SYMBOL_NOT_FOUND", "PATH_OUT_OF_ROOT", "RANGE_INVALID", "DIR_NOT_FOUND"} <= codes
    assert any(isinstance(facts, list) and len(facts) == 2 and facts[1] is True for facts in of_library)
    assert len(of_library) / 2 < sum(1 for facts in of_library if facts and not isinstance(facts, str))


def test_the_library_and_the_server_give_the_same_answers(
    asked: list[Question], of_library: list[Any], of_server: list[Any]
) -> None:
    for question, library, server in zip(asked, of_library, of_server, strict=True):
        assert library == server, (question.tool, question.arguments)


def test_the_library_and_the_command_line_give_the_same_answers(
    asked: list[Question], of_library: list[Any], own_bundle: Path
) -> None:
    for question, library in zip(asked, of_library, strict=True):
        assert library == json.loads(json.dumps(_printed(question, own_bundle))), question.argv
