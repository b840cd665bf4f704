"""The cache is trusted only if nobody else can write to it, and its records are checked in any case."""

from __future__ import annotations

import grp
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardtack.bundle.packing import PackInfo
from hardtack.errors import FormatError, PolicyError, SourceError
from hardtack.store.cache import BundleCache, cache_root
from hardtack.store.cache_writing import prepare_cache, write_record
from hardtack.store.install import install_pack
from hardtack.store.locking import alone
from hardtack.store.records import Origin, Record, file_of, fitting_name, is_bundle_name, name_of, read_record, render_record

DIGEST = "sha256:" + "0" * 64
GOOD = {"format": 1, "name": "n", "digest": DIGEST, "origin": Origin()._asdict()}
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def test_a_cache_that_is_not_there_is_empty_and_is_not_made(cache: BundleCache) -> None:
    assert ([], []) == cache.survey()
    assert (None, None) == (cache.find(DIGEST), cache.named("n"))
    assert not cache.root.exists()


def test_the_cache_says_that_it_is_one(cache: BundleCache) -> None:
    prepare_cache(cache)
    prepare_cache(cache)
    assert (cache.root / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


def test_what_was_chosen_is_the_root_and_else_the_users_own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tmp_path / "x" == cache_root(str(tmp_path / "x"))
    monkeypatch.chdir(tmp_path)
    assert tmp_path / "x" == cache_root("x")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert tmp_path / "caches" / "hardtack" == cache_root("")


@needs_root
def test_who_has_no_home_is_told_what_to_do() -> None:
    script = (
        "import os, platformdirs; from hardtack.store.cache import cache_root; os.environ.pop('HOME', None)\n"
        "os.environ.pop('XDG_CACHE_HOME', None); os.setuid(54321)\n"
        "try: cache_root('')\n"
        "except Exception as error: print(type(error).__name__, error, error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("SourceError There is no home directory to keep installed bundles in. Set HARDTACK_CACHE")


def _is_refused(cache: BundleCache) -> bool:
    """Whether reading and writing are refused alike."""
    refusals = 0
    for ask in (cache.entries, lambda: prepare_cache(cache), lambda: cache.named("n")):
        try:
            ask()
        except PolicyError as error:
            assert error.exit_code == 6
            assert "HARDTACK_CACHE" in error.hint
            refusals += 1
    assert refusals in (0, 3)
    return refusals == 3


@pytest.mark.parametrize("folder", ["", "v1", "v1/bundles", "v1/members", "v1/refs", "v1/tmp", "v1/locks", "v1/pins"])
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o707])
def test_a_cache_that_everybody_can_write_to_is_refused(cache: BundleCache, folder: str, mode: int) -> None:
    prepare_cache(cache)
    assert not _is_refused(cache)
    (cache.root / folder).chmod(mode)
    assert _is_refused(cache)


@needs_root
@pytest.mark.parametrize("folder", ["", "v1", "v1/bundles", "v1/members", "v1/refs", "v1/built"])
@pytest.mark.parametrize("mode", [0o775, 0o770, 0o2775, 0o720])
def test_a_cache_that_a_group_can_write_to_is_refused(cache: BundleCache, folder: str, mode: int) -> None:
    prepare_cache(cache)
    os.chown(cache.root / folder, -1, 12345)
    (cache.root / folder).chmod(mode)
    assert _is_refused(cache)


@needs_root
@pytest.mark.parametrize(
    ("name", "members", "is_private"),
    [("root", [], True), ("root", ["root"], True), ("root", ["root", "mallory"], False), ("staff", [], False)],
)
def test_the_group_that_is_the_user_alone_may_write(
    cache: BundleCache, monkeypatch: pytest.MonkeyPatch, name: str, members: list[str], is_private: bool
) -> None:
    prepare_cache(cache)
    cache.refs.chmod(0o775)
    monkeypatch.setattr("grp.getgrgid", lambda number: grp.struct_group((name, "x", number, members)))
    assert is_private != _is_refused(cache)


@needs_root
@pytest.mark.parametrize(
    ("mode", "owner", "is_refused"),
    [(0o777, 0, True), (0o775, 0, True), (0o755, 54321, True), (0o1777, 0, False), (0o755, 0, False)],
)
@pytest.mark.parametrize("above", [1, 2])
def test_a_cache_that_others_could_replace_is_refused(tmp_path: Path, mode: int, owner: int, is_refused: bool, above: int) -> None:
    cache = BundleCache(tmp_path / "a" / "b" / "cache")
    prepare_cache(cache)
    parent = cache.root.parents[above - 1]
    os.chown(parent, owner, 12345)
    parent.chmod(mode)
    assert is_refused == _is_refused(cache)


