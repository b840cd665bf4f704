"""What a build records of the engines that made it."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from hardtack.build.options import engines, version_of


def test_versions_are_those_that_installed_packages_declare() -> None:
    packages = [name for name in engines() if name not in {"tantivy-index-format", "unicode", "zlib"}]
    assert "faiss-cpu" in packages
    assert [version(name) for name in packages] == [version_of(name) for name in packages] == [engines()[name] for name in packages]


def test_a_package_that_is_not_installed_has_no_version() -> None:
    with pytest.raises(PackageNotFoundError):
        version_of("hardtack-of-another-ship")


def test_where_several_were_installed_into_one_place_what_they_declare_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, declared in (("1.2", "9.2"), ("1.10", "9.10")):  # which no installer does: it tells the name from the content
        (tmp_path / f"ships_biscuit-{number}.dist-info").mkdir()
        (tmp_path / f"ships_biscuit-{number}.dist-info" / "METADATA").write_text(f"Name: ships-biscuit\nVersion: {declared}\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "absent"), str(tmp_path), *sys.path])
    assert version("ships-biscuit") == version_of("ships-biscuit") != "1.2"
    (tmp_path / "ships_biscuit-1.2.dist-info").rename(tmp_path / "gone")
    assert "1.10" == version_of("ships-biscuit")
