"""The user's cache on real disks that are full or cannot be written: mounts in a namespace of our own."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hardtack.bundle.packing import PackInfo, write_pack

FROZEN = Path(__file__).parents[2] / "fixtures" / "bundles" / "v1"
HARDTACK = shlex.join([sys.executable, "-P", "-m", "hardtack"])


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PackInfo]:
    place = tmp_path_factory.mktemp("packs")
    return {profile: write_pack(FROZEN / profile, place / f"{profile}.hardtack") for profile in ("hybrid", "keyword")}


def _mounted(script: str, cache: Path, packs: dict[str, PackInfo]) -> list[str]:
    """What a shell prints that may mount; ``try`` prints an exit status and the first line of errors."""
    if os.environ.get("HARDTACK_TEST_NO_MOUNT") == "1":
        pytest.skip("HARDTACK_TEST_NO_MOUNT says that mounting is not permitted here")
    cache.mkdir()
    told = 'try() { said=$("$@" 2>&1 >/dev/null); echo "$? $(echo "$said" | head -n 1)"; }\n'
    names = {"HARDTACK_CACHE": str(cache), "HYBRID": str(packs["hybrid"].path), "KEYWORD": str(packs["keyword"].path)}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HARDTACK")} | names
    text = told + script.replace("hardtack ", f"{HARDTACK} ")
    done = subprocess.run(
        ["unshare", "--mount", "bash", "-uc", text], cwd=cache, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_disk_that_is_full_is_told_and_nothing_half_done_stays(packs: dict[str, PackInfo], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    script = """
        mount -t tmpfs -o size=160k,mode=700 tmpfs "$HARDTACK_CACHE"
        try hardtack install "$KEYWORD"
        head -c 20000 /dev/zero > "$HARDTACK_CACHE/ballast"
        try hardtack install "$HYBRID"
        find "$HARDTACK_CACHE"/v1/tmp "$HARDTACK_CACHE"/v1/bundles -mindepth 1 -maxdepth 1 | wc -l
        try hardtack verify -b tiny
        mount -o remount,size=4m "$HARDTACK_CACHE"
        try hardtack install "$HYBRID"
        hardtack verify -b tiny | sed 's/.*; //'
    """
    first, second, count, old, third, digest = _mounted(script, cache, packs)
    assert ("0 ", "1", "0 ", "0 ") == (first, count, old, third)
    assert second.startswith(f"5 hardtack: {cache}")
    assert "room" in second or "No space left on device" in second
    assert packs["hybrid"].bundle_digest == digest


def test_a_disk_that_fills_up_meanwhile_leaves_what_was_there(packs: dict[str, PackInfo], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    script = """
        mount -t tmpfs -o size=4m,nr_inodes=60,mode=700 tmpfs "$HARDTACK_CACHE"
        try hardtack install "$KEYWORD"
        try hardtack install "$HYBRID"
        find "$HARDTACK_CACHE"/v1/tmp "$HARDTACK_CACHE"/v1/bundles -mindepth 1 -maxdepth 1 | wc -l
        try hardtack verify -b tiny
    """
    first, second, count, old = _mounted(script, cache, packs)
    assert ("0 ", "1", "0 ") == (first, count, old)
    assert second.startswith(f"5 hardtack: {cache}")
    assert second.endswith("No space left on device.")


def test_a_cache_that_cannot_be_written_is_read_and_what_is_there_is_installed(packs: dict[str, PackInfo], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    script = """
        mount -t tmpfs -o mode=700 tmpfs "$HARDTACK_CACHE"
        try hardtack install "$HYBRID"
        mount -o remount,ro "$HARDTACK_CACHE"
        try hardtack search ship --mode keyword
        try hardtack verify -b tiny
        try hardtack install "$HYBRID"
        try hardtack install "$KEYWORD"
        try hardtack gc
        try hardtack clear tiny --yes
        try hardtack verify -b ship-tiny
    """
    *read, other, collected, cleared, last = _mounted(script, cache, packs)
    assert ["0 "] * 4 == read
    for refused in (other, cleared):
        assert refused.startswith(f"5 hardtack: {cache}")
        assert refused.endswith("Read-only file system.")
    assert ("0 ", "0 ") == (collected, last)


def test_members_that_cannot_be_linked_across_disks_are_copied(packs: dict[str, PackInfo], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    script = """
        chmod 700 "$HARDTACK_CACHE"
        mkdir -p "$HARDTACK_CACHE/v1/members"
        mount -t tmpfs -o mode=755 tmpfs "$HARDTACK_CACHE/v1/members"
        try hardtack install "$HYBRID"
        try hardtack verify -b tiny
        ls "$HARDTACK_CACHE/v1/members" | wc -l
    """
    assert ["0 ", "0 ", "0"] == _mounted(script, cache, packs)
