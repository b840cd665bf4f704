from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import parse_manifest
from hardtack.bundle.integrity import check_members
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleError


def faults(directory: Path, *, hashes: bool = True) -> list[str]:
    manifest = parse_manifest((directory / layout.MANIFEST).read_bytes())
    checked = check_members(directory, manifest, hashes=hashes)
    checked.close()
    return [str(fault) for fault in checked.faults]


def test_a_bundle_as_it_was_built_has_no_fault(hybrid: Path) -> None:
    assert [] == faults(hybrid)


def test_every_fault_is_told_at_once_in_the_order_of_the_members(keyword: Path) -> None:
    (keyword / "chunks.msgpack").unlink()
    size = (keyword / "symbols.msgpack").stat().st_size
    longer = f"has {size + 1} bytes, not {size}"
    (keyword / "symbols.msgpack").write_bytes((keyword / "symbols.msgpack").read_bytes() + b"x")
    data = bytearray((keyword / "text.blocks").read_bytes())
    data[-1] ^= 1
    (keyword / "text.blocks").write_bytes(data)
    (keyword / "stray").write_bytes(b"")
    (keyword / "lexical" / "stray").write_bytes(b"")
    found = faults(keyword)
    assert ["chunks.msgpack", "lexical/stray", "stray", "symbols.msgpack", "text.blocks"] == [fault.split()[0] for fault in found]
    assert ["is missing", "is not listed", "is not listed", longer, "was changed"] == [
        next(what for what in ("is missing", "is not listed", longer, "was changed") if what in fault) for fault in found
    ]


def test_sizes_alone_do_not_see_a_changed_byte(keyword: Path) -> None:
    path = keyword / "text.blocks"
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    assert [] == faults(keyword, hashes=False)
    assert 1 == len(faults(keyword))


def test_a_link_in_a_members_place_is_a_fault_even_to_the_same_bytes(keyword: Path, tmp_path: Path) -> None:
    (keyword / "files.msgpack").rename(tmp_path / "moved")
    (keyword / "files.msgpack").symlink_to(tmp_path / "moved")
    assert ["files.msgpack cannot be used"] == [fault.partition(":")[0] for fault in faults(keyword)]


def test_a_link_in_place_of_the_folder_is_a_fault(keyword: Path, tmp_path: Path) -> None:
    (keyword / "lexical").rename(tmp_path / "moved")
    (keyword / "lexical").symlink_to(tmp_path / "moved")
    assert ["lexical is not listed in the manifest"] == faults(keyword)


def test_strays_of_every_sort_are_faults(keyword: Path) -> None:
    (keyword / "folder").mkdir()
    (keyword / "folder" / "file").write_bytes(b"")
    (keyword / "lexical" / "folder").mkdir()
    (keyword / "link").symlink_to("nowhere")
    os.mkfifo(keyword / "fifo")
    assert ["fifo", "folder", "lexical/folder", "link"] == [fault.split()[0] for fault in faults(keyword)]


@pytest.mark.parametrize("name", ["manifest.json", "files.msgpack", "chunks.msgpack", "lexical/meta.json"])
def test_every_flipped_bit_of_a_small_member_is_found_and_named(keyword: Path, name: str) -> None:
    original = (keyword / name).read_bytes()
    for place in range(0, len(original), 7):
        damaged = bytearray(original)
        damaged[place] ^= 1 << place % 8
        (keyword / name).write_bytes(damaged)
        with pytest.raises(BundleError) as caught:
            open_bundle(keyword)
        assert name in str(caught.value) or name == "manifest.json"
