"""``find_similar``: the library's hits in the shape of ``search_code``, and every refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from hardtack.query.searcher import Searcher
from hardtack.query.similar import similar
from hardtack.tools import find_similar
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import run
from hardtack.tools.schema import output_schema
from hardtack.tools.tool import Call


@pytest.fixture(scope="module")
def call(kitchen_bundle: Path) -> Call:
    return Call(catalog=Catalog(named=[str(kitchen_bundle)], clock=lambda: 0))


def _given(call: Call, **arguments: object) -> dict[str, Any]:
    outcome = run(find_similar.TOOL, call, arguments)
    if outcome.error is None:
        jsonschema.validate(outcome.structured, output_schema(find_similar.TOOL))
    return outcome.structured


def test_its_hits_are_those_of_the_library(call: Call, kitchen: Searcher) -> None:
    expected = similar(kitchen.bundle, "readers/csv.py", 5, 8, limit=3).hits
    hits = _given(call, path="readers/csv.py", line=5, end_line=8, limit=3)["result"]
    assert [(hit.path, hit.score, hit.rank, hit.snippet) for hit in expected] == [
        (hit["file_path"], hit["score"], hit["rank"], hit["content"]) for hit in hits
    ]
    assert ("old/csv.py", 1.0, "both", "kitchen") == tuple(
        hits[0][key] for key in ("file_path", "score", "match_type", "index_name")
    )


def test_what_other_tools_call_a_place_is_taken(call: Call) -> None:
    assert _given(call, path="oven.py", line=5) == _given(call, file_path="oven.py", start_line=5)


def test_nothing_that_is_alike_is_no_error(call: Call) -> None:
    given = _given(call, path="oven.py", line=5, min_score=0.99)
    assert ([], "Nothing is as similar as 0.99") == (given["result"], given["hint"][:29])


def test_more_than_can_be_given_is_cut_down_and_said(call: Call) -> None:
    assert _given(call, path="oven.py", line=5, limit=1000)["truncated"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"path": "oven.py", "line": 0}, "RANGE_INVALID"),
        ({"path": "oven.py", "line": 10**9}, "RANGE_INVALID"),
        ({"path": "oven.py", "line": 3, "end_line": 2}, "RANGE_INVALID"),
        ({"path": "gone.py", "line": 3}, "FILE_NOT_FOUND"),
        ({"path": "/etc/passwd", "line": 3}, "PATH_OUT_OF_ROOT"),
        ({"path": "..\\oven.py", "line": 3}, "PATH_OUT_OF_ROOT"),
        ({"path": "", "line": 3}, "PATH_EMPTY"),
        ({"path": "oven.py", "line": 3, "limit": 0}, "LIMIT_INVALID"),
        ({"path": "oven.py", "line": 3, "min_score": -1}, "INVALID_REQUEST"),
        ({"path": "oven.py"}, "INVALID_REQUEST"),
        ({"path": "oven.py", "line": "three"}, "INVALID_REQUEST"),
        ({"path": "oven.py", "line": 3, "index_name": "gone"}, "INDEX_NOT_FOUND"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_code(call: Call, arguments: dict[str, Any], code: str) -> None:
    assert code == _given(call, **arguments)["error"]["code"]


def test_without_vectors_there_is_nothing_to_compare(bare_bundle: Path) -> None:
    call = Call(catalog=Catalog(named=[str(bare_bundle)], clock=lambda: 0))
    assert "EMBEDDING_UNAVAILABLE" == _given(call, path="src/pantry/shelf.py", line=3)["error"]["code"]
