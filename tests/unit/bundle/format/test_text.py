from __future__ import annotations

import random
import struct
import zlib

import pytest

from hardtack.bundle.format.text import BLOCK_SIZE, DICTIONARY_SIZE, TextStore, TextWriter
from hardtack.errors import FormatError


def rendered(*files: bytes) -> bytes:
    writer = TextWriter([])
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
    assert 512 == len(store._kept)


def test_several_blocks_come_in_the_order_asked_for_whether_kept_or_not() -> None:
    text = b"".join(b"line %d of a longer text\n" % number for number in range(100_000))
    store = store_of(rendered(text))
    numbers = [*range(store.block_count - 1, -1, -3), *range(store.block_count - 2, -1, -3)]
    expected = [text[number * BLOCK_SIZE : (number + 1) * BLOCK_SIZE] for number in numbers]
    assert expected == store.blocks(numbers)
    assert expected == store.blocks(numbers)
    assert [] == store.blocks([])


def test_a_look_through_all_of_the_text_drives_out_nothing_that_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.bundle.format.text._KEPT", 5 * BLOCK_SIZE)
    store = store_of(rendered(LONG[:70_000] * 10))
    store.read(0, 2 * BLOCK_SIZE)
    store.blocks(range(store.block_count))
    assert [0, 1, 2, 3, 4] == sorted(store._kept)
    store.read(9 * BLOCK_SIZE, 10 * BLOCK_SIZE)
    assert [1, 2, 3, 4, 9] == sorted(store._kept)


def test_one_damaged_block_among_several_is_refused() -> None:
    data = bytearray(rendered(LONG[:70_000] * 10))
    data[-40:] = bytes(40)
    store = store_of(bytes(data))
    with pytest.raises(FormatError, match=f"block {store.block_count - 1}"):
        store.blocks(range(store.block_count))


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
