"""Which blocks can have a text: all that have it, and of the others only those with runs like its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hardtack.bundle.indexes import ngrams as runs
from hardtack.bundle.indexes.ngrams import BEYOND, RunIndex, RunsWriter
from hardtack.bundle.reader import open_bundle
from hardtack.errors import FormatError

SIZE = 100


def index_of(*files: bytes, size: int = SIZE) -> RunIndex:
    writer = RunsWriter(size)
    for text in files:
        writer.add(text)
    length = sum(map(len, files))
    return RunIndex(memoryview(b"".join(writer.render())), blocks=-(-length // size), text_bytes=length)


def blocks_of(*texts: bytes) -> bytes:
    """One file whose blocks have these texts, so far from their beginnings that they are in no others."""
    return b"".join((b" " * BEYOND + text).ljust(SIZE) for text in texts)


@pytest.fixture(autouse=True)
def _every_run_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_FEW", 0)


SHELF = blocks_of(b"jar of lids", b"lid", b"the jars", b"", b"solidity", b"", b"", b"", b"")


@pytest.mark.parametrize(
    ("wanted", "blocks"),
    [
        (b"jar", [0, 2]),
        (b"jar ", [0]),
        (b" jar", [0, 2]),
        (b"lid", [0, 1, 4]),
        (b" lid", [0, 1]),
        (b"lid ", [1]),
        (b"lids\n", [0]),
        (b"jar of", [0]),
        (b"r of l", [0]),
        (b"of the", []),
        (b"shelf", []),
        (b"=>", list(range(9))),
        (b"", list(range(9))),
    ],
)
def test_a_text_can_be_where_its_runs_are(wanted: bytes, blocks: list[int]) -> None:
    assert blocks == list(index_of(SHELF).blocks_with(wanted))


def test_what_begins_in_one_block_and_ends_in_the_next_belongs_to_the_first() -> None:
    text = b"x" * 10 + b" " * 85 + b"jar of lids".ljust(205)
    assert [0] == list(index_of(text).blocks_with(b"jar of lids"))
    assert [0, 1] == list(index_of(text).blocks_with(b"lids"))


def test_the_beginning_of_a_long_text_is_enough_to_find_it() -> None:
    text = b"".join(b"n%d " % number for number in range(60))
    assert [0] == list(index_of(text + b" " * 900).blocks_with(text[:200]))
    wanted = b"n" * (BEYOND - 2) + "\u4e2d".encode()
    assert [2] == list(index_of(b" " * 250 + wanted + b" " * 700).blocks_with(wanted + b"n"))


def test_a_run_ends_with_its_file() -> None:
    index = index_of(b"jar", b"lid", b" " * 900)
    assert [0] == list(index.blocks_with(b"jar"))
    assert [0] == list(index.blocks_with(b"lid "))
    assert [] == list(index.blocks_with(b"jarlid"))


def test_few_blocks_are_few_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [] == list(index_of(SHELF).blocks_with(b"lid of"))
    monkeypatch.setattr(runs, "_FEW", 3)
    assert [1] == list(index_of(SHELF).blocks_with(b"lid of"))


def test_each_character_beyond_ascii_is_a_run() -> None:
    index = index_of(blocks_of("gr\u00f6\u00dfe".encode(), "\u4e2d\u6587 \u6587\u4ef6".encode(), *[b""] * 8))
    assert [0] == list(index.blocks_with("r\u00f6".encode()))
    assert [1] == list(index.blocks_with("\u6587\u4ef6".encode()))
    assert [] == list(index.blocks_with("\u4ef6\u00f6".encode()))
    assert [0] == list(index.blocks_with(b"gr"))
    assert [] == list(index.blocks_with(b"g r"))


def test_what_nearly_all_blocks_have_is_said_to_be_anywhere() -> None:
    index = index_of(blocks_of(*[b"jar lid"] * 15, b"lid"))
    assert list(range(16)) == list(index.blocks_with(b"jar"))
    assert list(range(16)) == list(index.blocks_with(b"jar lid"))


@pytest.mark.parametrize("count", [256, 257, 65_536, 65_537, 70_000])
def test_blocks_are_found_however_many_there_are(count: int) -> None:
    text = bytearray(b" " * count)
    for place in (0, count // 2, count - 1):
        text[place] = ord("j")
    index = index_of(bytes(text), size=1)
    expected = sorted({block for place in (0, count // 2, count - 1) for block in range(max(place - BEYOND, 0), place + 1)})
    assert expected == list(index.blocks_with(b"j"))


def test_lines_are_counted_from_the_beginning_of_the_file_that_a_block_begins_in() -> None:
    assert [0, 3, 1, 1, 0] == list(index_of(b"a\nb\nc\nde\n", b"f\nghijklmnopq\n", b"rs\n", size=6).lines)


def test_no_text_has_no_runs() -> None:
    assert [] == list(index_of().blocks_with(b"jar"))
    assert [] == list(index_of(b"", b"").blocks_with(b"jar"))
    assert [0] == list(index_of(b"()").blocks_with(b"jar"))


def test_an_index_that_would_be_too_large_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_MOST_INFLATED", 20)
    index = index_of(SHELF)
    assert list(range(9)) == list(index.blocks_with(b"jar"))
    assert [0] * 9 == list(index.lines)


def test_the_bytes_depend_on_no_hash_seed() -> None:
    script = (
        "import hashlib; from pathlib import Path; import hardtack.bundle.indexes.ngrams as runs; writer = runs.RunsWriter(1000)\n"
        "for path in sorted(Path(runs.__file__).parent.glob('*.py')): writer.add(path.read_bytes())\n"
        "print(hashlib.sha256(b''.join(writer.render())).hexdigest())"
    )
    digests = {
        subprocess.run([sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "2")
    }
    assert 1 == len(digests)


def test_another_zlib_may_deflate_it_otherwise(pantry_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_LEVEL", 1)
    with open_bundle(pantry_bundle) as bundle:
        bundle.check_records()


def test_a_member_of_another_text_is_refused() -> None:
    writer = RunsWriter(SIZE)
    writer.add(SHELF)
    with pytest.raises(FormatError, match="of another text"):
        RunIndex(memoryview(b"".join(writer.render())), blocks=8, text_bytes=len(SHELF))


def test_every_byte_of_ascii_text_separates_runs_or_is_part_of_one() -> None:
    """ASCII text is split and not searched: by the same expression."""
    text = b"".join(b"a%bb" % bytes((byte,)) for byte in range(128))
    writer = RunsWriter()
    writer.add(text)
    assert sorted(set(runs._RUN.findall(text))) == sorted(writer.parts().vocabulary.split(b"\n"))
