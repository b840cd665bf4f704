"""Shards built by processes of their own, as a matrix of CI jobs builds them, and their merge."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from checkouts import git
from processes import Run


def _is_same(one: Path, other: Path) -> bool:
    return subprocess.run(["diff", "-r", one, other], capture_output=True, check=False).returncode == 0


def test_four_jobs_and_a_merge_without_the_checkout_give_the_bundle_of_one_job(
    repository: Path, built: Path, run: Run, tmp_path: Path
) -> None:
    clones = [tmp_path / f"job-{number}" for number in range(1, 5)]
    for number, clone in enumerate(clones, 1):
        git(tmp_path, "clone", "--quiet", *(["--depth=1"] if number > 1 else []), repository.as_uri(), clone)
        git(clone, "remote", "remove", "origin")
        done = run("build", clone, "--shard", f"{number}/4", "-o", tmp_path / "shards" / f"{number}", "--history", "5")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert f"shard {number}/4, " in done.stderr
        shutil.rmtree(clone)
    shards = sorted((tmp_path / "shards").iterdir())
    done = run("merge", *reversed(shards), "-o", tmp_path / "merged", "--report", tmp_path / "report.json")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "history: 2 commits" in done.stderr  # though three of the four clones are shallow
    whole = ["-o", tmp_path / "whole", "--history", "5", "--report", tmp_path / "whole.json"]
    assert 0 == run("build", repository, *whole).returncode
    one, other = (json.loads((tmp_path / name).read_text()) for name in ("report.json", "whole.json"))
    told = ("schema", "digest", "skips", "languages", "parse_status", "secrets", "failures", "files_added", "history")
    assert [one[name] for name in told] == [other[name] for name in told]
    assert _is_same(tmp_path / "whole", tmp_path / "merged")
    assert 0 == run("verify", tmp_path / "merged").returncode
    assert not _is_same(built, tmp_path / "merged")  # which has no history


def test_what_cannot_be_merged_is_told_in_one_sentence_with_a_remedy(repository: Path, run: Run, tmp_path: Path) -> None:
    shard = tmp_path / "shard"
    assert 0 == run("build", repository, "--shard", "2/3", "-o", shard, "-q").returncode
    missing = run("merge", shard, "-o", tmp_path / "merged")
    assert (4, "") == (missing.returncode, missing.stdout)
    assert missing.stderr.startswith("hardtack: Shards 1, 3 of 3 are missing; nothing was built.\n")
    assert "--shard 1/3" in missing.stderr
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    damaged = run("merge", shard, "-o", tmp_path / "merged")
    assert 3 == damaged.returncode
    assert f"hardtack: The shard {shard} is damaged: it is not what was written.\n" in damaged.stderr
    wrong = run("build", repository, "--shard", "4/3", "-o", shard)
    assert 2 == wrong.returncode
    assert "hardtack: There is no shard '4/3'.\n" in wrong.stderr
    assert ["shard"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_shard_whose_build_is_killed_is_the_old_one_or_the_new_one(pantry: Path, run: Run, tmp_path: Path, step: int) -> None:
    shard = tmp_path / "shard"
    assert 0 == run("build", pantry, "--shard", "1/2", "-o", shard, "-q").returncode
    before = shard.read_bytes()
    killed = run("build", pantry, "--shard", "1/2", "-o", shard, "-q", env={**os.environ, "HARDTACK_KILL_AT": str(step)})
    assert (-signal.SIGKILL, before) == (killed.returncode, shard.read_bytes())
    assert 0 == run("build", pantry, "--shard", "1/2", "-o", shard, "-q").returncode
    assert ["shard"] == [path.name for path in tmp_path.iterdir()]
