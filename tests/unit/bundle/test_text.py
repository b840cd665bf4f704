from __future__ import annotations

import random
import struct
import zlib

import pytest

from hardtack.bundle.text import BLOCK_SIZE, DICTIONARY_SIZE, TextStore, TextWriter
from hardtack.errors import FormatError


def rendered(*files: bytes) -> bytes:
    writer = TextWriter()
    starts = [writer.add(text) for text in files]
    assert [sum(map(len, files[:number])) for number in range(len(files))] == starts
    return b"".join(writer.render())


def store_of(data: bytes) -> TextStore:
    return TextStore("text.blocks", memoryview(data))


LONG = b"".join(b"line %d of some text\n" % number for number in range(20_000))


def test_no_text_is_a_member_without_blocks() -> None:
    assert b"" == store_of(rendered()).read(0, 0)
    assert b"" == store_of(rendered(b"", b"")).read(0, 0)


def test_text_shorter_than_two_blocks_has_no_dictionary() -> None:
    data = rendered(LONG[: BLOCK_SIZE + DICTIONARY_SIZE - 1])
    assert (0).to_bytes(4, "little") == data[20:24]
    data = rendered(LONG[: BLOCK_SIZE + DICTIONARY_SIZE])
    assert LONG[:DICTIONARY_SIZE] == data[24 : 24 + DICTIONARY_SIZE]


def test_the_bytes_do_not_depend_on_how_the_text_comes() -> None:
    pieces = [LONG[at : at + 777] for at in range(0, len(LONG), 777)]
    assert rendered(LONG) == rendered(*pieces)


def test_any_stretch_comes_back() -> None:
    store = store_of(rendered(LONG[:70_000], LONG[70_000:]))
    generator = random.Random(1)
    for _ in range(200):
        start = generator.randrange(len(LONG))
        end = generator.randrange(start, min(len(LONG), start + 3 * BLOCK_SIZE) + 1)
        assert LONG[start:end] == store.read(start, end)
    assert LONG == store.read(0, len(LONG))


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (1, 0), (0, 6), (5, 6)])
def test_a_stretch_outside_the_text_is_refused(start: int, end: int) -> None:
    with pytest.raises(FormatError, match="has no bytes"):
        store_of(rendered(b"hello")).read(start, end)


def test_what_is_kept_is_bounded_however_small_the_blocks_are() -> None:
    state = zlib.compressobj(9, zlib.DEFLATED, -15)
    block, count = state.compress(b"x") + state.flush(), 2000
    offsets = b"".join((len(block) * number).to_bytes(8, "little") for number in range(count + 1))
    store = store_of(rendered()[:8] + struct.pack("<QII", count, 1, 0) + offsets + block * count)
    assert b"x" * count == store.read(0, count)
    assert 512 == store._block.cache_info().currsize


def test_a_bomb_is_stopped_one_byte_too_late_and_no_later() -> None:
    import tracemalloc

    state = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = state.compress(bytes(200 << 20)) + state.flush()
    data = rendered(b"hello")
    data = data[:24] + (0).to_bytes(8, "little") + len(bomb).to_bytes(8, "little") + bomb
    store = store_of(data)
    tracemalloc.start()
    with pytest.raises(FormatError, match="wrong length"):
        store.read(0, 5)
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()