@needs_root
def test_a_cache_that_others_could_replace_where_a_link_leads_is_refused(cache: BundleCache, tmp_path: Path) -> None:
    prepare_cache(BundleCache(tmp_path / "far" / "real"))
    (tmp_path / "far").chmod(0o777)
    cache.root.symlink_to(tmp_path / "far" / "real")
    assert _is_refused(cache)


@pytest.mark.parametrize("umask", [0, 0o022, 0o077, 0o777])
def test_locks_and_their_holders_can_be_written_by_the_user_alone(cache: BundleCache, umask: int) -> None:
    prepare_cache(cache)
    before = os.umask(umask)
    try:
        with alone(cache.locks, "something") as is_alone:
            assert is_alone
    finally:
        os.umask(before)
    assert {0o644} == {path.stat().st_mode & 0o777 for path in cache.locks.iterdir()}


@needs_root
@pytest.mark.parametrize("folder", ["", "v1", "v1/bundles", "v1/refs"])
def test_a_cache_of_another_user_is_refused(cache: BundleCache, folder: str) -> None:
    prepare_cache(cache)
    os.chown(cache.root / folder, 65534, 65534)
    assert _is_refused(cache)


def test_a_link_of_ones_own_may_lead_to_the_cache_and_within_it_none_may(cache: BundleCache, tmp_path: Path) -> None:
    prepare_cache(BundleCache(tmp_path / "real"))
    cache.root.symlink_to(tmp_path / "real")
    assert not _is_refused(cache)
    (tmp_path / "real" / "v1" / "refs").rename(tmp_path / "refs")
    (tmp_path / "real" / "v1" / "refs").symlink_to(tmp_path / "refs")
    assert _is_refused(cache)


@needs_root
def test_a_link_that_somebody_else_made_is_not_followed_to_the_cache(cache: BundleCache, tmp_path: Path) -> None:
    prepare_cache(BundleCache(tmp_path / "real"))
    cache.root.symlink_to(tmp_path / "real")
    os.chown(cache.root, 65534, 65534, follow_symlinks=False)
    assert _is_refused(cache)


def test_a_cache_behind_a_link_that_everybody_can_write_to_is_refused(cache: BundleCache, tmp_path: Path) -> None:
    prepare_cache(BundleCache(tmp_path / "real"))
    (tmp_path / "real").chmod(0o777)
    cache.root.symlink_to(tmp_path / "real")
    assert _is_refused(cache)


def test_a_file_where_the_cache_should_be_is_refused(cache: BundleCache) -> None:
    cache.root.touch()
    assert _is_refused(cache)


def test_a_place_below_a_file_cannot_be_a_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SourceError):
        prepare_cache(BundleCache(tmp_path / "file" / "cache"))


# -- records --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["n", "github.com/o/n", "git.sr.ht/~me/n.x", "a/.github", "x" * 200, "a+b@c"])
def test_a_name_and_the_file_of_its_record_lead_to_each_other(name: str) -> None:
    assert is_bundle_name(name)
    assert name == name_of(file_of(name))
    assert "/" not in file_of(name)


@pytest.mark.parametrize(
    "file", ["..%2Fx.json", "%2e%2e.json", "a%2fb.json", "a", "a.json.json~", ".json", "%00.json", "a%2F%2Fb.json", "%ff.json"]
)
def test_a_file_that_no_record_is_kept_in_stands_for_no_name(file: str) -> None:
    assert "" == name_of(file)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("github.com/o/n", "github.com/o/n"),
        ("../../x", "x"),
        ("a b\nc", "a-b-c"),
        ("", "bundle"),
        ("..", "bundle"),
        ("/é/", "bundle"),
    ],
)
def test_any_text_can_be_made_a_name(text: str, expected: str) -> None:
    assert expected == fitting_name(text)


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    origin = Origin(source="https://example.org", branch="main", pack_digest=DIGEST, trust="good", signer="ci", installed_at=5)
    record = Record(name="github.com/o/n", digest=DIGEST, origin=origin)
    place = tmp_path / file_of(record.name)
    place.write_bytes(render_record(record))
    assert record == read_record(place)


