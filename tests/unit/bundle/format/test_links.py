"""Links lie in a directory that is this process's alone, and are gone when they are done with."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hardtack.bundle.format import links
from hardtack.bundle.format.links import linked


def test_what_is_linked_is_read_by_its_name_and_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jar").write_text("plums")
    (place := tmp_path / "place").mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    with linked({"first": tmp_path / "jar"}) as directory:
        assert directory is not None and directory.parent == place
        assert "plums" == (directory / "first").read_text()
        assert 0o700 == stat.S_IMODE(directory.stat().st_mode)
    assert [] == [*place.iterdir()]
    assert "plums" == (tmp_path / "jar").read_text(), "the link goes, and not what it leads to"


def test_what_an_engine_leaves_there_goes_too_and_whatever_it_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(ValueError, match="no index"), linked({}) as directory:
        assert directory is not None
        (directory / ".lock").touch()
        raise ValueError("no index")
    assert [] == [*tmp_path.iterdir()]


def test_the_first_place_that_can_be_written_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    monkeypatch.setenv("TEMP", str(tmp_path))
    with linked({}) as directory:
        assert directory is not None and directory.parent == tmp_path


def test_a_place_is_found_from_where_the_process_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", ".")
    with linked({}) as directory:
        assert directory is not None and directory.is_absolute() and directory.parent == Path(os.path.realpath(tmp_path))


def test_where_nothing_can_be_written_there_is_no_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(links, "_PLACES", (str(tmp_path / "none"), str(tmp_path / "neither")))
    with linked({"first": tmp_path}) as directory:
        assert directory is None
