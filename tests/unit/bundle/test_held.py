"""Where bundles may be written: links are followed in what a person typed, and nowhere below it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from hardtack.bundle.held import held_directory
from hardtack.bundle.naming import OWN_PLACE
from hardtack.bundle.placing import Destination, held_destination, keep_out_of_git, put_in_place, remove_bundle, staging_directory
from hardtack.errors import HardtackError, PolicyError, SourceError, UsageError

POISON = "of another project"


def _bundle(path: Path, what: str = POISON) -> Path:
    path.mkdir(parents=True)
    (path / "manifest.json").write_text(json.dumps({"format": "hardtack-bundle", "members": [], "what": what}))
    return path


def _place(destination: Destination) -> None:
    with staging_directory(destination) as (staged, _):
        (staged / "manifest.json").write_text(json.dumps({"format": "hardtack-bundle", "members": [], "what": "new"}))
        put_in_place(staged, destination, lambda _: None)


def _what(bundle: Path) -> str:
    return str(json.loads((bundle / "manifest.json").read_text())["what"])


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """Another project with a bundle of its own."""
    _bundle(tmp_path / "victim" / OWN_PLACE)
    return tmp_path / "victim"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "source").mkdir()
    return tmp_path / "source"


def _link_to_bundle(source: Path, victim: Path) -> None:
    (source / ".hardtack").mkdir()
    (source / OWN_PLACE).symlink_to(os.path.relpath(victim / OWN_PLACE, source / ".hardtack"))


def _link_to_nothing(source: Path, victim: Path) -> None:
    (source / ".hardtack").mkdir()
    (source / OWN_PLACE).symlink_to(victim / "config")


def _linked_folder(source: Path, victim: Path) -> None:
    (source / ".hardtack").symlink_to(victim / ".hardtack")


def _folder_linked_to_nothing(source: Path, victim: Path) -> None:
    (source / ".hardtack").symlink_to(victim / "config")


def _placed_name_that_is_a_link(source: Path, victim: Path) -> None:
    """What looks like a link of Hardtack's own leads on to another link."""
    (source / ".hardtack").mkdir()
    placed = source / ".hardtack" / ".hardtack-placed-bundle-0123456789ab"
    placed.symlink_to(victim / OWN_PLACE)
    (source / OWN_PLACE).symlink_to(placed.name)


def _placed_name_that_leads_up(source: Path, victim: Path) -> None:
    (source / ".hardtack").mkdir()
    (source / OWN_PLACE).symlink_to("../../victim/.hardtack/bundle")


LINKS = [
    *(_link_to_bundle, _link_to_nothing, _linked_folder, _folder_linked_to_nothing),
    *(_placed_name_that_is_a_link, _placed_name_that_leads_up),
]


@pytest.mark.parametrize("link", LINKS)
def test_no_link_below_the_source_is_followed(link: Callable[[Path, Path], None], source: Path, victim: Path) -> None:
    link(source, victim)
    before = sorted(path.relative_to(victim) for path in victim.rglob("*"))
    with pytest.raises(PolicyError, match="is a link, which nobody typed"), held_destination(source / OWN_PLACE, below=source):
        raise AssertionError("it was held")
    assert (POISON, before) == (_what(victim / OWN_PLACE), sorted(path.relative_to(victim) for path in victim.rglob("*")))


@pytest.mark.parametrize("depth", range(3))
def test_no_link_in_the_middle_of_a_longer_default_is_followed(depth: int, source: Path, victim: Path) -> None:
    names = [".hardtack", "ci", "deep"]
    source.joinpath(*names[:depth]).mkdir(parents=True, exist_ok=True)
    source.joinpath(*names[: depth + 1]).symlink_to(victim)
    with pytest.raises(PolicyError, match="is a link"), held_directory(source, *names):
        raise AssertionError("it was held")
    assert [".hardtack"] == os.listdir(victim)


@pytest.mark.parametrize("link", [_link_to_bundle, _link_to_nothing, _linked_folder, _placed_name_that_leads_up])
def test_a_link_that_was_typed_is_followed(link: Callable[[Path, Path], None], source: Path, victim: Path) -> None:
    link(source, victim)
    with held_destination(source / OWN_PLACE) as destination:
        _place(destination)
    assert "new" == _what(source / OWN_PLACE)


