from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardtack import descriptors


@pytest.fixture(params=["as it is", "win32"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """This system, and as far as that can be shown here, Windows, whose open has no flag that refuses links."""
    if request.param == "win32":
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.setattr(descriptors, "NO_FOLLOW", 0)


@pytest.mark.usefixtures("system")
def test_a_link_is_refused_unless_it_may_be_followed(tmp_path: Path) -> None:
    (tmp_path / "jar").write_bytes(b"plums")
    (tmp_path / "link").symlink_to("jar")
    with pytest.raises(OSError, match=r"symbolic links"):
        descriptors.open_file(tmp_path / "link")
    for descriptor in (descriptors.open_file(tmp_path / "jar"), descriptors.open_file(tmp_path / "link", follow=True)):
        assert b"plums" == os.read(descriptor, 9)
        os.close(descriptor)


@pytest.mark.usefixtures("system")
def test_threads_read_one_open_file_at_their_own_places(tmp_path: Path) -> None:
    size, count = 64, 400
    (tmp_path / "jars").write_bytes(b"".join(number.to_bytes(2, "big") * (size // 2) for number in range(count)))
    descriptor = descriptors.open_file(tmp_path / "jars")
    twin = os.dup(descriptor)

    def read(number: int) -> bytes:
        return descriptors.read_at(twin if number % 2 else descriptor, size, number * size)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read, range(count)))
    os.close(descriptor)
    os.close(twin)
    assert [number.to_bytes(2, "big") * (size // 2) for number in range(count)] == found


def test_a_temporary_directory_that_another_process_removed_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made, real = [], Path.chmod

    def removed_at_first(path: Path, mode: int) -> None:
        made.append(path)
        if len(made) == 1:
            path.rmdir()
        real(path, mode)

    monkeypatch.setattr(Path, "chmod", removed_at_first)
    with descriptors.work_directory() as place:
        assert place.is_dir()
        assert [place] == made[1:]
    assert [] == [*tmp_path.iterdir()]


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    os.close(descriptors.open_file(tmp_path / "fifo"))
