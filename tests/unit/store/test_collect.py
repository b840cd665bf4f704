"""Garbage collection: an unreferenced bundle is removed after a day; one that is named or in use stays."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardtack.bundle.packing import PackInfo
from hardtack.bundle.reader import open_bundle
from hardtack.errors import FormatError, PolicyError, SourceError
from hardtack.store.cache import BundleCache, Installed
from hardtack.store.cache_writing import prepare_cache, write_record
from hardtack.store.collect import GRACE, Collected, collect, uninstall
from hardtack.store.install import install_pack
from hardtack.store.locking import alone
from hardtack.store.pins import LOCK_FILE, Pin, pinned_digests, read_pins, remember_pins, write_pin
from hardtack.store.scratch import move_aside


@pytest.fixture
def old(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> Installed:
    installed = install_pack(cache, hybrid.path)
    install_pack(cache, keyword.path)
    return installed


def _later() -> float:
    return time.time() + GRACE + 1


def _content(cache: BundleCache) -> set[Path]:
    return {path for path in cache.root.rglob("*") if cache.locks not in path.parents}


def test_what_lost_its_name_stays_for_a_day_and_then_goes(
    cache: BundleCache, old: Installed, hybrid: PackInfo, keyword: PackInfo
) -> None:
    assert (0, 2) == (collect(cache).bundles, len([*cache.bundles.iterdir()]))
    done = collect(cache, now=_later())
    alone_in_it = {member.sha256: member for member in hybrid.manifest.members if member not in keyword.manifest.members}
    manifest = len((Path(__file__).parents[3] / "fixtures/bundles/v1/hybrid/manifest.json").read_bytes())
    expected = sum(member.size for member in alone_in_it.values()) + manifest
    assert Collected(bundles=1, members=len(alone_in_it), abandoned=0, bytes=expected, kept=1) == done
    assert [cache.bundle_path(keyword.bundle_digest)] == [*cache.bundles.iterdir()]
    assert {member.sha256 for member in keyword.manifest.members} == {
        path.name.replace("-", ":") for path in cache.members.iterdir()
    }
    with open_bundle(cache.entries()[0].path):
        pass


def test_a_dry_run_says_the_same_and_changes_nothing(cache: BundleCache, old: Installed) -> None:
    (cache.tmp / "left").mkdir()
    (cache.tmp / "left" / "half").write_bytes(bytes(1000))
    before = _content(cache)
    said = collect(cache, now=_later(), dry_run=True)
    assert before == _content(cache)
    assert (1, 1) == (said.bundles, said.abandoned)
    assert said == collect(cache, now=_later())
    assert before > _content(cache)


def test_the_day_begins_when_the_name_is_lost(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> None:
    installed = install_pack(cache, hybrid.path)
    os.utime(installed.path, (1, 1))
    install_pack(cache, keyword.path)
    assert installed.path.stat().st_mtime > time.time() - 60


def test_a_bundle_that_is_read_while_it_is_collected_is_read_to_its_end(cache: BundleCache, old: Installed) -> None:
    with open_bundle(old.path) as bundle:
        assert 1 == collect(cache, now=_later()).bundles
        assert not old.path.exists()
        assert len(bundle.files) == bundle.manifest.counts.files
        assert bundle.text_of(bundle.files[0])
        assert bundle.is_unchanged


def test_what_is_being_installed_at_this_moment_is_left_alone(cache: BundleCache, old: Installed) -> None:
    with alone(cache.locks, f"install {old.digest}"):
        assert Collected(bundles=0, members=0, abandoned=0, bytes=0, kept=2) == _without_sizes(collect(cache, now=_later()))
    assert old.path.is_dir()


def _without_sizes(done: Collected) -> Collected:
    return Collected(bundles=done.bundles, members=0, abandoned=done.abandoned, bytes=0, kept=done.kept)


def test_what_comes_to_be_named_while_it_is_moved_aside_is_put_back(
    cache: BundleCache, old: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hardtack.store.records import Record

    def named_meanwhile(path: Path, aside: Path) -> None:
        move_aside(path, aside)
        write_record(cache, Record(name="late", digest=old.digest, origin=old.origin))

    monkeypatch.setattr("hardtack.store.collect.move_aside", named_meanwhile)
    assert 0 == collect(cache, now=_later()).bundles
    late = cache.named("late")
    assert late is not None
    with open_bundle(late.path, digest=old.digest):
        pass


def test_what_a_projects_lock_file_names_stays_as_long_as_that_file(cache: BundleCache, old: Installed, tmp_path: Path) -> None:
    lock = tmp_path / LOCK_FILE
    write_pin(lock, old.name, Pin(digest=old.digest, commit="a" * 40))
    remember_pins(cache, lock)
    assert ({old.digest}, []) == pinned_digests(cache)
    assert (0, 2) == ((done := collect(cache, now=_later())).bundles, done.kept)
    lock.unlink()
    assert 1 == collect(cache, now=_later()).bundles
    assert [] == [*cache.pins.iterdir()]


@pytest.mark.parametrize("code", [errno.EIO, errno.EACCES])
@pytest.mark.parametrize("folder", ["refs", "pins", "bundles"])
def test_what_cannot_be_listed_may_name_anything(
    cache: BundleCache, old: Installed, monkeypatch: pytest.MonkeyPatch, folder: str, code: int
) -> None:
    really, before = Path.iterdir, _content(cache)

    def refuse(path: Path) -> Iterator[Path]:
        if path.name == folder:
            raise OSError(code, os.strerror(code))
        return really(path)

    with monkeypatch.context() as broken:
        broken.setattr(Path, "iterdir", refuse)
        with pytest.raises(SourceError, match=f"{folder} cannot be listed"):
            collect(cache, now=_later())
    assert before == _content(cache)


@pytest.mark.parametrize("text", ["", "{", "{}", '{"digest": "sha256:1"}', "[]"])
def test_a_damaged_record_may_name_anything(cache: BundleCache, old: Installed, text: str) -> None:
    (cache.refs / "damaged.json").write_text(text)
    before = _content(cache)
    with pytest.raises(FormatError, match=r"damaged\.json"):
        collect(cache, now=_later())
    assert before == _content(cache)
    uninstall(cache.entries()[0])
    assert 2 == len([*cache.bundles.iterdir()])
    (cache.refs / "damaged.json").unlink()
    assert 2 == collect(cache, now=_later()).bundles


def test_a_lock_file_that_cannot_be_read_may_name_anything(cache: BundleCache, old: Installed, tmp_path: Path) -> None:
    lock = tmp_path / LOCK_FILE
    lock.write_text("<<<<<<< HEAD")
    remember_pins(cache, lock)
    before = _content(cache)
    with pytest.raises(FormatError, match=r"\.hardtack\.lock is not JSON"):
        collect(cache, now=_later())
    assert before == _content(cache)


@pytest.mark.parametrize("text", ["", "{}", '{"path": 1}', '{"path": "../x"}', '{"path": "/a\\u0000b"}', "[" * 9999])
def test_nonsense_among_the_remembered_lock_files_names_nothing(cache: BundleCache, text: str) -> None:
    prepare_cache(cache)
    (cache.pins / "x.json").write_text(text)
    assert (set(), [cache.pins / "x.json"]) == pinned_digests(cache)


def test_what_a_killed_process_left_goes_and_what_a_living_one_holds_stays(cache: BundleCache) -> None:
    prepare_cache(cache)
    for name in ("abandoned", "held", "empty"):
        (cache.tmp / name / "bundle" / "lexical").mkdir(parents=True) if name != "empty" else (cache.tmp / name).mkdir()
    (cache.tmp / "abandoned" / "bundle" / "half").write_bytes(bytes(1234))
    (cache.tmp / "abandoned" / "bundle").chmod(0o555)
    (cache.tmp / "download.part").write_bytes(bytes(10))
    descriptor = os.open(cache.tmp / "held", os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        done = collect(cache)
        assert (1, 1234) == (done.abandoned, done.bytes)
        assert {"held", "empty", "download.part"} == {path.name for path in cache.tmp.iterdir()}
        assert 2 == collect(cache, now=_later()).abandoned
        assert ["held"] == [path.name for path in cache.tmp.iterdir()]
    finally:
        os.close(descriptor)


def test_the_temporary_files_of_killed_writers_go_whichever_folder_they_lie_in(cache: BundleCache) -> None:
    prepare_cache(cache)
    folders = (cache.refs, cache.pins, cache.floors, cache.built, cache.overlays)
    for folder in folders:
        (folder / ".hardtack-half").write_bytes(b"half")
    collect(cache)
    assert all((folder / ".hardtack-half").exists() for folder in folders), "their writers may be alive"
    collect(cache, now=_later())
    assert [] == [path for folder in folders for path in folder.iterdir()]


def test_a_link_among_what_was_left_is_removed_and_not_followed(cache: BundleCache, tmp_path: Path) -> None:
    prepare_cache(cache)
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("years of work")
    (cache.tmp / "left").mkdir()
    (cache.tmp / "left" / "link").symlink_to(tmp_path / "precious")
    (cache.tmp / "direct").symlink_to(tmp_path / "precious")
    collect(cache, now=_later())
    assert [] == [*cache.tmp.iterdir()]
    assert "years of work" == (tmp_path / "precious" / "thesis.txt").read_text()


def test_what_is_no_bundle_among_the_bundles_is_not_removed(cache: BundleCache) -> None:
    prepare_cache(cache)
    (cache.bundles / "notes").mkdir()
    (cache.bundles / ("sha256-" + "0" * 64)).touch()
    assert 0 == collect(cache, now=_later()).bundles
    assert 2 == len([*cache.bundles.iterdir()])


def test_nothing_is_collected_where_others_can_write(cache: BundleCache, old: Installed) -> None:
    cache.refs.chmod(0o777)
    with pytest.raises(PolicyError):
        collect(cache, now=_later())
    assert old.path.is_dir()


def test_nothing_is_collected_where_no_cache_is_and_none_is_made(cache: BundleCache) -> None:
    assert Collected() == collect(cache)
    assert not cache.root.exists()


def test_a_name_is_cleared_with_what_only_it_kept(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> None:
    mine, other = install_pack(cache, hybrid.path, name="mine"), install_pack(cache, keyword.path, name="other")
    again = install_pack(cache, hybrid.path, name="again")
    uninstall(mine)
    assert [again, other] == cache.entries()
    uninstall(again)
    assert ([other], False) == (cache.entries(), again.path.exists())
    assert {member.sha256 for member in keyword.manifest.members} == {
        path.name.replace("-", ":") for path in cache.members.iterdir()
    }
    uninstall(again)  # a second removal is no error
    assert [] == [*cache.tmp.iterdir()]


def test_a_lock_that_another_holds_is_waited_for_and_then_done_without(cache: BundleCache) -> None:
    prepare_cache(cache)
    said: list[str] = []
    with alone(cache.locks, "pull") as first, alone(cache.locks, "pull", wait=0.05, notice=said.append) as second:
        assert (True, False) == (first, second)
    assert [f"Process {os.getpid()} has not finished after 0 seconds; going on without waiting for it (pull)."] == said
    with alone(cache.locks, "pull", wait=0) as again:
        assert again


def test_where_there_can_be_no_lock_it_is_done_without(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "file").touch()
    with alone(tmp_path / "file", "pull", notice=said.append) as has_it:
        assert has_it
    assert [] == said


# -- lock files of projects -------------------------------------------------------------------------------------------------------


def test_pins_are_read_as_they_were_written_and_the_same_pins_are_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / LOCK_FILE, tmp_path / "other"
    pins = {
        name: Pin(digest="sha256:" + digit * 64, commit=digit * 40)
        for name, digit in (("b/c", "1"), ("a", "2"), ("github.com/o/n", "3"))
    }
    for name, pin in pins.items():
        write_pin(one, name, pin)
    for name, pin in reversed(pins.items()):
        write_pin(other, name, pin)
    assert (dict(sorted(pins.items())), one.read_bytes()) == (read_pins(one), other.read_bytes())
    assert {LOCK_FILE, "other"} == {path.name for path in tmp_path.iterdir()}


def test_without_a_lock_file_nothing_is_pinned(tmp_path: Path) -> None:
    assert {} == read_pins(tmp_path / LOCK_FILE)


DIGEST = "sha256:" + "0" * 64
BAD_PINS = {
    "not JSON": "{",
    "another format": '{"format": 2, "bundles": {}}',
    "no bundles": '{"format": 1}',
    "a list": '{"format": 1, "bundles": []}',
    "a name that leads out": f'{{"format": 1, "bundles": {{"../x": {{"digest": "{DIGEST}"}}}}}}',
    "no digest": '{"format": 1, "bundles": {"n": {}}}',
    "a digest that leads out": '{"format": 1, "bundles": {"n": {"digest": "sha256:../../x"}}}',
    "a digest of another hash": f'{{"format": 1, "bundles": {{"n": {{"digest": "sha512:{"0" * 128}"}}}}}}',
    "a commit that is none": f'{{"format": 1, "bundles": {{"n": {{"digest": "{DIGEST}", "commit": "--upload-pack=x"}}}}}}',
    "a pin that is text": '{"format": 1, "bundles": {"n": "sha256"}}',
    "2 MB": " " * (2 << 20),
}


@pytest.mark.parametrize("text", BAD_PINS.values(), ids=BAD_PINS)
def test_a_lock_file_that_is_not_sound_is_refused_and_not_written_over(tmp_path: Path, text: str) -> None:
    place = tmp_path / LOCK_FILE
    place.write_text(text)
    with pytest.raises(FormatError):
        read_pins(place)
    with pytest.raises(FormatError):
        write_pin(place, "n", Pin(digest=DIGEST))
    assert text == place.read_text()


def test_what_a_record_names_that_another_hardtack_wrote_stays(cache: BundleCache, old: Installed) -> None:
    (cache.refs / "later.json").write_text(f'{{"format": 2, "digest": "{old.digest}"}}')
    assert 0 == collect(cache, now=_later()).bundles
    (cache.refs / "later.json").unlink()
    assert 1 == collect(cache, now=_later()).bundles
