"""Which commits become queries, what is left of their subjects, and which files answer them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from checkouts import commit as commit_all
from checkouts import init, write
from mine_commits import Commit, candidates_of, cleaned, mine_commits, parse_log, surviving
from mine_repositories import Repository


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Retry idempotent requests once more (#123)", "Retry idempotent requests once more"),
        ("fix(client): close sockets that time out (fixes #7, #8)", "close sockets that time out"),
        ("feat!: let callers choose the codec", "let callers choose the codec"),
        ("KTOR-8583 Remove spaces from constant names", "Remove spaces from constant names"),
        (":bug: stop leaking file handles on Windows", "stop leaking file handles on Windows"),
        ("Allow custom headers in static files, closes #282", "Allow custom headers in static files,"),
        ("retry: wait twice as long each time", "wait twice as long each time"),
        ("src.retry: wait twice as long each time", "wait twice as long each time"),
        ("lib: wait twice as long each time", "lib: wait twice as long each time"),
        ("Re #19 Warn when the lock is stale", "Warn when the lock is stale"),
    ],
)
def test_a_subject_is_freed_of_what_no_one_would_ask(subject: str, expected: str) -> None:
    assert expected == cleaned(subject, ["src/retry.py"])


@pytest.mark.parametrize(
    "subject",
    [
        "Merge branch 'main' into retry-budget",
        "Bump urllib3 from 1.25 to 1.26",
        "Release version 2.0 of the client",
        "Fix typo in retry error message",
        "Update changelog for the retry budget",
        "Run prettier on all source files",
        "Document the retry budget in docstrings",
        "Revert the retry budget for now",
        "Fix bug",
        "Add more tests for the retry budget",
        "A subject that goes on and on for far longer than anyone would ever type into the box of a search engine",
        "Begins well but was cut by the…",
    ],
)
def test_upkeep_and_subjects_of_an_unusual_length_make_no_query(subject: str) -> None:
    assert cleaned(subject, ["src/retry.py"]) is None


def test_a_raw_log_becomes_commits_with_what_they_touched_and_renamed() -> None:
    log = (
        "\x01" + "a" * 40 + " Add a budget\n\n"
        ":000000 100644 0000000 1111111 A\tsrc/budget.py\n"
        ":100644 100644 2222222 3333333 R090\tsrc/old.py\tsrc/new.py\n"
        ":100644 000000 4444444 0000000 D\tsrc/gone.py\n"
        "\x01" + "b" * 40 + " Move things\n\n"
        ":100644 100644 5555555 5555555 R100\tlib/a.py\tsrc/a.py\n"
    )
    first, second = parse_log(log)
    assert (("src/budget.py", "1111111"), ("src/new.py", "3333333")) == first.touched
    assert (("src/old.py", "src/new.py"),) == first.renamed
    assert 3 == first.file_count
    assert () == second.touched
    assert (("lib/a.py", "src/a.py"),) == second.renamed


def commit(subject: str, *touched: str, renamed: tuple[tuple[str, str], ...] = (), file_count: int = 1) -> Commit:
    blobs = tuple((path, f"blob of {path}") for path in touched)
    return Commit(commit="c" * 40, subject=subject, touched=blobs, renamed=renamed, file_count=file_count)


def test_an_older_commit_is_answered_by_where_its_file_lies_now(repository: Repository) -> None:
    history = [
        commit("Move the client away from here", renamed=(("src/http.py", "src/client.py"),)),
        commit("Close sockets that time out early", "src/http.py"),
    ]
    ((_, query, answers),) = candidates_of(history, repository, ["src/client.py"])
    assert "Close sockets that time out early" == query
    assert {"src/client.py": "blob of src/http.py"} == answers


@pytest.mark.parametrize(
    "unusable",
    [
        commit("Close sockets that time out early", "src/client.py", "src/gone.py"),
        commit("Close sockets that time out early", "src/client.py", "src/b.py", "src/c.py", "src/d.py"),
        commit("Close sockets that time out early", "src/client.py", file_count=40),
        commit("Close sockets that time out early", "README.md"),
    ],
    ids=["a file that is gone", "too many answers", "a sweep", "no answer in the root"],
)
def test_a_commit_with_half_an_answer_or_too_many_is_left_out(repository: Repository, unusable: Commit) -> None:
    files = ["src/client.py", "src/b.py", "src/c.py", "src/d.py"]
    assert [] == list(candidates_of([unusable], repository, files))


def test_tests_beside_the_code_are_no_part_of_the_answer(repository: Repository) -> None:
    history = [commit("Close sockets that time out early", "src/client.py", "src/tests/test_client.py")]
    ((_, _, answers),) = candidates_of(history, repository, ["src/client.py"])
    assert ["src/client.py"] == list(answers)


def test_survival_counts_distinct_telling_lines() -> None:
    before = b"def budget():\n    return 1\n}\n\n    return 1\n"
    assert 0.5 == surviving(before, b"def budget():\n    return 2\n")
    assert 0.0 == surviving(b"\n}\n", b"}\n")


def test_mining_a_real_history_skips_files_that_were_rewritten_since(tmp_path: Path, repository: Repository) -> None:
    init(tmp_path)
    write(tmp_path, {"src/kept.py": "def keep(value):\n    return value\n"})
    commit_all(tmp_path, "Keep the value that was given")
    write(tmp_path, {"src/lost.py": "def lose(value):\n    return None\n"})
    commit_all(tmp_path, "Lose the value that was given")
    write(tmp_path, {"src/lost.py": "class Other:\n    name = 'other'\n"})
    head = commit_all(tmp_path, "Bump lost to another shape")
    pinned = replace(repository, revision=head)
    (query,) = mine_commits(pinned, tmp_path, most=5)
    assert ("Keep the value that was given", ["src/kept.py"], "commit", "plain") == (
        query["query"],
        query["relevant"],
        query["kind"],
        query["tree"],
    )
