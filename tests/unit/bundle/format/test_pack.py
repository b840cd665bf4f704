from __future__ import annotations

import gc
import io
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hardtack.bundle.format import layout, sections
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.format.manifest import Member, parse_manifest, render_manifest, with_members
from hardtack.bundle.format.members import MemberFile, UnpackedMember
from hardtack.bundle.format.pack import is_pack, open_pack
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.packing import PackInfo, write_pack
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleNotFound, FormatError, IntegrityError, SourceError, UsageError


def files_of(bundle: Path) -> dict[str, bytes]:
    return {path.relative_to(bundle).as_posix(): path.read_bytes() for path in bundle.rglob("*") if path.is_file()}


def open_files() -> list[str]:
    """Packs and unpacked members that this process has open; a map has its own descriptor until nobody looks at it."""
    gc.collect()
    found = []
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the directory's own descriptor
            found.append(str(path.readlink()))
    return sorted(target for target in found if "memfd:hardtack-" in target or ".hardtack" in target)


def open_memory() -> list[str]:
    return [target for target in open_files() if "memfd:" in target]


@pytest.fixture
def info(keyword: Path, tmp_path: Path) -> PackInfo:
    return write_pack(keyword, tmp_path / "x.hardtack")


def test_a_pack_gives_back_every_file_of_its_bundle(keyword: Path, info: PackInfo) -> None:
    found = {}
    with open_pack(info.path) as pack:
        for name in pack.members():
            out = io.BytesIO()
            pack.copy_member(name, out)
            found[name] = out.getvalue()
    assert files_of(keyword) == found


def test_a_pack_says_what_it_is(keyword: Path, info: PackInfo) -> None:
    manifest, digest = read_manifest(keyword)
    with open_pack(info.path) as pack:
        assert (info.size, info.digest, info.bundle_digest) == (pack.size, pack.digest(), pack.bundle_digest)
        assert (manifest, digest) == (pack.manifest, pack.bundle_digest) == read_manifest(info.path)
    assert os.stat(info.path).st_size == info.size


def test_the_same_bundle_gives_the_same_pack_and_so_does_the_pack(keyword: Path, info: PackInfo, tmp_path: Path) -> None:
    for path in keyword.rglob("*"):
        path.chmod(0o777)
        os.utime(path, (1, 1))
    was = os.umask(0o077)
    try:
        again = write_pack(keyword, tmp_path / "other name.hardtack")
        repacked = write_pack(info.path, tmp_path / "repacked")
    finally:
        os.umask(was)
    assert info.path.read_bytes() == again.path.read_bytes() == repacked.path.read_bytes()
    assert 0o644 == again.path.stat().st_mode & 0o777


def test_a_pack_is_opened_like_a_directory(hybrid: Path, tmp_path: Path) -> None:
    info = write_pack(hybrid, tmp_path / "x.hardtack")
    with open_bundle(hybrid) as there, open_bundle(info.path) as here:
        assert (there.digest, there.files) == (here.digest, here.files)
        assert there.text_of(there.files[2]) == here.text_of(here.files[2])
        assert there.lexical.chunks_with(["stock"]) == here.lexical.chunks_with(["stock"])
        assert (there.vectors.vector(1) == here.vectors.vector(1)).all()
        here.check_records()


def test_what_is_stored_raw_is_mapped_where_it_lies(info: PackInfo) -> None:
    with open_pack(info.path) as pack, pack.open_member(layout.TEXT, hashes=True) as member:
        inside, table = member.map(), pack.open_member(layout.SYMBOLS, hashes=True)
        with info.path.open("r+b") as file:
            at = info.path.read_bytes().index(bytes(inside[:32]))
            file.seek(at)
            file.write(b"\xff" * 8)
        assert b"\xff" * 8 == bytes(inside[:8])
        assert 0 == at % 4096
        assert not member.is_unchanged
        before = table.is_unchanged  # it is still to be unpacked
        assert table.map()
        assert (False, True) == (before, table.is_unchanged)
        table.close()


def test_a_member_is_unpacked_when_something_reads_it(hybrid: Path, tmp_path: Path) -> None:
    with open_bundle(write_pack(hybrid, tmp_path / "x.hardtack").path) as bundle:
        assert bundle.files
        assert not any(layout.RELATIONS in target for target in open_memory())
        assert bundle.related
        assert any(layout.RELATIONS in target for target in open_memory())


