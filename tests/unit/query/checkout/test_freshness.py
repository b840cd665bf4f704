"""A hit against checkouts that are current, changed, or set as traps."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hardtack.bundle.format.records import FileRecord
from hardtack.query.checkout.freshness import freshness_of
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher

PATH = "src/pantry/shelf.py"


@pytest.fixture
def file(searcher: Searcher) -> FileRecord:
    found = searcher.bundle.file_at(PATH)
    assert found is not None
    return found


@pytest.fixture
def clone(pantry: Path, tmp_path: Path) -> Path:
    """A copy of the checkout that may be spoilt."""
    return Path(shutil.copytree(pantry, tmp_path / "clone", ignore=shutil.ignore_patterns(".git")))


def test_every_file_of_the_checkout_that_was_built_is_fresh(searcher: Searcher, pantry: Path) -> None:
    assert {"fresh"} == {freshness_of(file, pantry) for file in searcher.bundle.files}


def test_without_a_checkout_nothing_is_known(file: FileRecord) -> None:
    assert "unknown" == freshness_of(file, None)


def test_a_changed_file_is_changed_even_at_the_same_size(file: FileRecord, clone: Path) -> None:
    text = (clone / PATH).read_text()
    (clone / PATH).write_text(text.replace("24", "25", 1))
    assert "changed" == freshness_of(file, clone)
    (clone / PATH).write_text(text + "\n")
    assert "changed" == freshness_of(file, clone)
    (clone / PATH).write_text(text)
    assert "fresh" == freshness_of(file, clone)


def test_a_file_or_directory_that_is_gone_is_deleted(file: FileRecord, clone: Path) -> None:
    (clone / PATH).unlink()
    assert "deleted" == freshness_of(file, clone)
    shutil.rmtree(clone / "src")
    assert "deleted" == freshness_of(file, clone)
    (clone / "src").write_text("now a file")
    assert "deleted" == freshness_of(file, clone)


def test_a_link_in_the_place_of_the_file_is_not_followed(file: FileRecord, clone: Path, pantry: Path) -> None:
    (clone / PATH).unlink()
    (clone / PATH).symlink_to(pantry / PATH)
    assert "unknown" == freshness_of(file, clone)


def test_a_directory_that_leads_out_of_the_checkout_is_not_followed(file: FileRecord, clone: Path, pantry: Path) -> None:
    shutil.rmtree(clone / "src")
    (clone / "src").symlink_to(pantry / "src")
    assert "unknown" == freshness_of(file, clone)


def test_a_directory_that_leads_to_itself_is_not_followed(file: FileRecord, clone: Path) -> None:
    shutil.rmtree(clone / "src")
    (clone / "src").symlink_to("src")
    assert "unknown" == freshness_of(file, clone)


def test_a_checkout_reached_over_a_link_is_still_one(file: FileRecord, clone: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(clone)
    assert "fresh" == freshness_of(file, tmp_path / "link")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_directory_in_the_place_of_the_file_is_a_change_and_blocks_nobody(file: FileRecord, clone: Path) -> None:
    (clone / PATH).unlink()
    os.mkfifo(clone / PATH)
    assert "changed" == freshness_of(file, clone)
    (clone / PATH).unlink()
    (clone / PATH).mkdir()
    assert "changed" == freshness_of(file, clone)


def test_hits_say_how_fresh_they_are(pantry_bundle: Path, clone: Path) -> None:
    (clone / PATH).write_text("")
    (clone / "label" / "label.go").unlink()
    with open_bundle(pantry_bundle, checkout=clone) as searcher:
        found = {hit.path: hit.freshness for hit in searcher.search("label shelf jar", mode="keyword", limit=100).hits}
    assert ("changed", "deleted", "fresh") == (found[PATH], found["label/label.go"], found["web/shelf.ts"])
