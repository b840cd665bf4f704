"""What a bundle is called: by its place, or by the file beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardtack.bundle.naming import OWN_PLACE, distinct_names, forget_name, index_name, is_index_name, keep_name


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory's own place, without a bundle in it."""
    place = tmp_path / "my-api" / OWN_PLACE
    place.mkdir(parents=True)
    return place


@pytest.mark.parametrize("name", ["a", "my-api", "My_Api.2", ".dotfiles", "-", "x" * 255])
def test_letters_digits_dots_hyphens_and_underscores_make_a_name(name: str) -> None:
    assert is_index_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", "a b", "a/b", "a\\b", "a\n", "é", "a\x00", "x" * 256])
def test_nothing_else_does(name: str) -> None:
    assert not is_index_name(name)


def test_a_bundle_is_called_by_its_directory_or_by_the_one_that_was_built(place: Path, tmp_path: Path) -> None:
    assert ("my-api", "elsewhere") == (index_name(place), index_name(tmp_path / "elsewhere"))


@pytest.mark.parametrize(
    ("directory", "expected"),
    [("my api", "my-api"), ("a  (copy)", "a-copy"), ("épée", "p-e"), ("日本", "index"), ("x" * 255, "x" * 255)],
)
def test_what_may_not_be_in_a_name_becomes_a_hyphen(tmp_path: Path, directory: str, expected: str) -> None:
    assert expected == index_name(tmp_path / directory)
    assert expected == index_name(tmp_path / directory / OWN_PLACE)


def test_a_link_is_called_by_what_it_leads_to(place: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(place)
    assert "my-api" == index_name(tmp_path / "link")


def test_a_bundle_that_was_put_in_place_by_a_link_keeps_the_name_of_its_place(tmp_path: Path) -> None:
    placed = tmp_path / ".hardtack-placed-my-bundle-0123456789ab"
    placed.mkdir()
    (tmp_path / "my-bundle").symlink_to(placed.name)
    assert "my-bundle" == index_name(tmp_path / "my-bundle")


def test_a_name_that_is_kept_is_what_a_bundle_is_called_until_it_is_forgotten(place: Path) -> None:
    keep_name(place.parent, "store.room")
    assert "store.room" == index_name(place)
    forget_name(place.parent)
    assert "my-api" == index_name(place)
    forget_name(place.parent)


def test_the_directorys_own_name_needs_no_file(place: Path) -> None:
    keep_name(place.parent, "other")
    keep_name(place.parent, "my-api")
    assert ("my-api", ["bundle"]) == (index_name(place), [path.name for path in place.parent.iterdir()])


@pytest.mark.parametrize("content", [b"", b"\n", b"a b\n", b"../up\n", b"two\nlines\n", b"\xff\n", b"x" * 300])
def test_a_file_that_holds_no_name_names_nothing(place: Path, content: bytes) -> None:
    (place.parent / "name").write_bytes(content)
    assert "my-api" == index_name(place)


def test_a_link_or_a_pipe_in_its_place_is_not_read(place: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("other\n")
    (place.parent / "name").symlink_to(tmp_path / "other")
    assert "my-api" == index_name(place)
    (place.parent / "name").unlink()
    os.mkfifo(place.parent / "name")
    assert "my-api" == index_name(place)


def test_a_name_that_is_there_already_gets_a_number_that_is_not() -> None:
    assert ["a", "a-2", "b", "a-3"] == distinct_names(["a", "a", "b", "a"])
    assert ["a-2", "a", "a-3", "a-2-2"] == distinct_names(["a-2", "a", "a", "a-2"])
    many = distinct_names(["a"] * 20_000)
    assert 20_000 == len(set(many))
    assert "a-20000" == many[-1]
