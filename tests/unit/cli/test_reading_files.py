"""``grep``, ``cat`` and ``ls``: the files of a bundle as text and as JSON, from a real bundle in this process."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import Result
from command_line import Run

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.cli import environment
from hardtack.errors import NotFound, UsageError
from hardtack.render.style import Style


def _refused(result: Result) -> tuple[str, str]:
    assert isinstance(result.exception, UsageError | NotFound), result
    return result.exception.code, str(result.exception)


# -- grep ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Shelf", "jar", "return", "'", "\t", "  ", "()", "é"])
def test_grep_prints_the_lines_that_grep_does(run: Run, pantry: Path, text: str) -> None:
    printed = run("grep", text).stdout_bytes
    expected = subprocess.run(["git", "grep", "-F", "-n", "-e", text], cwd=pantry, capture_output=True, check=False).stdout
    assert sorted(line.removesuffix(b"\r") for line in expected.split(b"\n")) == sorted(printed.split(b"\n"))


def test_grep_looks_where_it_is_told(run: Run) -> None:
    whole = run("grep", "shelf").stdout.splitlines()
    assert [line for line in whole if line.startswith("src/")] == run("grep", "shelf", "src").stdout.splitlines()
    assert [line for line in whole if ".md:" in line] == run("grep", "shelf", "--repo", "docs").stdout.splitlines()
    several = run("grep", "shelf", "web/**", "docs/").stdout.splitlines()
    assert [line for line in whole if line.startswith(("docs/", "web/"))] == several
    assert whole[:3] == run("grep", "shelf", "--limit", "3").stdout.splitlines()


def test_grep_says_when_there_is_more(run: Run) -> None:
    assert (
        "hardtack: more lines match than these 2; ask for more with --limit, or narrow the paths.\n"
        == run("grep", "e", "--limit", "2").stderr
    )
    assert "" == run("grep", "ShelfFull").stderr


def test_grep_that_finds_nothing_leaves_with_one_and_advice(run: Run) -> None:
    result = run("grep", "zz.*yzx")
    assert (1, "") == (result.return_value, result.stdout)
    assert "hardtack: No line has this text. It is taken literally; a pattern needs regex.\n" == result.stderr


def test_grep_takes_patterns(run: Run) -> None:
    literal, pattern = run("grep", "class Shelf:").stdout, run("grep", "-E", r"(?i)^CLASS shelf:$").stdout
    assert literal == pattern != ""


def test_grep_takes_the_flags_of_ripgrep_and_n_shows_line_numbers(run: Run) -> None:
    assert run("grep", "class Shelf:").stdout == run("grep", "-n", "class Shelf:").stdout != ""
    assert (
        run("grep", "-iw", "SHELF", "-g", "*.py", "-g", "!tests").stdout
        == run("grep", "-E", r"(?i)\bshelf\b", "src/**/*.py").stdout
        != ""
    )
    assert "src/pantry/shelf.py-28-\nsrc/pantry/shelf.py:29:class Shelf:\n" == run("grep", "-B", "1", "class Shelf:").stdout
    around = [json.loads(line) for line in run("grep", "-C", "1", "class Shelf:", "--format", "jsonl").stdout.splitlines()]
    assert [(28, True), (29, None), (30, True)] == [(line["line"], line.get("is_context")) for line in around]


def test_grep_tells_who_means_a_bound_by_n_how_to_write_it(run: Run) -> None:
    assert "-n shows line numbers and takes none; --limit N bounds the lines." in run("grep", "-n", "5", "shelf").stderr


def test_grep_lists_paths_and_counts(run: Run) -> None:
    lines = [line.split(":")[0] for line in run("grep", "shelf").stdout.splitlines()]
    assert [*dict.fromkeys(lines)] == run("grep", "shelf", "-l").stdout.splitlines()
    counts = [line.rpartition(":") for line in run("grep", "shelf", "-c").stdout.splitlines()]
    assert {path: lines.count(path) for path in lines} == {path: int(count) for path, _, count in counts}
    assert "USAGE" == _refused(run("grep", "shelf", "-l", "--json"))[0]


def test_grep_answers_in_json(run: Run) -> None:
    asked = ["grep", "shelf", "--limit", "3"]
    document = json.loads(run(*asked, "--json").stdout)
    assert ("hardtack.grep/1", "shelf", "both", True) == tuple(document[key] for key in ("schema", "query", "repo", "truncated"))
    assert document["results"] == [json.loads(line) for line in run(*asked, "--format", "jsonl").stdout.splitlines()]
    assert ["docs", "README.md"] == [document["results"][0][key] for key in ("repo", "path")]
    nothing = run("grep", "zzyzx", "--json")
    assert (1, []) == (nothing.return_value, json.loads(nothing.stdout)["results"])
    assert "Case counts" in json.loads(nothing.stdout)["hint"]


def test_grep_shows_files_in_groups_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "style", lambda color: Style(columns=80))
    assert run("grep", "class Shelf", "src").stdout.startswith("src/pantry/shelf.py\n13:class ShelfFull(Exception):\n")
    assert "\x1b" not in run("grep", "paint_it").stdout + run("grep", "[31m").stdout
    assert "\\u{1b}[31m" in run("grep", "[31m").stdout


def test_grep_gives_text_into_a_pipe_as_it_is_stored(run: Run) -> None:
    assert "\x1b[31mred" in run("grep", "[31m").stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["grep", ""], "QUERY_EMPTY"),
        (["grep", "x", "--limit", "0"], "LIMIT_INVALID"),
        (["grep", "x", "../*"], "FILE_GLOB_INVALID"),
        (["ls", "src/pantry/shelf.py"], "DIR_NOT_FOUND"),
        (["ls", "/etc"], "PATH_OUT_OF_ROOT"),
        (["cat", "odd/crlf.py:70-71"], "RANGE_INVALID"),
        (["cat", "odd/crlf.py:0"], "RANGE_INVALID"),
        (["cat", "src"], "FILE_NOT_FOUND"),
        (["cat", "../etc/passwd"], "PATH_OUT_OF_ROOT"),
        (["cat", "README.md", "nowhere.md"], "FILE_NOT_FOUND"),
    ],
)
def test_what_cannot_be_asked_has_the_code_of_the_tools(run: Run, arguments: list[str], code: str) -> None:
    result = run(*arguments)
    assert (code, "") == (_refused(result)[0], result.stdout)


# -- cat ----------------------------------------------------------------------------------------------------------------------


def test_cat_prints_a_file_as_it_was(run: Run, pantry: Path) -> None:
    for path in ("src/pantry/shelf.py", "odd/crlf.py", "odd/no_newline.py", "odd/escapes.py"):
        result = run("cat", path)
        assert (0, (pantry / path).read_bytes()) == (result.return_value, result.stdout_bytes)


@pytest.mark.parametrize(("lines", "first", "last"), [("2", 2, 2), ("2-5", 2, 5), ("4-", 4, 6), ("5-90", 5, 6), ("7", 7, 7)])
def test_cat_prints_the_lines_that_were_asked_for(run: Run, pantry: Path, lines: str, first: int, last: int) -> None:
    kept = (pantry / "odd/crlf.py").read_bytes().splitlines(keepends=True)[first - 1 : last]
    assert b"".join(kept) == run("cat", f"odd/crlf.py:{lines}").stdout_bytes


def test_a_file_called_like_lines_of_another_is_meant_itself(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").write_text("one\ntwo\n")
    (tmp_path / "notes:2").write_text("of its own\n")
    build_bundle(tmp_path, tmp_path / "bundle", BuildOptions(jobs=1, profile="keyword"))
    monkeypatch.setenv("HARDTACK_BUNDLE", str(tmp_path / "bundle"))
    assert ("of its own\n", "one\n") == (run("cat", "notes:2").stdout, run("cat", "notes:1").stdout)


def test_cat_prints_several_files_one_after_another(run: Run) -> None:
    both = run("cat", "odd/crlf.py:1-2", "./README.md").stdout_bytes
    assert run("cat", "odd/crlf.py:1-2").stdout_bytes + run("cat", "README.md").stdout_bytes == both


def test_cat_names_what_is_not_there_with_the_nearest(run: Run) -> None:
    result = run("cat", "pantry/shelf.py")
    assert ("FILE_NOT_FOUND", "The bundle has no file 'pantry/shelf.py'.") == _refused(result)
    assert isinstance(result.exception, NotFound)
    assert ["src/pantry/shelf.py"] == result.exception.details["suggestions"]


def test_cat_answers_in_json(run: Run) -> None:
    document = json.loads(run("cat", "odd/crlf.py:5-9", "README.md", "--json").stdout)
    lines = [{"line": 5, "text": "def second():"}, {"line": 6, "text": "    return 2"}]
    assert {"path": "odd/crlf.py", "start_line": 5, "end_line": 6, "lines": lines} == document["results"][0]
    assert ("hardtack.cat/1", "README.md") == (document["schema"], document["results"][1]["path"])


# -- ls -----------------------------------------------------------------------------------------------------------------------


def test_ls_lists_whole_paths_and_marks_directories(run: Run) -> None:
    assert "README.md\ndocs/\nlabel/\nodd/\npyproject.toml\nsrc/\ntests/\nweb/\n" == run("ls").stdout
    assert "src/pantry/\n" == run("ls", "src/").stdout
    assert "README.md\ndocs/\n" == run("ls", "--repo", "docs").stdout
    assert "\x1b[34mdocs/\x1b[0m" in run("ls", "--color", "always").stdout


def test_ls_answers_in_json(run: Run) -> None:
    document = json.loads(run("ls", "src", "--json").stdout)
    entries = [{"path": "src/pantry", "type": "directory"}]
    assert {"schema": "hardtack.ls/1", "path": "src", "repo": "both", "entries": entries, "left_out": []} == document
