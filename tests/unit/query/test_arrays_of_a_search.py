"""A search answers the same whichever arrays it takes: numpy's, or lists, with which the command line searches by keyword."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hardtack
from hardtack import BuildOptions, build_bundle

SCRIPT = """
import json, sys
from hardtack import arrays
path, with_lists, asked = sys.argv[1], sys.argv[2] == "lists", json.loads(sys.stdin.read())
if with_lists:
    arrays.use_lists(chunks=1)
from hardtack.query.searcher import open_bundle
with open_bundle(path) as searcher:
    answers = [searcher.search(text, **{"mode": "keyword", **options}) for text, options in asked]
    told = [[[answer.hint, answer.truncated, list(map(str, answer.further))], list(map(repr, answer.hits))] for answer in answers]
assert with_lists is ("numpy" not in sys.modules)
print(json.dumps(told))
"""

WORDS: list[tuple[str, dict[str, Any]]] = [
    *(
        (text, {})
        for text in ("read a bundle", "Shelf", "Bundle.symbol", "x", "", "   ", "the the", "::", "zzzzqqq", "größe 箱", "\udcff")
    ),
    ("how are the files of a bundle ranked by the words of a question, and which of them comes first", {"limit": 40}),
    ("fix the order of posting lists that are read twice when a word is near to two others", {"further": 30}),
    ("searchsorted ordinals", {"limit": 100, "further": 50}),
    ("files", {"kinds": ["class", "function"], "limit": 30}),
    ("files", {"languages": ["python"], "paths": ["**/*er*.py"], "limit": 30}),
    ("stock", {"symbol_name": "*e*", "limit": 30}),
    ("count", {"returns": "int", "min_score": 0.01}),
    ("test of a shelf", {"packages": ["nowhere"]}),
    ("write the manifest", {"smart_context": False, "before": 2, "after": 3}),
    (" ".join(f"word{number} reader" for number in range(80)), {}),
]


@pytest.fixture(scope="module")
def own_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What reads bundles and ranks, as a bundle without vectors."""
    place = tmp_path_factory.mktemp("own") / "query"
    build_bundle(Path(hardtack.__file__).parent / "query", place, BuildOptions(jobs=1, profile="keyword"))
    return place


def answers(bundle: Path, arrays: str) -> Any:
    command = [sys.executable, "-c", SCRIPT, str(bundle), arrays]
    asked = [(text, options) for text, options in WORDS if text.strip()]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert "" == done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("fixture", ["pantry_bundle", "own_bundle"])
def test_hits_are_the_same_with_either(fixture: str, request: pytest.FixtureRequest) -> None:
    bundle = request.getfixturevalue(fixture)
    with_numpy, with_lists = answers(bundle, "numpy"), answers(bundle, "lists")
    assert with_numpy == with_lists
    assert any(hits for _, hits in with_numpy)


def settled(code: str) -> str:
    """What a new process has for arrays, once it has run this."""
    script = f"from hardtack import arrays\n{code}\nprint(arrays.np.__name__)"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("", "numpy"),
        ("arrays.use_lists(chunks=1)", "hardtack.arrays.lists"),
        ("arrays.use_lists(chunks=1_000_000)", "numpy"),
        ("import numpy; arrays.use_lists(chunks=1)", "numpy"),
        ("arrays.np; arrays.use_lists(chunks=1)", "numpy"),
        ("arrays.use_lists(chunks=1); import numpy; arrays.use_lists(chunks=1)", "hardtack.arrays.lists"),
    ],
)
def test_a_process_takes_lists_for_a_small_bundle_if_it_says_so_before_it_has_any_arrays(code: str, name: str) -> None:
    assert name == settled(code)
