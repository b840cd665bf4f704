"""Bytes in pieces in, fewer bytes out; and back, into exactly as many as were promised.

LZMA2 of the standard library without any frame of its own: its parameters are fixed here, so that what is unpacked can neither ask
for memory nor say how much there is. It gives the same bytes on every run of one version of liblzma.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Iterator
from typing import Any, Final

from hardtack.errors import FormatError

DICTIONARY_SIZE: Final = 16 << 20
"""Bytes that are looked back over: the memory that unpacking takes, whatever is unpacked."""

RATIO_LIMIT: Final = 200
"""How many times as long as its stored bytes a section may be: what would grow more is stored as it is."""

_PIECE: Final = 1 << 20
_LEAST_DICTIONARY: Final = 4096


def _filters(dictionary_size: int) -> list[dict[str, Any]]:
    return [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": dictionary_size}]


def compressed(pieces: Iterable[bytes | memoryview], size: int) -> Iterator[bytes]:
    """The same bytes, compressed.

    Args:
        pieces: all of them.
        size: how many; a short section is not made to pay for room to look back over a long one.
    """
    dictionary = min(max(_LEAST_DICTIONARY, 1 << (size - 1).bit_length() if size else 0), DICTIONARY_SIZE)
    state = lzma.LZMACompressor(format=lzma.FORMAT_RAW, filters=_filters(dictionary))
    for piece in pieces:
        if made := state.compress(piece):
            yield made
    yield state.flush()


def inflated(pieces: Iterable[bytes], size: int, name: str) -> Iterator[bytes]:
    """The bytes that were compressed, never more than ``size`` of them.

    Args:
        pieces: all that is stored.
        size: how many bytes it must be.
        name: what to call it in errors.

    Raises:
        FormatError: they are more or fewer, what is stored is damaged, or there is something behind it.
    """
    state = lzma.LZMADecompressor(format=lzma.FORMAT_RAW, filters=_filters(DICTIONARY_SIZE))
    left = size
    for piece in pieces:
        data = piece
        while True:
            if state.eof:
                raise _fault(name, "goes on after its end")
            try:
                made = state.decompress(data, max_length=min(left + 1, _PIECE))
            except lzma.LZMAError as error:
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
