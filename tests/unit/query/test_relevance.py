"""The first hits of recorded queries; the diff of ``fixtures/relevance/pantry.txt`` is the review of a changed ranking.

``pytest tests/unit/query/test_relevance.py --update-golden`` writes it anew. A query's targets were written before it was asked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardtack.query.searcher import Searcher

RELEVANCE = Path(__file__).parents[3] / "fixtures" / "relevance"
QUERIES = json.loads((RELEVANCE / "pantry.json").read_text("utf-8"))
SHOWN = 5


def _report(searcher: Searcher) -> str:
    """Each query and its first files, the targets marked; scores to two digits, which is what a person compares."""
    lines: list[str] = []
    for entry in QUERIES:
        lines.append(entry["query"])
        seen: list[str] = []
        for hit in searcher.search(entry["query"], limit=30).hits:
            if hit.path not in seen and len(seen) < SHOWN:
                seen.append(hit.path)
                mark = "*" if hit.path in entry["targets"] else " "
                what = f"  {hit.kind} {hit.qualified_name}" if hit.name else ""
                lines.append(f"  {mark} {hit.score:.2f}  {hit.path}:{hit.start_line}{what}")
        lines.append("")
    return "\n".join(lines)


def test_the_first_files_are_those_that_were_judged_good_before(searcher: Searcher, pytestconfig: pytest.Config) -> None:
    golden, report = RELEVANCE / "pantry.txt", _report(searcher)
    if pytestconfig.getoption("--update-golden"):
        golden.write_text(report, "utf-8")
    assert golden.read_text("utf-8").splitlines() == report.splitlines()


@pytest.mark.parametrize("entry", QUERIES, ids=[entry["query"] for entry in QUERIES])
def test_a_target_is_among_the_first_three_files(searcher: Searcher, entry: dict[str, Any]) -> None:
    files = list(dict.fromkeys(hit.path for hit in searcher.search(entry["query"], limit=30).hits))
    assert set(files[:3]).intersection(entry["targets"])
