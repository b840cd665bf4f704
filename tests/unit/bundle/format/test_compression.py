"""What is inflated is as long as it must be, and takes no more memory than the window that the format allows."""

from __future__ import annotations

import random
import sys

import pytest

from hardtack.bundle.format.compression import WINDOW_LOG_LIMIT, compressed, inflated
from hardtack.errors import FormatError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b"one line of many\n" * 40_000


def frame_of(data: bytes) -> bytes:
    return b"".join(compressed([data], len(data)))


def inflate(frame: bytes, size: int) -> bytes:
    return b"".join(inflated([frame[at : at + 999] for at in range(0, len(frame), 999)], size, "symbols.msgpack"))


@pytest.mark.parametrize("data", [b"", b"x", TEXT, random.Random(1).randbytes(300_000)], ids=["nothing", "a byte", "text", "noise"])
def test_what_was_compressed_comes_out_whole(data: bytes) -> None:
    assert data == inflate(frame_of(data), len(data))


@pytest.mark.parametrize(
    ("frame", "size", "words"),
    [
        (frame_of(TEXT), len(TEXT) - 1, f"symbols.msgpack is longer than the {len(TEXT) - 1} bytes it must be."),
        (frame_of(TEXT), len(TEXT) + 3, "symbols.msgpack ends 3 bytes early."),
        (frame_of(TEXT)[:-9], len(TEXT), "symbols.msgpack ends "),
        (frame_of(TEXT) + b"x", len(TEXT), "symbols.msgpack goes on after its end."),
        (frame_of(TEXT) + frame_of(b"x"), len(TEXT), "symbols.msgpack goes on after its end."),
        (b"no frame at all", 9, "symbols.msgpack is damaged."),
    ],
    ids=["shorter", "longer", "cut", "a byte more", "a frame more", "noise"],
)
def test_what_gives_other_bytes_than_it_must_is_refused_by_name(frame: bytes, size: int, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        inflate(frame, size)
    assert words in str(caught.value)
    assert "symbols.msgpack" == caught.value.field


@pytest.mark.parametrize(("window", "is_read"), [(WINDOW_LOG_LIMIT, True), (WINDOW_LOG_LIMIT + 1, False), (27, False)])
def test_a_frame_that_looks_back_further_than_the_limit_is_not_inflated(window: int, is_read: bool) -> None:
    state = zstd.ZstdCompressor(
        options={zstd.CompressionParameter.window_log: window, zstd.CompressionParameter.compression_level: 1}
    )
    frame = state.compress(TEXT) + state.flush()  # its size is not told, so that the frame keeps its window
    if is_read:
        assert TEXT == inflate(frame, len(TEXT))
    else:
        with pytest.raises(FormatError, match="is damaged"):
            inflate(frame, len(TEXT))
