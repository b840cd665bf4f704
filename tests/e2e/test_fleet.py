"""``hardtack fleet`` as its users meet it: the account, the exit code, what is pulled from the shelf, and a Dask cluster."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from clusters import cluster
from processes import Run


@pytest.fixture
def repositories(tmp_path: Path) -> list[Path]:
    made = []
    for name in ("one", "two"):
        root = init(tmp_path / name)
        commit(write(root, {"a.py": f"def number_{name}(): ...\n"}))
        git(root, "remote", "add", "origin", f"https://git.example.org/team/{name}.git")
        made.append(root)
    return made


@pytest.fixture
def listed(tmp_path: Path, repositories: list[Path]) -> Path:
    place = tmp_path / "list.txt"
    place.write_text("one   # a path beside the list\ntwo main\nabsent - git.example.org/team/absent\n")
    return place


def test_a_fleet_tells_of_each_repository_and_its_bundles_are_pulled_by_commit(
    listed: Path, repositories: list[Path], tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))  # what it pulls is installed for no other test
    fleet = ("fleet", listed, "--to", "shelf", "--profile", "keyword", "--report", tmp_path / "report.json")
    done = run(*fleet, cwd=tmp_path)
    assert 4 == done.returncode, done.stderr
    assert done.stdout.startswith("shelf: 2 done, 0 unchanged, 1 failed of 3 repositories in ")
    assert f"  failed: {tmp_path}/absent is not found.\n    On a cluster," in done.stdout
    assert 3 == done.stderr.count("/3] git.example.org/team/")
    report = json.loads((tmp_path / "report.json").read_text())
    assert ("hardtack.fleet/1", 2, 0, 1) == tuple(report[key] for key in ("schema", "done", "unchanged", "failed"))
    assert ["one", "two", "absent"] == [each["repository"].rpartition("/")[2] for each in report["repositories"]]
    assert "SOURCE_UNREADABLE" == report["repositories"][2]["failure"]["code"]
    for root in repositories:
        pulled = run("pull", "--from", tmp_path / "shelf", cwd=root)
        assert 0 == pulled.returncode, pulled.stderr
        found = run("search", f"number_{root.name}", "-n", "1", cwd=root)
        assert f"def number_{root.name}()" in found.stdout
    listed.write_text("one\ntwo\n")
    again = run(*fleet, "--json", "--quiet", cwd=tmp_path)
    assert (0, "", 2) == (again.returncode, again.stderr, json.loads(again.stdout)["unchanged"])


def test_a_fleet_over_a_cluster_is_done_by_its_workers(listed: Path, tmp_path: Path, run: Run) -> None:
    with cluster(tmp_path / "cluster", 2) as at:
        done = run("fleet", listed, "--to", tmp_path / "shelf", "--profile", "keyword", "--cluster", at.address, "--json")
        account = json.loads(done.stdout)
        assert (4, 2, 1, at.address) == (done.returncode, account["done"], account["failed"], account["cluster"])
    lost = run("fleet", listed, "--to", tmp_path / "shelf", "--cluster", "no scheduler")
    assert (2, True) == (lost.returncode, "is no address of a scheduler" in lost.stderr)


@pytest.mark.parametrize("blocked", ["distributed", "tree_sitter"])
def test_what_is_not_installed_is_said(blocked: str, listed: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "sitecustomize.py").write_text(f"import sys\nsys.modules[{blocked!r}] = None\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "blocked")}
    done = run("fleet", listed, "--to", tmp_path / "shelf", "--cluster", "127.0.0.1:1", env=environment)
    extra = {"distributed": "dask", "tree_sitter": "build"}[blocked]
    assert (2, True) == (done.returncode, f"pip install 'hardtack[{extra}]'" in done.stderr), done.stderr


def test_a_list_with_a_bad_line_starts_nothing(listed: Path, tmp_path: Path, run: Run) -> None:
    listed.write_text(listed.read_text() + "ext::id\n")
    done = run("fleet", listed, "--to", tmp_path / "shelf")
    assert (2, False) == (done.returncode, (tmp_path / "shelf").exists())
    assert f"{listed}, line 4" in done.stderr
