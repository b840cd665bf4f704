"""Pieces of bytes in, compressed bytes out; compressed bytes in, exactly as many bytes as are listed out.

One Zstandard frame (RFC 8878) without checksum or dictionary. The same bytes give the same frame on every run of one version of
libzstd.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Final

from hardtack.errors import FormatError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL: Final = 19
"""The highest level whose window is at most 8 MiB; level 22 makes a pack 0.02 % smaller."""

WINDOW_LOG_LIMIT: Final = 24
"""Base-2 logarithm of the bytes that may be looked back over: 16 MiB, the memory that inflating may take."""

RATIO_LIMIT: Final = 200
"""How many times as long as its stored bytes a section may be: what would grow more is stored as it is."""

_PIECE: Final = 1 << 18
"""Bytes that are inflated at once: few enough that the next piece gets the memory of the last one."""


def compressed(pieces: Iterable[bytes | memoryview], size: int) -> Iterator[bytes]:
    """The compressed bytes.

    Args:
        pieces: all of the bytes.
        size: how many they are; few bytes get a small window.
    """
    option = zstd.CompressionParameter
    state = zstd.ZstdCompressor(options={option.compression_level: LEVEL, option.checksum_flag: 0})
    state.set_pledged_input_size(size)
    for piece in pieces:
        if made := state.compress(piece):
            yield made
    yield state.flush()


def inflated(pieces: Iterable[bytes], size: int, name: str) -> Iterator[bytes]:
    """The bytes that were compressed, never more than ``size``.

    Args:
        pieces: all of the compressed bytes.
        size: how many bytes they must give.
        name: what to call them in errors.

    Raises:
        FormatError: they give more or fewer bytes, are damaged, or bytes follow the frame.
    """
    state = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: WINDOW_LOG_LIMIT})
    left = size
    for piece in pieces:
        data = piece
        while True:
            if state.eof:
                raise _fault(name, "goes on after its end")
            try:
                made = state.decompress(data, max_length=min(left + 1, _PIECE))
            except zstd.ZstdError as error:
                raise _fault(name, "is damaged") from error
            left -= len(made)
            if left < 0:
                raise _fault(name, f"is longer than the {size} bytes it must be")
            yield made
            data = b""
            if state.eof or state.needs_input:
                break
    if not state.eof or left:
        raise _fault(name, f"ends {left} bytes early")
    if state.unused_data:
        raise _fault(name, "goes on after its end")


def _fault(name: str, what: str) -> FormatError:
    return FormatError(f"{name} {what}.", field=name)
