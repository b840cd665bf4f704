"""Of a client's roots, only directories of this machine count."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.mcp.roots import directory_of


def test_a_directory_that_is_there_counts(tmp_path: Path) -> None:
    place = tmp_path / "a b é"
    place.mkdir()
    assert place == directory_of(place.as_uri())
    assert place == directory_of(place.as_uri().replace("file://", "file://localhost"))
    assert place == directory_of(f"{place.as_uri()}/")


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "x",
        "/",
        "file:",
        "file://",
        "file:relative",
        "http://localhost/",
        "file://elsewhere/tmp",
        "file:///no/such/place",
        "file:///%00",
    ],
)
def test_anything_else_does_not(uri: str) -> None:
    assert directory_of(uri) is None


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    assert directory_of((tmp_path / "x").as_uri()) is None
