"""Where a bundle is looked for, and how far it is trusted there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.errors import BundleNotFound
from hardtack.store.locate import Located, locate


def _bundle(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "manifest.json").touch()
    return path


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    """Two roots of installed bundles, one of them not there."""
    _bundle(tmp_path / "installed" / "gin")
    (tmp_path / "installed" / "no-bundle").mkdir()
    return [tmp_path / "missing", tmp_path / "installed"]


def test_a_bundle_is_found_by_its_path_and_hashed(tmp_path: Path) -> None:
    path = _bundle(tmp_path / "bundle")
    assert Located(path=path, check="hashes") == locate(str(path), [], tmp_path)


def test_a_directory_that_was_built_leads_to_its_bundle(tmp_path: Path) -> None:
    path = _bundle(tmp_path / "source" / ".hardtack" / "bundle")
    assert path == locate(str(tmp_path / "source"), [], tmp_path).path


def test_a_name_is_looked_up_among_the_installed_bundles_which_were_hashed_before(
    tmp_path: Path, roots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Located(path=tmp_path / "installed" / "gin", check="sizes") == locate("gin", roots, tmp_path)


def test_a_directory_of_that_name_comes_before_an_installed_bundle(
    tmp_path: Path, roots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _bundle(tmp_path / "gin")
    assert Located(path=Path("gin"), check="hashes") == locate("gin", roots, tmp_path)


def test_a_path_below_a_root_is_trusted_however_it_is_spelt(tmp_path: Path, roots: list[Path]) -> None:
    spelt = tmp_path / "installed" / "no-bundle" / ".." / "gin"
    assert "sizes" == locate(str(spelt), roots, tmp_path).check


def test_a_link_that_leads_out_of_a_root_is_not_trusted(tmp_path: Path, roots: list[Path]) -> None:
    (tmp_path / "installed" / "link").symlink_to(_bundle(tmp_path / "elsewhere"))
    assert "hashes" == locate(str(tmp_path / "installed" / "link"), roots, tmp_path).check


def test_a_name_that_leads_nowhere_is_handed_on_for_the_reader_to_refuse(tmp_path: Path, roots: list[Path]) -> None:
    assert Located(path=Path("echo"), check="hashes") == locate("echo", roots, tmp_path)


def test_without_a_name_the_nearest_bundle_above_is_taken(tmp_path: Path, roots: list[Path]) -> None:
    outer = _bundle(tmp_path / "a" / ".hardtack" / "bundle")
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert Located(path=outer, check="hashes") == locate(None, roots, deep)
    inner = _bundle(tmp_path / "a" / "b" / ".hardtack" / "bundle")
    assert inner == locate(None, roots, deep).path


def test_without_a_bundle_above_the_only_installed_one_is_taken(tmp_path: Path, roots: list[Path]) -> None:
    assert Located(path=tmp_path / "installed" / "gin", check="sizes") == locate(None, roots, tmp_path)


def test_a_root_may_be_a_bundle_itself(tmp_path: Path) -> None:
    root = _bundle(tmp_path / "image")
    assert Located(path=root, check="sizes") == locate(None, [root], tmp_path)


def test_of_several_installed_bundles_one_must_be_named(tmp_path: Path, roots: list[Path]) -> None:
    _bundle(tmp_path / "installed" / "axum")
    with pytest.raises(BundleNotFound) as refused:
        locate(None, roots, tmp_path)
    assert "Several bundles are installed and none was named." == str(refused.value)
    assert "Name one with -b: axum, gin" == refused.value.hint


def test_where_there_is_none_the_way_to_build_one_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BundleNotFound, match=r"There is no bundle in or above ") as refused:
        locate(None, [], tmp_path)
    assert "Build one with: hardtack build SRC" == refused.value.hint
