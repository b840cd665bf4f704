"""A pack is installed completely, each member stored once, or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.packing import PackInfo
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleError, IntegrityError, PolicyError, SourceError, UsageError
from hardtack.store.cache import BundleCache
from hardtack.store.collect import collect
from hardtack.store.install import install_into, install_pack
from hardtack.store.records import Origin

FROZEN = Path(__file__).parents[3] / "fixtures" / "bundles" / "v1"
NAME = "example.org/ship/tiny"


def _files(directory: Path) -> dict[str, bytes]:
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def _modes(directory: Path) -> set[str]:
    return {stat.filemode(path.lstat().st_mode) for path in (directory, *directory.rglob("*"))}


def test_what_is_installed_is_what_was_packed_and_nobody_writes_to_it(cache: BundleCache, hybrid: PackInfo) -> None:
    installed = install_pack(cache, hybrid.path)
    assert _files(FROZEN / "hybrid") == _files(installed.path)
    assert {"dr-xr-xr-x", "-r--r--r--"} == _modes(installed.path)
    assert (hybrid.bundle_digest, NAME, "ship-tiny") == (installed.digest, installed.name, installed.index_name)
    assert [installed] == cache.entries()


def test_the_record_says_where_it_came_from(cache: BundleCache, hybrid: PackInfo) -> None:
    origin = Origin(source="https://example.org/packs", branch="main", installed_at=1)
    known = install_pack(cache, hybrid.path, origin=origin).origin
    provenance = hybrid.manifest.provenance
    assert ("https://example.org/packs", "main", 1, "unsigned") == (known.source, known.branch, known.installed_at, known.trust)
    assert (provenance.repository, provenance.commit, provenance.commit_time) == (known.repository, known.commit, known.commit_time)
    assert (hybrid.digest, hybrid.bundle_digest) == (known.pack_digest, known.bundle_digest)


def test_a_member_that_two_bundles_have_is_stored_once(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> None:
    first, second = install_pack(cache, hybrid.path, name="a"), install_pack(cache, keyword.path, name="b")
    common = {member.name for member in hybrid.manifest.members} & {
        member.name for member in keyword.manifest.members if member in hybrid.manifest.members
    }
    assert "text.blocks" in common
    assert all((first.path / name).samefile(second.path / name) for name in common)
    digests = {member.sha256 for member in (*hybrid.manifest.members, *keyword.manifest.members)}
    assert digests == {path.name.replace("-", ":") for path in cache.members.iterdir()}


def test_where_links_are_refused_members_are_copied(
    cache: BundleCache, hybrid: PackInfo, keyword: PackInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refused)
    for pack, name, profile in ((hybrid, "a", "hybrid"), (keyword, "b", "keyword")):
        assert _files(FROZEN / profile) == _files(install_pack(cache, pack.path, name=name).path)
    assert [] == [*cache.members.iterdir()]
    assert collect(cache, grace=0).bundles == 0
    assert 2 == len(cache.entries())


def test_a_bundle_that_is_there_already_is_success_and_nothing_is_written(cache: BundleCache, hybrid: PackInfo) -> None:
    install_pack(cache, hybrid.path)
    before = {path: path.lstat().st_ctime_ns for path in cache.root.rglob("*") if path.parent != cache.bundles}
    steps: list[str] = []
    install_pack(cache, hybrid.path, step=steps.append)
    assert [] == steps
    assert before == {path: path.lstat().st_ctime_ns for path in cache.root.rglob("*") if path.parent != cache.bundles}


def test_a_bundle_that_has_another_name_too_is_not_written_again(cache: BundleCache, hybrid: PackInfo) -> None:
    first = install_pack(cache, hybrid.path)
    steps: list[str] = []
    second = install_pack(cache, hybrid.path, name="mine", step=steps.append)
    assert (["record mine", "done"], first.path) == (steps, second.path)
    assert ["example.org/ship/tiny", "mine"] == [each.name for each in cache.entries()]


def test_a_new_bundle_takes_the_name_and_the_old_one_stays_for_a_day(
    cache: BundleCache, hybrid: PackInfo, keyword: PackInfo
) -> None:
    old, new = install_pack(cache, hybrid.path), install_pack(cache, keyword.path)
    assert [new] == cache.entries()
    with open_bundle(old.path, check="hashes"):
        pass


def test_a_bundle_without_a_repository_is_called_after_its_file(cache: BundleCache, nameless: PackInfo) -> None:
    assert "my-prototype" == install_pack(cache, nameless.path).name


@pytest.mark.parametrize(
    "name", ["../x", "/x", "a/../b", "a//b", "a/", ".hidden", "a\nb", "a b", "é", "x" * 201, "..", "a/./b", "\x1b[31m", "a\\b"]
)
def test_a_name_that_may_not_be_one_is_refused_before_anything_is_written(cache: BundleCache, hybrid: PackInfo, name: str) -> None:
    with pytest.raises(UsageError, match="no name for an installed bundle"):
        install_pack(cache, hybrid.path, name=name)
    assert not cache.root.exists()


@pytest.mark.parametrize(
    "repository", ["../../x", "/etc/passwd", "a\0b", "C:\\x", "x:ads", "CON", "o/..", "\u202eo/n", "o/n. ", "é" * 400]
)
def test_what_a_bundle_calls_its_repository_leads_nowhere(
    cache: BundleCache, tmp_path: Path, of_repository: Callable[[str, Path], PackInfo], repository: str
) -> None:
    pack = of_repository(repository, tmp_path / "p.hardtack")
    before = sorted(tmp_path.iterdir())
    installed = install_pack(cache, pack.path)
    assert installed.ref.parent == cache.refs
    assert cache.named(installed.name) == installed
    assert [path for path in sorted(tmp_path.iterdir()) if path != cache.root] == before


def test_a_pack_that_was_changed_anywhere_is_refused_and_leaves_nothing(
    cache: BundleCache, hybrid: PackInfo, tmp_path: Path
) -> None:
    data = hybrid.path.read_bytes()
    bad = tmp_path / "bad.hardtack"
    for offset in range(0, len(data), 1999):
        bad.write_bytes(data[:offset] + bytes([data[offset] ^ 4]) + data[offset + 1 :])
        with pytest.raises(BundleError):
            install_pack(cache, bad)
    for length in (0, 39, 4096, len(data) - 1):
        bad.write_bytes(data[:length])
        with pytest.raises(BundleError):
            install_pack(cache, bad)
    assert [] == cache.entries()
    assert not any(path.is_file() for folder in (cache.bundles, cache.refs, cache.tmp) for path in folder.rglob("*"))


def _tar(path: Path) -> None:
    with tarfile.open(path, "w") as archive:
        for name, kind, target in (("d1", tarfile.SYMTYPE, "."), ("x", tarfile.SYMTYPE, "d1/.."), ("h", tarfile.LNKTYPE, "x/f")):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            archive.addfile(member)
        member = tarfile.TarInfo("x/f")
        member.size = 4
        archive.addfile(member, io.BytesIO(b"evil"))


def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../f", "evil")


@pytest.mark.parametrize("make", [_tar, _zip, Path.touch, Path.mkdir, os.mkfifo], ids=["tar", "zip", "empty", "directory", "fifo"])
def test_what_is_no_pack_is_said_to_be_none_and_nothing_is_unpacked(
    cache: BundleCache, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    place = tmp_path / "given"
    make(place)
    with pytest.raises(BundleError) as caught:
        install_pack(cache, place)
    assert 3 == caught.value.exit_code
    assert "pack" in str(caught.value) or "regular file" in str(caught.value)
    assert [place] == [*tmp_path.iterdir()]


def test_another_bundle_than_the_one_asked_for_is_refused(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> None:
    with pytest.raises(IntegrityError, match="not the bundle asked for"):
        install_pack(cache, hybrid.path, digest=keyword.bundle_digest)
    assert not cache.root.exists()
    install_pack(cache, hybrid.path, digest=hybrid.bundle_digest)


def test_a_stored_member_that_was_damaged_is_not_taken_up(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> None:
    first = install_pack(cache, hybrid.path, name="a")
    text = first.path / "text.blocks"
    text.chmod(0o644)
    with text.open("r+b") as file:
        file.write(b"\xff\xff")
    second = install_pack(cache, keyword.path, name="b")
    assert _files(FROZEN / "keyword") == _files(second.path)
    assert all(path.name == digest_of(path.read_bytes()).replace(":", "-") for path in cache.members.iterdir())


@pytest.mark.parametrize("damage", ["changed", "missing", "stray", "link", "file", "empty"])
def test_what_lies_in_a_bundles_place_and_is_not_that_bundle_is_replaced(
    cache: BundleCache, hybrid: PackInfo, tmp_path: Path, damage: str
) -> None:
    place = install_pack(cache, hybrid.path).path
    place.chmod(0o755)
    files = place / "files.msgpack"
    if damage in ("changed", "missing"):
        files.unlink()
    if damage == "changed":
        files.write_bytes(b"\0" * 1380)
    if damage == "stray":
        (place / "evil.txt").touch()
    if damage in ("link", "file", "empty"):
        place.rename(tmp_path / "moved")
    if damage == "link":
        place.symlink_to(tmp_path / "moved")
    if damage == "file":
        place.touch()
    if damage == "empty":
        place.mkdir()
    installed = install_pack(cache, hybrid.path)
    assert not installed.path.is_symlink()
    assert _files(FROZEN / "hybrid") == _files(installed.path)
    assert damage != "link" or _files(tmp_path / "moved") == _files(FROZEN / "hybrid")
    assert [] == [*cache.tmp.iterdir()]


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o777])
def test_what_is_written_has_its_own_modes_whatever_the_umask(
    cache: BundleCache, hybrid: PackInfo, tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        installed = install_pack(BundleCache(tmp_path / "deep" / "cache"), hybrid.path)
        place, _ = install_into(tmp_path / "image" / "bundles", hybrid.path)
    finally:
        os.umask(before)
    assert {"dr-xr-xr-x", "-r--r--r--"} == _modes(installed.path)
    assert {"drwxr-xr-x", "-r--r--r--"} == _modes(place)
    assert {"drwxr-xr-x"} == {stat.filemode(path.stat().st_mode) for path in (tmp_path / "image", tmp_path / "image" / "bundles")}
    root = installed.cache.root
    assert {"drwx------"} == {stat.filemode(path.stat().st_mode) for path in (root, root.parent)}
    assert not any(path.lstat().st_mode & stat.S_IWOTH for path in root.rglob("*") if path.parent != installed.cache.locks)


def test_an_installed_bundle_survives_a_clock_that_stands_at_1970(
    cache: BundleCache, hybrid: PackInfo, keyword: PackInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("time.time", lambda: -5.0)
        installed = install_pack(cache, hybrid.path)
        assert 0 == installed.origin.installed_at
        assert 0 == collect(cache).bundles
    assert 0 == collect(cache).bundles
    install_pack(cache, keyword.path)
    os.utime(installed.path, (0, 0))
    assert 0 == collect(cache).bundles  # a directory's own change of place cannot be dated back
    assert 1 == collect(cache, now=4e9).bundles


_LIMITED = """
import resource, sys
from pathlib import Path
from hardtack.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
main()
"""


@pytest.mark.parametrize("limit", [100, 2000, 13000])
def test_a_disk_that_is_full_is_said_and_what_was_there_stays(
    cache: BundleCache, hybrid: PackInfo, keyword: PackInfo, limit: int
) -> None:
    old = install_pack(cache, keyword.path)
    command = [sys.executable, "-c", _LIMITED, str(limit), "install", str(hybrid.path)]
    done = subprocess.run(
        command, env={**os.environ, "HARDTACK_CACHE": str(cache.root)}, capture_output=True, text=True, check=False
    )
    assert (5, "") == (done.returncode, done.stdout)
    assert "cannot be written: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert [old] == cache.entries()
    assert [] == [*cache.tmp.iterdir()]
    assert 1 == len([*cache.bundles.iterdir()])


def test_a_disk_without_room_is_told_before_anything_is_written(
    cache: BundleCache, hybrid: PackInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1 << 15))
    steps: list[str] = []
    with pytest.raises(SourceError, match="has room for 32768 bytes"):
        install_pack(cache, hybrid.path, step=steps.append)
    assert [] == steps


def test_a_cache_that_somebody_empties_all_the_time_is_an_error(cache: BundleCache, hybrid: PackInfo) -> None:
    def emptied(step: str) -> None:
        if step == "done":
            place = cache.bundle_path(hybrid.bundle_digest)
            place.chmod(0o755)
            place.rename(cache.root / f"taken-{len([*cache.root.iterdir()])}")

    with pytest.raises(SourceError, match="loses what is put into it"):
        install_pack(cache, hybrid.path, step=emptied)


def test_a_bundle_that_is_removed_before_it_is_recorded_is_put_there_again(cache: BundleCache, hybrid: PackInfo) -> None:
    taken: list[str] = []

    def collected(step: str) -> None:
        if step.startswith("record") and not taken:
            place = cache.bundle_path(hybrid.bundle_digest)
            place.chmod(0o755)
            place.rename(cache.root / "taken")
            taken.append(step)

    installed = install_pack(cache, hybrid.path, step=collected)
    assert _files(FROZEN / "hybrid") == _files(installed.path)


def test_into_a_root_goes_a_plain_directory_and_nothing_else(tmp_path: Path, hybrid: PackInfo, keyword: PackInfo) -> None:
    root = tmp_path / "opt" / "bundles"
    place, digest = install_into(root, hybrid.path)
    assert (root / "ship-tiny", hybrid.bundle_digest) == (place, digest)
    assert _files(FROZEN / "hybrid") == _files(place)
    again, digest = install_into(root, keyword.path)
    assert (place, keyword.bundle_digest) == (again, digest)
    assert _files(FROZEN / "keyword") == _files(place)
    assert [place] == [*root.iterdir()]


def test_into_a_root_nothing_else_is_overwritten(tmp_path: Path, hybrid: PackInfo) -> None:
    (tmp_path / "ship-tiny").mkdir()
    (tmp_path / "ship-tiny" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="nothing there was touched"):
        install_into(tmp_path, hybrid.path)
    assert {"ship-tiny": b"years of work"} == {
        path.parent.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()
    }


def test_what_is_left_of_a_killed_install_is_cleared_by_the_next(cache: BundleCache, hybrid: PackInfo, keyword: PackInfo) -> None:
    environment = {**os.environ, "HARDTACK_CACHE": str(cache.root), "HARDTACK_KILL_AT": "12"}
    command = [sys.executable, "-m", "hardtack", "install", str(hybrid.path)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert -9 == done.returncode
    assert 1 == len([*cache.tmp.iterdir()])
    install_pack(cache, keyword.path)
    assert [] == [*cache.tmp.iterdir()]


@pytest.mark.parametrize("leads_to", ["victim", "nowhere"])
def test_a_link_of_the_bundles_name_in_a_root_is_not_followed(hybrid: PackInfo, tmp_path: Path, leads_to: str) -> None:
    install_into(tmp_path / "victim-root", hybrid.path, name="victim")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "demo").symlink_to(tmp_path / "victim-root" / leads_to)
    before = sorted(path.stat(follow_symlinks=False).st_ino for path in (tmp_path / "victim-root").rglob("*"))
    with pytest.raises(PolicyError, match="is a link, which nobody typed"):
        install_into(tmp_path / "root", hybrid.path, name="demo")
    assert before == sorted(path.stat(follow_symlinks=False).st_ino for path in (tmp_path / "victim-root").rglob("*"))


def test_a_root_that_was_typed_may_be_a_link(hybrid: PackInfo, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "real")
    place, _ = install_into(tmp_path / "root", hybrid.path, name="demo")
    assert (tmp_path / "root" / "demo", True) == (place, (tmp_path / "real" / "demo" / "manifest.json").is_file())