def test_a_typed_source_may_be_a_link_and_lie_below_links(source: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(source)
    with held_destination(tmp_path / "short" / OWN_PLACE, below=tmp_path / "short") as destination:
        assert source / OWN_PLACE == destination.real
        _place(destination)
    assert "new" == _what(source / OWN_PLACE)


def test_the_link_that_hardtack_makes_itself_is_replaced(source: Path) -> None:
    placed = _bundle(source / ".hardtack" / ".hardtack-placed-bundle-0123456789ab")
    (source / OWN_PLACE).symlink_to(placed.name)
    with held_destination(source / OWN_PLACE, below=source) as destination:
        _place(destination)
    assert ("new", False) == (_what(source / OWN_PLACE), placed.exists())


def test_a_link_of_hardtacks_own_that_leads_nowhere_any_more_is_replaced(source: Path) -> None:
    (source / ".hardtack").mkdir()
    (source / OWN_PLACE).symlink_to(".hardtack-placed-bundle-0123456789ab")
    with held_destination(source / OWN_PLACE, below=source) as destination:
        _place(destination)
    assert "new" == _what(source / OWN_PLACE)


@pytest.mark.parametrize("swapped", [".hardtack", ".hardtack/bundle"])
def test_a_link_that_takes_a_place_after_the_look_leads_nowhere(swapped: str, source: Path, victim: Path) -> None:
    _bundle(source / OWN_PLACE, "old")
    with held_destination(source / OWN_PLACE, below=source) as destination, staging_directory(destination) as (staged, _):
        (source / swapped).rename(source / "aside")
        (source / swapped).symlink_to(victim / swapped)
        (staged / "manifest.json").write_text(json.dumps({"format": "hardtack-bundle", "members": [], "what": "new"}))
        put_in_place(staged, destination, lambda _: None)
        keep_out_of_git(destination.at.parent)
    assert (POISON, ["bundle"]) == (_what(victim / OWN_PLACE), os.listdir(victim / ".hardtack"))
    assert "new" == _what(source / "aside" / "bundle" if swapped == ".hardtack" else source / OWN_PLACE)


def test_a_removal_follows_no_link_that_takes_the_bundles_place(source: Path, victim: Path) -> None:
    _bundle(source / OWN_PLACE)
    with held_destination(source / OWN_PLACE, below=source) as destination:
        (source / ".hardtack").rename(source / "aside")
        (source / ".hardtack").symlink_to(victim / ".hardtack")
        remove_bundle(destination)
    assert (POISON, []) == (_what(victim / OWN_PLACE), os.listdir(source / "aside"))


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path is short
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(path.name)
    finally:
        os.chdir(here)


def _file(path: Path) -> None:
    path.write_text("mine")


def _folder_of_other_things(path: Path) -> None:
    path.mkdir()
    (path / "thesis.txt").write_text("years of work")


def _manifest_that_is_a_fifo(path: Path) -> None:
    path.mkdir()
    os.mkfifo(path / "manifest.json")


@pytest.mark.parametrize("thing", [_fifo, _socket, _file, _folder_of_other_things, _manifest_that_is_a_fifo])
@pytest.mark.parametrize("at", [".hardtack", ".hardtack/bundle"])
def test_what_else_lies_in_the_place_is_named_and_stays(thing: Callable[[Path], None], at: str, source: Path) -> None:
    (source / at).parent.mkdir(exist_ok=True)
    thing(source / at)
    before = sorted(source.rglob("*"))
    if at == ".hardtack" and thing in (_folder_of_other_things, _manifest_that_is_a_fifo):
        with held_destination(source / OWN_PLACE, below=source) as destination:  # a folder is a folder
            _place(destination)
    else:
        with pytest.raises((UsageError, SourceError)) as caught, held_destination(source / OWN_PLACE, below=source):
            raise AssertionError("it was held")
        assert str(source / at) in str(caught.value)
    assert set(before) <= set(source.rglob("*"))


@pytest.mark.parametrize("kind", ["link", "hard link", "fifo"])
def test_the_ignore_file_is_replaced_and_never_written_through(kind: str, tmp_path: Path) -> None:
    mine, ignore = tmp_path / "mine", tmp_path / "own" / ".gitignore"
    mine.write_text("precious")
    ignore.parent.mkdir()
    {"link": lambda: ignore.symlink_to(mine), "hard link": lambda: ignore.hardlink_to(mine), "fifo": lambda: os.mkfifo(ignore)}[
        kind
    ]()
    keep_out_of_git(ignore.parent)
    assert ("precious", "*\n", False) == (mine.read_text(), ignore.read_text(), ignore.is_symlink())


def test_a_directory_that_was_made_for_nothing_is_removed(source: Path) -> None:
    with pytest.raises(HardtackError), held_directory(source, ".hardtack", "ci"):
        raise UsageError("nothing is written")
    assert [] == os.listdir(source)


@pytest.mark.parametrize("umask", [0, 0o022, 0o077, 0o777])
def test_what_is_made_has_its_mode_under_any_umask(umask: int, source: Path) -> None:
    before = os.umask(umask)
    try:
        with held_destination(source / OWN_PLACE, below=source) as destination:
            _place(destination)
            keep_out_of_git(destination.at.parent)
    finally:
        os.umask(before)
    modes = [
        path.stat().st_mode & 0o777 for path in (source / ".hardtack", source / OWN_PLACE, source / ".hardtack" / ".gitignore")
    ]
    assert [0o755, 0o755, 0o644] == modes
