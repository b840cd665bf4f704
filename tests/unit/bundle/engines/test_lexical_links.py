"""The links through which Tantivy opens its files lie in a directory of this process alone, and are removed afterwards."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from hardtack.bundle.engines import lexical
from hardtack.bundle.format.members import MemberFile
from hardtack.bundle.reader import open_bundle


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (place := tmp_path / "place").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def test_what_is_linked_is_read_by_its_name_and_gone_afterwards(tmp_path: Path, place: Path) -> None:
    (tmp_path / "jar").write_text("plums")
    with MemberFile(tmp_path, "jar") as member, lexical._links([member]) as directory:
        assert directory is not None and directory.parent == place
        assert "plums" == (directory / "jar").read_text()
        assert 0o700 == stat.S_IMODE(directory.stat().st_mode)
    assert [] == [*place.iterdir()]
    assert "plums" == (tmp_path / "jar").read_text(), "the link goes, and not what it leads to"


def test_what_an_engine_leaves_there_goes_too_and_whatever_it_raises(place: Path) -> None:
    with pytest.raises(ValueError, match="no index"), lexical._links([]) as directory:
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
    with lexical._links([]) as directory:
        assert directory is None
    with open_bundle(keyword) as bundle:
        assert expected == bundle.lexical.chunks_with(["stock"])
