"""Repositories whose git directory is an attack, through the verbs and the tool that build: each ends soon, with one sentence."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from processes import Run

from hardtack.bundle.reader import open_bundle


@pytest.fixture
def private(tmp_path: Path) -> Path:
    root = init(tmp_path / "private")
    commit(write(root, {"private.py": "def private(): ...\n"}))
    return root


@pytest.fixture
def checkout(tmp_path: Path, private: Path) -> Path:
    """A checkout that borrows its objects from another repository, and has that one's commit."""
    root = tmp_path / "checkout"
    git(tmp_path, "clone", "--quiet", "--reference", str(private), str(private), str(root))
    return root


def test_a_borrowed_repository_is_built_only_when_that_is_asked_for(
    checkout: Path, private: Path, tmp_path: Path, run: Run
) -> None:
    build = ("build", checkout, "-o", tmp_path / "bundle", "--profile", "keyword", "--report", tmp_path / "report.json")
    refused = run(*build)
    assert (6, False) == (refused.returncode, (tmp_path / "bundle").exists())
    assert str(private / ".git" / "objects") in refused.stderr
    assert "--follow-git" in refused.stderr
    done = run(*build, "--follow-git")
    assert 0 == done.returncode, done.stderr
    assert [note for note in json.loads((tmp_path / "report.json").read_text())["notes"] if str(private) in note]
    with open_bundle(tmp_path / "bundle") as bundle:
        assert ["private.py"] == [file.path for file in bundle.files]


def test_a_job_follows_when_its_input_says_so(checkout: Path, tmp_path: Path, run: Run) -> None:
    environment = {**os.environ, "HARDTACK_CI_PROFILE": "keyword", "HARDTACK_CI_BASE": "none"}
    assert 6 == run("ci", "-o", tmp_path / "out", cwd=checkout, env=environment).returncode
    for repeats in ("false", "true"):
        inputs = {"HARDTACK_CI_FOLLOW_GIT": "true", "HARDTACK_CI_CHECK_REPRODUCIBLE": repeats}
        done = run("ci", "-o", tmp_path / "out", cwd=checkout, env=environment | inputs)
        assert 0 == done.returncode, done.stderr


def test_an_agent_s_build_never_follows(checkout: Path, run: Run) -> None:
    arguments = json.dumps({"path": str(checkout)})
    done = run("tool", "index_codebase", "--allow-build", "--json", arguments, cwd=checkout)
    assert 6 == done.returncode, done.stdout + done.stderr
    assert "outside of" in done.stderr
    assert not (checkout / ".hardtack" / "bundle").exists()


@pytest.mark.parametrize("place", ["config", "index", "info/exclude", "HEAD", "packed-refs"])
@pytest.mark.parametrize("arguments", [[], ["--worktree"], ["--history", "10"]], ids=["commit", "files", "history"])
def test_a_fifo_in_the_git_directory_holds_no_build(tmp_path: Path, run: Run, place: str, arguments: list[str]) -> None:
    root = init(tmp_path / "checkout")
    commit(write(root, {"a.py": "a = 1\n"}))
    fifo = root / ".git" / place
    fifo.parent.mkdir(exist_ok=True)
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    done = run("build", root, "-o", tmp_path / "bundle", "--profile", "keyword", *arguments)
    assert (4, 1) == (done.returncode, done.stderr.count(str(fifo))), done.stderr


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--max-files", "3"], "more than 3 files and directories"),
        (["--max-files", "3", "--worktree"], "more than 3 files and directories"),
        (["--max-source", "10"], "more than 10 bytes of source"),
        (["--max-source", "10", "--worktree"], "more than 10 bytes of source"),
    ],
)
def test_a_limit_that_is_met_is_one_sentence_that_names_the_flag(tmp_path: Path, run: Run, flags: list[str], said: str) -> None:
    root = init(tmp_path / "checkout")
    commit(write(root, {f"{name}.py": f"{name} = 1\n" for name in "abcdef"}))
    done = run("build", root, "-o", tmp_path / "bundle", "--profile", "keyword", *flags)
    assert (4, True, True) == (done.returncode, said in done.stderr, flags[0] in done.stderr), done.stderr
    assert not (tmp_path / "bundle").exists()
    assert not [path for path in tmp_path.iterdir() if path.name != "checkout"]
