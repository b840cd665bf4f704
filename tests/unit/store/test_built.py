"""What a user's builder made is remembered outside of the checkout, by place and digest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardtack.bundle.packing import PackInfo
from hardtack.errors import PolicyError, SourceError
from hardtack.store.built import BuiltHere
from hardtack.store.cache import BundleCache
from hardtack.store.collect import GRACE, collect
from hardtack.store.install import install_into

DIGEST = "sha256:" + "1" * 64


def test_what_was_built_is_remembered_there_and_nowhere_else(cache: BundleCache, tmp_path: Path) -> None:
    own = BuiltHere(lambda: cache)
    assert not own.has(tmp_path / "bundle", DIGEST)
    own.add(tmp_path / "bundle", DIGEST)
    assert own.has(tmp_path / "bundle", DIGEST)
    assert not own.has(tmp_path / "copy", DIGEST)
    assert not own.has(tmp_path / "bundle", DIGEST.replace("1", "2"))
    own.drop(tmp_path / "bundle", DIGEST)
    own.drop(tmp_path / "bundle", DIGEST)
    assert not own.has(tmp_path / "bundle", DIGEST)


def test_without_a_cache_nothing_is_ones_own_and_the_reason_is_given(tmp_path: Path) -> None:
    for ask in (BuiltHere(lambda: None).has, BuiltHere(lambda: None).add):
        with pytest.raises(SourceError, match="no home directory"):
            ask(tmp_path, DIGEST)


@pytest.mark.parametrize("at", ["", "v1", "v1/built"])
def test_a_cache_that_others_may_write_to_vouches_for_nothing(cache: BundleCache, tmp_path: Path, at: str) -> None:
    BuiltHere(lambda: cache).add(tmp_path, DIGEST)
    (cache.root / at).chmod(0o777)
    with pytest.raises(PolicyError, match="can be written by everybody"):
        BuiltHere(lambda: cache).has(tmp_path, DIGEST)


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_a_note_can_be_read_by_everybody_and_written_by_its_owner_alone(umask: int, cache: BundleCache, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        BuiltHere(lambda: cache).add(tmp_path, DIGEST)
    finally:
        os.umask(before)
    (note,) = cache.built.iterdir()
    assert (0o644, 0o755) == (note.stat().st_mode & 0o777, cache.built.stat().st_mode & 0o777)


def test_notes_of_what_is_gone_are_collected_and_others_stay(cache: BundleCache, hybrid: PackInfo, tmp_path: Path) -> None:
    own = BuiltHere(lambda: cache)
    place, digest = install_into(tmp_path / "root", hybrid.path)
    own.add(place, digest)
    own.add(place, DIGEST)
    own.add(tmp_path / "gone", DIGEST)
    collect(cache)
    assert 3 == len(list(cache.built.iterdir()))  # what was built a moment ago may be about to be put in place
    later = max(path.stat().st_mtime for path in cache.built.iterdir()) + 2 * GRACE
    collect(cache, now=later)
    assert 1 == len(list(cache.built.iterdir()))
    assert own.has(place, digest)
