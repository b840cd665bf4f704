"""``hardtack build --cluster`` as its users meet it: the same bundle, and one sentence for each way in which a cluster can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkouts import write
from clusters import another_version, cluster
from processes import Run
from sabotage import sabotaged

import hardtack

_QUIET = ("--quiet", "--base", "none", "--profile", "keyword")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A directory of real code."""
    return Path(
        shutil.copytree(Path(hardtack.__file__).parent / "query", tmp_path / "tree", ignore=shutil.ignore_patterns("__pycache__"))
    )


def test_a_cluster_builds_the_same_bundle_and_none_that_differs_is_taken(tree: Path, tmp_path: Path, run: Run) -> None:
    here = run("build", tree, "-o", tmp_path / "here", *_QUIET)
    assert 0 == here.returncode, here.stderr
    with cluster(tmp_path / "cluster", 2) as at:
        there = run("build", tree, "-o", tmp_path / "there", *_QUIET, "--cluster", at.address)
        assert (0, "") == (there.returncode, there.stderr)
        assert (tmp_path / "here" / "manifest.json").read_bytes() == (tmp_path / "there" / "manifest.json").read_bytes()
        at.add_worker(another_version(tmp_path / "other"))
        at.wait(3)
        refused = run("build", tree, "-o", tmp_path / "refused", *_QUIET, "--cluster", at.address)
        assert (4, False) == (refused.returncode, (tmp_path / "refused").exists())
        assert "has hardtack 99.9 (" in refused.stderr
        assert "nothing was started.\n  Install the same versions everywhere" in refused.stderr


def test_a_cluster_that_cannot_do_it_is_said_in_one_sentence(tree: Path, tmp_path: Path, run: Run) -> None:
    place = tmp_path / "place"
    build = ("build", tree, "-o", place, *_QUIET, "--cluster")
    with cluster(tmp_path / "cluster", 0) as at:
        empty = run(*build, at.address)
        hint = f"Start some with: dask worker {at.address}"
        assert (4, f"hardtack: The cluster at {at.address} has no workers.\n  {hint}\n") == (empty.returncode, empty.stderr)
    absent = run(*build, "no scheduler")
    said = "hardtack: 'no scheduler' is no address of a scheduler.\n  Write it like tcp://host:8786\n"
    assert (2, said) == (absent.returncode, absent.stderr)
    both = run(*build, "tcp://127.0.0.1:1", "--jobs", "3")
    assert (2, "hardtack: A cluster has its own number of worker processes, so --jobs does not go with it.") == (
        both.returncode,
        both.stderr.splitlines()[0],
    )
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "sitecustomize.py").write_text("import sys\nsys.modules['distributed'] = None\n")
    without = run(*build, "tcp://127.0.0.1:1", env={**os.environ, "PYTHONPATH": str(tmp_path / "blocked")})
    assert (2, True) == (without.returncode, "pip install 'hardtack[dask]'" in without.stderr), without.stderr
    assert not place.exists()


def test_a_scheduler_that_is_lost_is_said_in_our_words_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage = sabotaged(tmp_path, monkeypatch)
    write(tmp_path / "tree", {"a.py": "HANG = 1\n"})
    with cluster(tmp_path / "cluster", 1) as at:
        command = [sys.executable, "-m", "hardtack", "build", str(tmp_path / "tree"), *_QUIET, "--cluster", at.address]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as build:
            sabotage.wait()
            at.scheduler.kill()
            _, said = build.communicate(timeout=60)
    sentence = f"hardtack: a.py could not be analysed. The cluster at {at.address} was lost before it was done.\n"
    assert (4, f"{sentence}  Start it, and run it again.\n") == (build.returncode, said)
    sabotage.wait_for_none()
