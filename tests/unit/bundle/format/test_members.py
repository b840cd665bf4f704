from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.members import MemberFile
from hardtack.errors import BundleNotFound, FormatError, UsageError


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "member").write_bytes(b"hardtack")
    (tmp_path / "empty").write_bytes(b"")
    return tmp_path


def test_a_member_is_read_mapped_and_hashed_through_one_open_file(directory: Path) -> None:
    with MemberFile(directory, "member") as member:
        (directory / "other").write_bytes(b"replaced")
        (directory / "other").replace(directory / "member")
        assert b"hardtack" == member.read(8)
        assert b"hardtack" == bytes(member.map())
        assert digest_of(b"hardtack") == member.digest()
        assert member.engine_path and b"hardtack" == member.engine_path.read_bytes()


def test_an_empty_member_maps_to_nothing(directory: Path) -> None:
    with MemberFile(directory, "empty") as member:
        assert b"" == bytes(member.map())
        assert b"" == member.read(0)


def test_a_map_outlives_the_member_it_came_from(directory: Path) -> None:
    with MemberFile(directory, "member") as member:
        view = member.map()
    assert b"hardtack" == bytes(view)


def test_a_missing_member_is_not_found(directory: Path) -> None:
    with pytest.raises(BundleNotFound, match="cannot be read"):
        MemberFile(directory, "absent")


def test_a_link_is_refused(directory: Path) -> None:
    (directory / "link").symlink_to("member")
    with pytest.raises(FormatError, match="is a link"):
        MemberFile(directory, "link")


def test_a_directory_a_fifo_and_a_device_are_refused_without_waiting(directory: Path) -> None:
    (directory / "folder").mkdir()
    os.mkfifo(directory / "fifo")
    for parent, name in ((directory, "folder"), (directory, "fifo"), (Path("/dev"), "null")):
        with pytest.raises(FormatError, match="not a regular file"):
            MemberFile(parent, name)


def test_more_than_the_limit_is_not_read(directory: Path) -> None:
    with MemberFile(directory, "member") as member, pytest.raises(FormatError, match="at most 7"):
        member.read(7)


@pytest.mark.parametrize("size", [0, 3, 20])
def test_a_file_that_changes_its_size_after_it_was_opened_is_refused(directory: Path, size: int) -> None:
    with MemberFile(directory, "member") as member:
        os.truncate(directory / "member", size)
        with pytest.raises(FormatError, match="changed while"):
            member.read(100)
        if size < 8:
            with pytest.raises(FormatError, match="cannot be mapped"):
                member.map()


def test_a_closed_member_gives_nothing_instead_of_empty_memory(directory: Path) -> None:
    member = MemberFile(directory, "member")
    member.close()
    member.close()
    for use in (member.map, member.digest, lambda: member.engine_path, lambda: member.read(9)):
        with pytest.raises(UsageError, match="was closed"):
            use()


def test_a_file_that_may_not_be_read_is_not_found() -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own directory is closed to others, which would prove nothing
        directory, member = Path(name), Path(name, "member")
        directory.chmod(0o755)
        member.write_bytes(b"x")
        was = os.geteuid()
        try:
            if was == 0:
                os.seteuid(65534)  # root reads everything
            MemberFile(directory, "member").close()
            os.seteuid(was)
            member.chmod(0)
            if was == 0:
                os.seteuid(65534)
            with pytest.raises(BundleNotFound, match="Permission denied"):
                MemberFile(directory, "member")
        finally:
            os.seteuid(was)
