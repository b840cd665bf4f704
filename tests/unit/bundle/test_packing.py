"""A pack is put in place in one step, and what killed processes leave of one is removed by the next."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hardtack.bundle.packing import write_pack
from hardtack.descriptors import replace_file, staged_file, work_directory


def _pack(bundle: Path, destination: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "hardtack", "pack", str(bundle), "-o", str(destination)]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, timeout=120)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_what_a_killed_pack_left_is_gone_after_the_next(bare_bundle: Path, tmp_path: Path, step: int) -> None:
    destination = tmp_path / "p.hardtack"
    assert -signal.SIGKILL == _pack(bare_bundle, destination, HARDTACK_KILL_AT=str(step)).returncode
    (left,) = os.listdir(tmp_path)
    assert left.startswith(".hardtack-new-")
    assert 0 == _pack(bare_bundle, destination).returncode
    assert ["p.hardtack"] == os.listdir(tmp_path)


def test_a_file_that_a_living_process_writes_is_left_to_it(bare_bundle: Path, tmp_path: Path) -> None:
    destination = tmp_path / "p.hardtack"
    with staged_file(destination, 0o644) as (_, staged):
        write_pack(bare_bundle, destination)
        assert {staged.name, destination.name} == set(os.listdir(tmp_path))
    assert [destination.name] == os.listdir(tmp_path)


def test_what_was_left_of_another_file_is_left_to_its_next_writer(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from hardtack.descriptors import staged_file\n"
        "with staged_file(Path(sys.argv[1]), 0o644) as (file, staged):\n"
        "    file.write(b'half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert -signal.SIGKILL == subprocess.run([sys.executable, "-c", script, str(tmp_path / "one")], timeout=60).returncode
    replace_file(tmp_path / "other", b"whole")
    assert 2 == len(os.listdir(tmp_path))
    replace_file(tmp_path / "one", b"whole")
    assert {"one", "other"} == set(os.listdir(tmp_path))


@pytest.mark.parametrize("umask", [0, 0o022, 0o077, 0o777])
def test_a_pack_can_be_read_by_everybody_under_any_umask(bare_bundle: Path, tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        write_pack(bare_bundle, tmp_path / "p.hardtack")
    finally:
        os.umask(before)
    assert 0o644 == (tmp_path / "p.hardtack").stat().st_mode & 0o777


@pytest.mark.parametrize("kind", ["link", "hard link"])
def test_a_file_is_replaced_and_never_written_through(tmp_path: Path, kind: str) -> None:
    mine, place = tmp_path / "mine", tmp_path / "place"
    mine.write_text("precious")
    (place.symlink_to if kind == "link" else place.hardlink_to)(mine)
    replace_file(place, b"new")
    assert ("precious", "new") == (mine.read_text(), place.read_text())


def test_what_a_killed_publish_left_among_the_temporary_files_is_gone_after_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    script = (
        "import os, signal; from hardtack.descriptors import work_directory\n"
        "with work_directory() as directory:\n"
        "    (directory / 'bundle.hardtack').write_bytes(b'a whole pack'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert -signal.SIGKILL == subprocess.run([sys.executable, "-c", script], timeout=60).returncode
    (tmp_path / "hardtack-of-another-kind").mkdir()
    assert 2 == len(os.listdir(tmp_path))
    with work_directory() as first, work_directory() as second:
        assert {"hardtack-of-another-kind", first.name, second.name} == set(os.listdir(tmp_path))
    assert ["hardtack-of-another-kind"] == os.listdir(tmp_path)
