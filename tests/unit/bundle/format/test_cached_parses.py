"""What parsing a file gave comes back as it was, and a damaged member is a named error."""

from __future__ import annotations

import zlib

import msgpack
import numpy as np
import pytest

from hardtack.bundle.format.cached_parses import CachedParse, CachedParses, CachedParsesWriter, pack_parse
from hardtack.errors import FormatError

MAKER = bytes(range(32))
HASHES = np.array([0, 3, 3, 255, 256, 70_000, 2**24 + 1, 2**32 - 1], dtype=np.uint32).tobytes()
PARSES = [
    CachedParse((("a", "b"),), ((1, "os"),), b"\x01\x02", ((0, "table", ("users",)),), ((0, 4),), ("go", "a"), HASHES),
    CachedParse((), (), b"", (), (), None, b""),
    CachedParse((("c",),), (), b"\xff" * 9000, (), (), None, HASHES[:4]),
]


def member(*packed: bytes) -> bytes:
    writer = CachedParsesWriter(MAKER, [])
    for each in packed:
        writer.add(each)
    return b"".join(writer.render())


def read(data: bytes, files: int) -> CachedParses:
    return CachedParses(memoryview(data), files=files)


def test_each_file_s_parse_comes_back_and_its_bytes_can_be_copied() -> None:
    packed = [pack_parse(parse) for parse in PARSES]
    found = read(member(*packed), 3)
    assert found.tool_fingerprint == MAKER
    assert packed == [found.packed(file) for file in range(3)]
    assert PARSES == [found.parse(file) for file in range(3)]


def test_a_member_of_no_files_is_one() -> None:
    assert read(member(), 0).tool_fingerprint == MAKER


@pytest.mark.parametrize(
    ("data", "files"),
    [
        (b"", 0),
        (member()[:40], 0),
        (member(), 1),
        (member(b"x"), 0),
        (member(b"x")[:-9], 1),
        (b"X" + member(b"x")[1:], 1),
        (member(b"x") + b"y", 1),
    ],
    ids=["nothing", "half a header", "too few files", "too many files", "cut", "another magic", "a byte more"],
)
def test_a_member_that_is_not_of_these_files_is_refused(data: bytes, files: int) -> None:
    with pytest.raises(FormatError, match=r"^readings\.blocks is damaged: ") as caught:
        read(data, files)
    assert "readings.blocks" == caught.value.field


def deflated(value: object) -> bytes:
    state = zlib.compressobj(6, zlib.DEFLATED, -15)
    return state.compress(msgpack.packb(value)) + state.flush()


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"noise",
        deflated([1, 2]),
        deflated(7),
        deflated([*PARSES[1][:-1], b"abc"]),
        pack_parse(PARSES[2])[:-4],
        pack_parse(PARSES[1]) + b"x",
    ],
    ids=["nothing", "noise", "too few", "a number", "hashes cut", "cut", "a byte more"],
)
def test_a_parse_that_is_damaged_is_refused_with_the_number_of_its_file(packed: bytes) -> None:
    found = read(member(pack_parse(PARSES[0]), packed), 2)
    assert PARSES[0] == found.parse(0)
    with pytest.raises(FormatError, match="the readings of file 1 "):
        found.parse(1)
