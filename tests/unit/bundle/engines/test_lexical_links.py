"""The links through which Tantivy opens its files lie in a directory of this process alone, and are removed afterwards."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest

from hardtack.bundle.engines.private_directory import linked
from hardtack.bundle.format.members import MemberFile
from hardtack.bundle.reader import open_bundle


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (place := tmp_path / "place").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def test_what_is_linked_is_read_by_its_name_and_gone_afterwards(tmp_path: Path, place: Path) -> None:
    (tmp_path / "jar").write_text("plums")
    with MemberFile(tmp_path, "jar") as member, linked([member]) as directory:
        assert directory is not None and directory.parent == place
        assert "plums" == (directory / "jar").read_text()
        assert 0o700 == stat.S_IMODE(directory.stat().st_mode)
    assert [] == [*place.iterdir()]
    assert "plums" == (tmp_path / "jar").read_text(), "the link goes, and not what it leads to"


def test_what_an_engine_leaves_there_goes_too_and_whatever_it_raises(place: Path) -> None:
    with pytest.raises(ValueError, match="no index"), linked([]) as directory:
        assert directory is not None
        (directory / ".lock").touch()
        raise ValueError("no index")
    assert [] == [*place.iterdir()]


def test_where_nothing_can_be_written_the_index_is_made_again_in_memory(
    keyword: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_bundle(keyword) as bundle:
        expected = bundle.lexical.chunks_with(["stock"])
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path / "none"))
    with linked([]) as directory:
        assert directory is None
    with open_bundle(keyword) as bundle:
        assert expected == bundle.lexical.chunks_with(["stock"])


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system does not say what is mapped")
def test_where_open_files_have_no_paths_copies_are_searched_and_go_when_the_bundle_is_closed(
    keyword: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_bundle(keyword) as bundle:
        expected = bundle.lexical.chunks_with(["stock"])
    removes = shutil.rmtree

    def remove(directory: Path) -> None:
        """As Windows does, which deletes no file that is mapped."""
        if str(directory) in Path("/proc/self/maps").read_text("utf-8"):
            raise PermissionError
        removes(directory)

    monkeypatch.setattr(MemberFile, "engine_path", None)
    monkeypatch.setattr(shutil, "rmtree", remove)
    with open_bundle(keyword) as bundle:
        assert expected == bundle.lexical.chunks_with(["stock"])
        assert 1 == len([*place.iterdir()])
    assert [] == [*place.iterdir()]
