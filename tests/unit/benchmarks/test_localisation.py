"""What ``localisation.py`` counts as found, and that it measures a project of one issue from its history alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from checkouts import commit, git, init, write

import localisation
from localisation import shown_functions
from localisation_issues import Lines, functions_of, lines_of_patch
from localisation_tools import lines_in_markdown, names_in

SOURCE = """import os

@cached
def outer(x):
    def inner():
        return x
    return inner

class Store:
    if os:
        def get(self, key):
            return self.values[key]
"""
PATCH = """--- a/pantry/store.py
+++ b/pantry/store.py
@@ -10,4 +10,6 @@ class Store
 kept
--- removed
+instead
+and more
 kept
+added
 kept
@@ -40 +42 @@
-gone
+come
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+new
"""


def test_functions_are_named_by_their_classes_and_hold_what_is_defined_inside_them() -> None:
    assert functions_of("a.py", SOURCE) == [("outer", ("a.py", 3, 7)), ("Store.get", ("a.py", 11, 12))]


def test_a_patch_changes_the_lines_it_removes_and_the_line_before_what_it_only_adds() -> None:
    assert list(lines_of_patch(PATCH)) == [("pantry/store.py", 11), ("pantry/store.py", 12), ("pantry/store.py", 40)]


def test_a_hit_shows_a_function_when_the_lines_they_share_are_half_of_either() -> None:
    functions = {"a.py": functions_of("a.py", SOURCE)}
    assert shown_functions([Lines("a.py", 1, 3)], functions) == []
    assert shown_functions([Lines("a.py", 10, 20), Lines("a.py", 5, 6), Lines("a.py", 11, 12)], functions) == [
        ("a.py", "Store.get"),
        ("a.py", "outer"),
    ]


def test_lines_of_an_answer_count_only_if_they_stand_whole_in_what_is_read() -> None:
    answer = "\n".join(
        ("**1.** `a.py:7-8` function `f`", "```python", "def f():", "    `x.py:3`", "```", "`:20`", "````", "```", "````", "")
    )
    assert list(lines_in_markdown(answer, len(answer))) == [("a.py", 7), ("a.py", 8), ("a.py", 20)]
    assert list(lines_in_markdown(answer, answer.index("    `x"))) == [("a.py", 7)]


def test_names_to_grep_for_are_quoted_called_or_look_like_code() -> None:
    assert names_in("The `store` fails: put_item(KeyStore) and load() but not words or I") == [
        "store",
        "put_item",
        "KeyStore",
        "load",
    ]


def test_an_issue_is_measured_over_the_tree_of_its_own_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = tmp_path / "mirrors" / "Owner+pantry" / "repo"
    init(mirror)
    write(mirror, {"pantry/store.py": "def put_jar(jar):\n    return jar.lid\n", "pantry/other.py": "def sweep():\n    pass\n"})
    reported = commit(mirror)
    git(mirror, "rm", "--quiet", "pantry/store.py")
    commit(mirror)
    row: dict[str, object] = {
        "instance_id": "owner__pantry-1",
        "repo": "owner/pantry",
        "base_commit": reported,
        "problem_statement": "put_jar() loses the lid",
    }
    row |= {"gold_files": ["pantry/store.py"], "gold_functions": {"pantry/store.py": ["put_jar", "imports"]}}
    (tmp_path / "small.jsonl").write_text(
        json.dumps(row) + "\n" + json.dumps({**row, "instance_id": "lost", "base_commit": "0" * 40}) + "\n"
    )
    monkeypatch.setenv("LOCALISATION_DIR", str(tmp_path))
    monkeypatch.setenv("LOCALISATION_MIRRORS", str(tmp_path / "mirrors"))
    monkeypatch.setattr(sys, "argv", ["localisation.py", "--out", str(tmp_path / "out")])
    assert localisation.main() == 0
    told = capsys.readouterr()
    (tmp_path / "mirrors" / "Owner+pantry").rename(tmp_path / "mirrors" / "swe-bench+owner__pantry")
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--resume"])
    monkeypatch.setattr(localisation, "score", None)  # nothing is asked again
    assert localisation.main() == 0
    assert capsys.readouterr().out == told.out
    assert "lost: its commit is not in the mirror." in told.err
    results = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert [each["tool"] for each in results] == ["hardtack", "bm25", "grep"]
    assert all(each["files"][0] == "pantry/store.py" and not each["fault"] for each in results)
    assert results[0]["functions"][1][0] is True
    assert results[0]["lines"]["2000"] == results[2]["lines"]["2000"] == 1.0
    assert (tmp_path / "out" / "misses-hardtack.txt").read_text() == ""