def _text(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def _origin(**changes: object) -> bytes:
    return _text(origin={**Origin()._asdict(), **changes})


BAD_RECORDS: dict[str, bytes] = {
    "10 MB": b" " * (10 << 20) + _text(),
    "empty": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "deep": b"[" * 50_000 + b"]" * 50_000,
    "deep within": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "not UTF-8": b"\xff\xfe{}",
    "a huge number": b'{"format": ' + b"9" * 5_000 + b"}",
    "another format": _text(format=2),
    "no format": json.dumps({"name": "n"}).encode(),
    "another name": _text(name="m"),
    "a name that leads out": _text(name="../n"),
    "no name": _text(name=None),
    "a digest that leads out": _text(digest="sha256:../../../../etc"),
    "a short digest": _text(digest="sha256:" + "0" * 63),
    "an upper-case digest": _text(digest="sha256:" + "A" * 64),
    "another hash": _text(digest="sha512:" + "0" * 128),
    "a digest with a line break": _text(digest=DIGEST + "\n"),
    "a number for a digest": _text(digest=7),
    "no origin": _text(origin=None),
    "a list of origins": _text(origin=[]),
    "an origin without fields": _text(origin={}),
    "a wrong type": _origin(source=1),
    "a truth for a time": _origin(installed_at=True),
    "a time before time": _origin(installed_at=-1),
    "a time beyond": _origin(installed_at=1e999),
    "a fraction": _origin(commit_time=0.5),
    "a terminal's commands": _origin(branch="\x1b]0;x\x07"),
    "turned text": _origin(signer="\u202eevil"),
    "long text": _origin(branch="b" * 1001),
    "unknown trust": _origin(trust="sure"),
    "a pack that is none": _origin(pack_digest="sha256:../x"),
}


@pytest.mark.parametrize("data", BAD_RECORDS.values(), ids=BAD_RECORDS)
def test_a_record_that_is_not_sound_is_left_out_with_a_word(cache: BundleCache, hybrid: PackInfo, data: bytes) -> None:
    sound = install_pack(cache, hybrid.path)
    (cache.refs / "n.json").write_bytes(data)
    entries, faults = cache.survey()
    assert ([sound], 1) == (entries, len(faults))
    assert "n.json" in faults[0]
    assert cache.named("n") is None


def test_a_sound_record_of_a_bundle_that_is_not_there_is_left_out_too(cache: BundleCache) -> None:
    prepare_cache(cache)
    (cache.refs / "n.json").write_bytes(_text())
    assert "names a bundle that is not there" in cache.survey()[1][0]
    bundle = cache.bundle_path(DIGEST)
    bundle.symlink_to(cache.refs)
    assert "names a bundle that is not there" in cache.survey()[1][0]


def test_a_record_behind_a_link_a_pipe_or_a_directory_is_not_read(cache: BundleCache, hybrid: PackInfo, tmp_path: Path) -> None:
    sound = install_pack(cache, hybrid.path)
    record = render_record(Record(name="n", digest=sound.digest, origin=Origin()))
    (tmp_path / "n.json").write_bytes(record)
    (cache.refs / "n.json").symlink_to(tmp_path / "n.json")
    os.mkfifo(cache.refs / "m.json")
    (cache.refs / "o.json").mkdir()
    (cache.refs / "notes.txt").write_text("mine")
    entries, faults = cache.survey()
    assert ([sound], 4) == (entries, len(faults))


def test_what_is_recorded_can_be_read_whatever_it_says(cache: BundleCache, hybrid: PackInfo) -> None:
    origin = Origin(source="\x1b[31m\u202e", branch="b" * 5000, installed_at=1 << 60, commit_time=-1)
    installed = install_pack(cache, hybrid.path, origin=origin)
    assert cache.entries() == [installed]
    assert ("?[31m?", 0) == (installed.origin.source, installed.origin.installed_at)


def test_a_record_is_replaced_in_one_step_and_a_writer_that_fails_leaves_the_old_one(
    cache: BundleCache, hybrid: PackInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = install_pack(cache, hybrid.path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SourceError, match="No space left on device"):
            write_record(cache, Record(name=installed.name, digest=DIGEST, origin=installed.origin._replace(branch="other")))
    assert [installed] == cache.entries()
    assert [installed.ref] == [*cache.refs.iterdir()]


def test_a_record_is_refused_with_the_place_of_its_fault(cache: BundleCache, tmp_path: Path) -> None:
    (tmp_path / "n.json").write_bytes(_origin(source=1))
    with pytest.raises(FormatError) as caught:
        read_record(tmp_path / "n.json")
    assert ("origin.source", 3) == (caught.value.field, caught.value.exit_code)
