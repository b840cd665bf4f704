"""What a build takes over unasked: what this user's builder made at that place, and nothing that a repository brings."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from checkouts import commit, git, init, write
from own_work import users_cache

from hardtack.build.pipeline import AUTO, NO_BASE, BuildOptions, build_bundle
from hardtack.build.report import BuildReport
from hardtack.build.reuse.base_bundle import BaseBundle
from hardtack.bundle.naming import OWN_PLACE
from hardtack.bundle.reader import open_bundle
from hardtack.errors import PolicyError
from hardtack.store.built import BuiltHere
from hardtack.store.cache import BundleCache

_PLAIN = BuildOptions(jobs=1, profile="keyword")
_FILES = {f"shelf{number:02}.py": f"def shelf_{number}(jar):\n    return jar.open({number})\n" for number in range(14)}


def _built(tree: Path, cache: BundleCache | None, place: Path | None = None, base: Path | str = AUTO) -> BuildReport:
    own = BuiltHere(lambda: cache) if cache else None
    return build_bundle(tree, place, replace(_PLAIN, base=base), own=own)


@pytest.fixture
def cache(tmp_path: Path) -> BundleCache:
    return BundleCache(tmp_path / "cache")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout of fourteen files."""
    root = init(write(tmp_path / "tree", _FILES))
    commit(root)
    return root


def _cloned_with_its_bundle(tree: Path, cache: BundleCache) -> Path:
    """A clone of a checkout whose author has built and committed its bundle, with an edit since."""
    _built(tree, cache)
    git(tree, "add", "--force", ".hardtack")
    commit(tree, "a bundle")
    clone = tree.parent / "clone"
    git(tree, "clone", "--quiet", str(tree), str(clone))
    write(clone, {"shelf00.py": "def another(): return 0\n"})
    commit(clone)
    return clone


def test_a_bundle_that_the_repository_brings_is_no_base_even_if_the_same_user_built_it_elsewhere(
    tree: Path, cache: BundleCache
) -> None:
    clone = _cloned_with_its_bundle(tree, cache)
    report = _built(clone, cache)
    assert (0, 1) == (report.taken_over, len(report.notes))
    said = f"Nothing was taken over from {clone / OWN_PLACE}: you did not build it here"
    assert report.notes[0].startswith(said)
    assert report.digest == _built(clone, None, tree.parent / "anew", NO_BASE).digest


def test_a_bundle_that_the_repository_brings_is_not_taken_for_up_to_date(tree: Path, cache: BundleCache) -> None:
    _built(tree, cache)
    shutil.copytree(tree, tree.parent / "copy", symlinks=True)
    assert _built(tree, cache).is_unchanged
    assert not _built(tree.parent / "copy", cache).is_unchanged


def test_a_bundle_that_was_put_in_the_place_of_ones_own_is_no_base(tree: Path, cache: BundleCache) -> None:
    _built(tree, cache)
    write(tree, {"shelf00.py": "def poison(): return 0\n"})
    commit(tree)
    _built(tree, None, tree.parent / "other", NO_BASE)
    shutil.rmtree(tree / OWN_PLACE)
    (tree.parent / "other").rename(tree / OWN_PLACE)
    report = _built(tree, cache)  # of the very commit: nor is it taken for up to date
    assert (0, False) == (report.taken_over, report.is_unchanged)


def test_a_base_that_a_person_names_is_used_after_the_spot_check(tree: Path, cache: BundleCache) -> None:
    clone = _cloned_with_its_bundle(tree, cache)
    report = _built(clone, cache, base=clone / OWN_PLACE)
    assert (True, []) == (report.taken_over > 0, report.notes)


def test_without_a_cache_nothing_is_taken_over_and_that_is_said(tree: Path) -> None:
    for _ in range(2):
        write(tree, {"shelf00.py": f"{(tree / 'shelf00.py').read_text()}\n\n\ndef more(): return 1\n"})
        commit(tree)
        report = _built(tree, None)
    assert 0 == report.taken_over
    assert "nothing remembers who built it" in report.notes[-1]


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_cache_that_others_may_write_to_vouches_for_nothing(mode: int, tree: Path, cache: BundleCache) -> None:
    _built(tree, cache)
    os.chown(cache.built, -1, 12345)
    cache.built.chmod(mode)
    report = _built(tree, cache, tree.parent / "elsewhere")
    assert any("is not remembered" in note and "can be written by" in note for note in report.notes)
    with pytest.raises(PolicyError):
        BuiltHere(lambda: cache).has(tree / OWN_PLACE, "any")


def test_what_is_compared_with_a_base_differs_each_time_and_the_bundle_does_not(tree: Path, cache: BundleCache) -> None:
    _built(tree, cache)
    with open_bundle(tree / OWN_PLACE) as bundle:
        samples = {BaseBundle(bundle, None, is_named=False).sampled for _ in range(40)}
    assert len(samples) > 20
    write(tree, {"shelf00.py": "def another(): return 0\n"})
    commit(tree)
    shutil.copytree(tree / OWN_PLACE, tree.parent / "base")
    digests = {_built(tree, None, tree.parent / f"new{number}", tree.parent / "base").digest for number in range(3)}
    assert {_built(tree, None, tree.parent / "anew", NO_BASE).digest} == digests


# -- checkpoints ----------------------------------------------------------------------------------------------------------------


def _killed(tree: Path, *arguments: str) -> Path:
    """A build that is killed when all files are analysed; gives its checkpoint."""
    command = [sys.executable, "-m", "hardtack", "build", str(tree), "-q", "-j", "1", "--profile", "keyword", *arguments]
    done = subprocess.run(command, env={**os.environ, "HARDTACK_KILL_AT": "1"}, timeout=120)
    assert -signal.SIGKILL == done.returncode
    return tree / ".hardtack" / ".hardtack-journal-bundle"


def test_a_checkpoint_that_the_repository_brings_is_not_read(tree: Path, tmp_path: Path) -> None:
    journal = _killed(tree)
    other = tmp_path / "other"
    shutil.copytree(tree, other)
    assert 0 == _built(other, users_cache()).resumed
    assert journal.exists()
    assert 14 == _built(tree, users_cache()).resumed


@pytest.mark.parametrize("kind", ["link", "hard link", "fifo", "directory"])
def test_what_else_has_the_name_of_the_checkpoint_is_not_written_to(
    kind: str, tree: Path, tmp_path: Path, cache: BundleCache
) -> None:
    mine, journal = tmp_path / "mine", tree / ".hardtack" / ".hardtack-journal-bundle"
    mine.write_text("precious")
    journal.parent.mkdir()
    make = {"link": journal.symlink_to, "hard link": journal.hardlink_to}
    if kind in make:
        make[kind](mine)
    else:
        (os.mkfifo if kind == "fifo" else os.mkdir)(journal)
    report = _built(tree, cache)
    assert ("precious", 14, 0) == (mine.read_text(), report.manifest.counts.files if report.manifest else 0, report.resumed)


def test_where_nothing_can_be_remembered_a_build_leaves_nothing_but_its_bundle(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    build_bundle(tree, tmp_path / "made" / "bundle", _PLAIN, own=BuiltHere(lambda: None))
    assert ["bundle"] == [path.name for path in (tmp_path / "made").iterdir()]