def test_what_was_changed_after_the_open_is_refused_when_it_is_unpacked(info: PackInfo) -> None:
    with open_pack(info.path) as pack:
        member = pack.open_member(layout.NAMES, hashes=True)
    with member:
        data = info.path.read_bytes()
        for at in range(4096, len(data), 4096):
            if data[at : at + 4] == b"\x28\xb5\x2f\xfd":  # where a Zstandard frame begins
                data = data[: at + 40] + b"\xff" * 8 + data[at + 48 :]
        info.path.write_bytes(data)
        for _ in range(2):
            with pytest.raises(IntegrityError, match=layout.NAMES.replace(".", r"\.")):
                member.map()


def test_a_pack_that_would_fill_the_memory_is_not_unpacked(info: PackInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_pack(info.path) as pack:
        size = sum(member.size for member in pack.carried)
    monkeypatch.setattr("hardtack.bundle.format.pack.SUM_RATIO", 0)
    monkeypatch.setattr("hardtack.bundle.format.pack.SUM_ALLOWANCE", size)
    open_pack(info.path).close()
    monkeypatch.setattr("hardtack.bundle.format.pack.SUM_ALLOWANCE", size - 1)
    with pytest.raises(FormatError, match=f"claims to hold {size} bytes in {info.size}"):
        open_pack(info.path)


def test_only_the_bundle_that_was_asked_for_is_opened(info: PackInfo) -> None:
    with open_bundle(info.path, digest=info.bundle_digest):
        pass
    with pytest.raises(IntegrityError, match="not the bundle asked for"):
        open_bundle(info.path, digest="sha256:" + "0" * 64)


def test_a_bundle_that_does_not_verify_is_not_packed(keyword: Path, tmp_path: Path) -> None:
    with (keyword / layout.NAMES).open("r+b") as file:
        file.write(b"x")
    with pytest.raises(IntegrityError):
        write_pack(keyword, tmp_path / "x.hardtack")
    assert [] == [path for path in tmp_path.iterdir() if path.is_file()]


def test_only_a_pack_is_replaced(hybrid: Path, keyword: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_bytes(b"dear")
    (tmp_path / "link").symlink_to("letter")
    (tmp_path / "folder").mkdir()
    for name in ("letter", "link", "folder"):
        with pytest.raises(UsageError, match="not touched"):
            write_pack(hybrid, tmp_path / name)
    assert b"dear" == (tmp_path / "letter").read_bytes()
    first = write_pack(hybrid, tmp_path / "x.hardtack")
    assert first.digest != write_pack(keyword, tmp_path / "x.hardtack").digest


def test_a_place_that_cannot_be_written_is_told(keyword: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file or directory"):
        write_pack(keyword, tmp_path / "nowhere" / "x.hardtack")


def test_a_packing_that_fails_at_any_step_leaves_what_was_there(hybrid: Path, keyword: Path, tmp_path: Path) -> None:
    destination = tmp_path / "x.hardtack"
    before = write_pack(keyword, destination).digest
    steps: list[str] = []
    write_pack(hybrid, tmp_path / "y.hardtack", step=steps.append)
    for wanted in steps[:-1]:

        def stop(step: str, wanted: str = wanted.replace("y.", "x.")) -> None:
            if step == wanted:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write_pack(hybrid, destination, step=stop)
        with open_pack(destination) as pack:
            assert before == pack.digest()
    assert {"x.hardtack", "y.hardtack"} == {path.name for path in tmp_path.iterdir() if path.is_file()}


def with_member(bundle: Path, name: str, data: bytes) -> None:
    (bundle / name).write_bytes(data)
    manifest = parse_manifest((bundle / layout.MANIFEST).read_bytes())
    member = Member(name=name, size=len(data), sha256=digest_of(data))
    (bundle / layout.MANIFEST).write_bytes(render_manifest(with_members(manifest, (*manifest.members, member))))


def test_a_member_of_a_later_builder_travels_too(keyword: Path, tmp_path: Path) -> None:
    with_member(keyword, "later.blocks", b"later")
    with open_pack(write_pack(keyword, tmp_path / "x.hardtack").path) as pack:
        out = io.BytesIO()
        pack.copy_member("later.blocks", out)
        assert b"later" == out.getvalue()
        assert files_of(keyword).keys() == set(pack.members())


def test_what_only_a_build_reads_stays_at_home_unless_it_is_asked_for(keyword: Path, tmp_path: Path) -> None:
    with_member(keyword, layout.READINGS, b"read")
    without = write_pack(keyword, tmp_path / "without.hardtack")
    taken = write_pack(keyword, tmp_path / "with.hardtack", for_builds=True)
    assert without.bundle_digest == taken.bundle_digest
    with open_pack(without.path) as pack, open_pack(taken.path) as other:
        assert {layout.READINGS} == set(other.members()) - set(pack.members())
        assert {member.name for member in pack.carried} == {*pack.members()[1:]}
    for path, expected in ((keyword, b"read"), (without.path, None), (taken.path, b"read")):
        with open_bundle(path) as bundle:
            member = bundle.member(layout.READINGS)
            assert expected == (member and bytes(member.map()))
    with pytest.raises(UsageError, match="came without readings"):
        write_pack(without.path, tmp_path / "again.hardtack", for_builds=True)


def test_an_installed_bundle_may_lack_what_only_a_build_reads_but_not_have_another(keyword: Path, tmp_path: Path) -> None:
    with_member(keyword, layout.READINGS, b"read")
    (keyword / layout.READINGS).write_bytes(b"ride")
    with pytest.raises(IntegrityError, match="was changed"):
        open_bundle(keyword)
    (keyword / layout.READINGS).unlink()
    open_bundle(keyword).close()
    open_bundle(keyword, check="sizes").close()
    (keyword / layout.READINGS).symlink_to(tmp_path / "absent")
    with pytest.raises(IntegrityError, match=layout.READINGS):
        open_bundle(keyword)


def test_a_pack_that_was_replaced_between_two_looks_is_read_as_it_was(keyword: Path, hybrid: Path, info: PackInfo) -> None:
    with open_pack(info.path) as pack:
        write_pack(hybrid, info.path)
        out = io.BytesIO()
        pack.copy_member(layout.FILES, out)
        assert (keyword / layout.FILES).read_bytes() == out.getvalue()
        assert info.digest == pack.digest()


@pytest.mark.parametrize("keep", [0, 5000, -1])
def test_a_pack_that_is_cut_after_it_was_opened_ends_in_an_error(info: PackInfo, keep: int) -> None:
    with open_pack(info.path) as pack:
        os.truncate(info.path, keep if keep >= 0 else info.size - 1)
        for name in pack.members():
            with pytest.raises((FormatError, IntegrityError)):
                pack.copy_member(name, io.BytesIO())


def test_a_bundle_notices_that_its_pack_was_cut(info: PackInfo) -> None:
    with open_bundle(info.path) as bundle:
        assert bundle.is_unchanged
        os.truncate(info.path, 4096)
        assert not bundle.is_unchanged


def test_a_file_that_is_no_pack_is_told_from_one(info: PackInfo, keyword: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    os.mkfifo(tmp_path / "fifo")
    assert is_pack(info.path)
    for path in (keyword, tmp_path / "empty", tmp_path / "fifo", tmp_path / "absent", keyword / layout.FILES, Path("a\0b")):
        assert not is_pack(path)
    with pytest.raises(BundleNotFound, match="is not a Hardtack pack"):
        open_pack(keyword / layout.FILES)


def test_closing_a_bundle_leaves_no_file_open(info: PackInfo) -> None:
    before = open_files()
    open_bundle(info.path).close()
    with pytest.raises(IntegrityError):
        with info.path.open("r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"\xff")
        open_bundle(info.path)
    assert before == open_files()


def test_memory_that_cannot_be_had_is_told(info: PackInfo) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"some"
        raise OSError(28, "No space left on device")

    before = open_files()
    member = UnpackedMember(MemberFile(info.path.parent, info.path.name), 9, lambda _: pieces())
    with member, pytest.raises(SourceError, match="unpacked: No space left"):
        member.map()
    assert before == open_files()


def test_every_member_of_the_format_has_a_kind_of_its_own() -> None:
    names = {value for name, value in vars(layout).items() if name.isupper() and isinstance(value, str)}
    members = {name for name in names if layout.is_member_name(name) and ("." in name or name == layout.NOTICE)}
    assert members <= {kind.name for kind in sections.KINDS.values()}
    assert 20 < len(members) + len(layout.LEXICAL_COMPONENTS)
    listed = [Member(name=f"lexical/{digit * 32}.term", size=0, sha256="") for digit in "ab"]
    assert [19 + 2, sections.OTHERS + 1] == list(sections.numbered(listed))
