"""``open_file``, ``get_snippet`` and ``list_dir``: their answers, cut where they are long, and every refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tool_calls import Ask, asker

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.tools.catalog import Catalog
from hardtack.tools.tool import REPLY_BYTES


@pytest.fixture(scope="module")
def ask(pantry_bundle: Path) -> Ask:
    return asker(Catalog(named=[str(pantry_bundle)]))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """A bundle with a long file, a file of one long line, a directory of many files, and hidden ones."""
    place = tmp_path_factory.mktemp("large")
    (place / "many").mkdir()
    for number in range(1200):
        (place / "many" / f"a file with a rather long name, number {number:04}.txt").write_text("x\n")
    (place / ".github").mkdir()
    (place / ".github" / "ci.yml").write_text("on: push\n")
    (place / ".github" / ".keep.yml").write_text("a: b\n")
    (place / "long.txt").write_text("".join(f"line {number} {'y' * 50}\n" for number in range(1, 3001)))
    (place / "wide.txt").write_text("word " * 30_000 + "\nshort\n")
    build_bundle(place, place / "bundle", BuildOptions(jobs=1, profile="keyword"))
    return asker(Catalog(named=[str(place / "bundle")]))


def test_a_file_comes_line_by_line(ask: Ask) -> None:
    answer = ask("open_file", path="odd/crlf.py")
    lines = ["def first():", "    return 1", "", "", "def second():", "    return 2"]
    assert {
        "path": "odd/crlf.py",
        "lines": [{"line": number, "text": text} for number, text in enumerate(lines, start=1)],
    } == answer["result"]
    assert {"repo": "code", "duration_ms": answer["meta"]["duration_ms"], "truncated": False} == answer["meta"]
    assert answer["result"] == ask("open_file", file_path="./odd//crlf.py", repo="code")["result"]


def test_a_snippet_ends_where_the_file_does(ask: Ask) -> None:
    lines = ask("open_file", path="odd/crlf.py")["result"]["lines"]
    for first, last in ((1, 1), (2, 4), (1, 6), (6, 6), (5, 70), (1, 10**9)):
        snippet = ask("get_snippet", path="odd/crlf.py", start_line=first, end_line=last)["result"]
        expected = {"path": "odd/crlf.py", "start_line": first, "end_line": min(last, 6), "lines": lines[first - 1 : last]}
        assert expected == snippet


@pytest.mark.parametrize("tool", ["open_file", "get_snippet"])
def test_what_is_long_is_cut_and_how_to_go_on_is_said(large: Ask, tool: str) -> None:
    asked = {"path": "long.txt", **({"start_line": 1, "end_line": 3000} if tool == "get_snippet" else {})}
    given: list[dict[str, Any]] = []
    for _ in range(100):
        answer = large(tool, **asked)
        assert len(json.dumps(answer, separators=(",", ":"))) <= REPLY_BYTES
        given += answer["result"]["lines"]
        last = given[-1]["line"]
        if not answer["meta"]["truncated"]:
            break
        said = f"These are lines {asked.get('start_line', 1)} to {last}; get_snippet with start_line {last + 1} goes on, to 3000."
        assert said == answer["meta"]["hint"]
        tool, asked = "get_snippet", {"path": "long.txt", "start_line": last + 1, "end_line": 3000}
    assert [*range(1, 3001)] == [line["line"] for line in given]
    assert {"start_line": given[-len(answer["result"]["lines"])]["line"], "end_line": 3000}.items() <= answer["result"].items()


def test_a_line_that_is_longer_than_an_answer_is_cut(large: Ask) -> None:
    answer = large("open_file", path="wide.txt")
    assert [1, 2] == [line["line"] for line in answer["result"]["lines"]]
    assert answer["result"]["lines"][0]["text"].endswith("[cut here]")
    assert (True, "Long lines are cut.") == (answer["meta"]["truncated"], answer["meta"]["hint"])


def test_a_directory_lists_whole_paths_by_name(ask: Ask) -> None:
    answer = ask("list_dir", path="src/pantry")
    paths = ["src/pantry/__init__.py", "src/pantry/advice.py", "src/pantry/shelf.py"]
    assert {"path": "src/pantry", "entries": [{"path": path, "type": "file"} for path in paths]} == answer["result"]
    assert "both" == answer["meta"]["repo"]
    assert {"path": "src", "type": "directory"} in ask("list_dir", path=".")["result"]["entries"]


def test_without_path_and_repo_the_repos_are_listed(ask: Ask) -> None:
    answer = ask("list_dir")
    entries = [{"path": "docs", "type": "directory"}, {"path": "code", "type": "directory"}]
    assert {"path": ".", "entries": entries} == answer["result"]
    assert "both" == answer["meta"]["repo"]
    assert "path ." in answer["meta"]["hint"]
    docs, code = (ask("list_dir", repo=repo) for repo in ("docs", "code"))
    assert ["README.md", "docs"] == [entry["path"] for entry in docs["result"]["entries"]]
    assert ("docs", "code", ".") == (docs["meta"]["repo"], code["meta"]["repo"], code["result"]["path"])


def test_what_is_hidden_is_named_and_listed_when_it_is_asked_for(large: Ask) -> None:
    top = large("list_dir", path=".")
    assert ["long.txt", "many", "wide.txt"] == [entry["path"] for entry in top["result"]["entries"]]
    assert "Hidden, to be asked for by path: .github" == top["meta"]["hint"]
    inside = large("list_dir", path=".github")
    assert [".github/ci.yml"] == [entry["path"] for entry in inside["result"]["entries"]]
    assert "a: b" == large("open_file", path=".github/.keep.yml")["result"]["lines"][0]["text"]


def test_a_directory_of_many_files_comes_in_pages(large: Ask) -> None:
    answers = [large("list_dir", path="many")]
    while cursor := answers[-1]["meta"].get("next_cursor"):
        assert answers[-1]["meta"]["truncated"]
        answers.append(large("list_dir", path="many", cursor=cursor))
        assert len(answers) < 10, "it does not end"
    assert [f"many/a file with a rather long name, number {number:04}.txt" for number in range(1200)] == [
        entry["path"] for answer in answers for entry in answer["result"]["entries"]
    ]
    assert (True, False) == (len(answers) > 1, answers[-1]["meta"]["truncated"])
    for wrong in ({"path": "."}, {"path": "many", "repo": "docs"}, {"path": "many", "cursor": "x"}):
        cursor = large("list_dir", path="many")["meta"]["next_cursor"]
        assert "CURSOR_INVALID" == large("list_dir", **{"cursor": cursor, **wrong})["error"]["code"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("open_file", {"path": ""}, "PATH_EMPTY"),
        ("open_file", {"path": "src/pantry"}, "FILE_NOT_FOUND"),
        ("open_file", {"path": "README.md", "repo": "code"}, "FILE_NOT_FOUND"),
        ("open_file", {"path": "README.md", "repo": "all"}, "REPO_INVALID"),
        ("open_file", {"path": "/etc/passwd"}, "PATH_OUT_OF_ROOT"),
        ("open_file", {"path": "README.md", "index_name": "nowhere"}, "INDEX_NOT_FOUND"),
        ("open_file", {}, "INVALID_REQUEST"),
        ("open_file", {"path": None}, "INVALID_REQUEST"),
        ("get_snippet", {"path": "README.md", "start_line": 0, "end_line": 1}, "RANGE_INVALID"),
        ("get_snippet", {"path": "README.md", "start_line": 5, "end_line": 4}, "RANGE_INVALID"),
        ("get_snippet", {"path": "README.md", "start_line": 5000, "end_line": 6000}, "RANGE_INVALID"),
        ("get_snippet", {"path": "nowhere.md", "start_line": 0, "end_line": 1}, "FILE_NOT_FOUND"),
        ("get_snippet", {"path": "..", "start_line": 1, "end_line": 1}, "PATH_OUT_OF_ROOT"),
        ("get_snippet", {"path": "README.md", "start_line": 1}, "INVALID_REQUEST"),
        ("get_snippet", {"path": "README.md", "start_line": "one", "end_line": 2}, "INVALID_REQUEST"),
        ("list_dir", {"path": ""}, "PATH_EMPTY"),
        ("list_dir", {"path": "README.md"}, "DIR_NOT_FOUND"),
        ("list_dir", {"path": "nowhere"}, "DIR_NOT_FOUND"),
        ("list_dir", {"path": "src/../.."}, "PATH_OUT_OF_ROOT"),
        ("list_dir", {"repo": "web"}, "REPO_INVALID"),
        ("list_dir", {"path": 3}, "INVALID_REQUEST"),
    ],
)
def test_every_refusal_has_its_code(ask: Ask, tool: str, arguments: dict[str, Any], code: str) -> None:
    assert code == ask(tool, **arguments)["error"]["code"]


def test_a_path_in_several_roots_is_ambiguous(tmp_path: Path) -> None:
    for root in ("docs", "code"):
        (tmp_path / root).mkdir()
        (tmp_path / root / "notes.txt").write_text(f"of {root}\n")
    roots = tuple((root, tmp_path / root) for root in ("docs", "code"))
    build_bundle(tmp_path, tmp_path / "bundle", BuildOptions(roots=roots, jobs=1, profile="keyword"))
    ask = asker(Catalog(named=[str(tmp_path / "bundle")]))
    refused = ask("open_file", path="notes.txt")["error"]
    assert ("PATH_AMBIGUOUS", ["code", "docs"]) == (refused["code"], refused["details"]["repos"])
    answer = ask("open_file", path="notes.txt", repo="docs")
    assert ("docs/notes.txt", "of docs", "docs") == (
        answer["result"]["path"],
        answer["result"]["lines"][0]["text"],
        answer["meta"]["repo"],
    )
    assert ["code", "docs"] == [entry["path"] for entry in ask("list_dir")["result"]["entries"]]


def test_a_bundle_without_text_is_unreadable(bare_bundle: Path) -> None:
    ask = asker(Catalog(named=[str(bare_bundle)]))
    assert "FILE_UNREADABLE" == ask("open_file", path="README.md")["error"]["code"]
    assert "FILE_UNREADABLE" == ask("get_snippet", path="README.md", start_line=1, end_line=2)["error"]["code"]
    assert "README.md" in [entry["path"] for entry in ask("list_dir", path=".")["result"]["entries"]]
