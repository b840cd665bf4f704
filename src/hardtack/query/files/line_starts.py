"""A text and the number of a line in, the byte where that line begins out, without a list of all lines."""

from __future__ import annotations

from typing import Final

_PIECE: Final = 1 << 16
"""Bytes whose line feeds are counted together."""


def start_of_line(text: bytes, line: int, start: int = 0) -> int:
    """The byte where a line begins; the end of the text if it has fewer lines.

    Args:
        text: the text.
        line: its number, from 1, counted from ``start``.
        start: where a line begins.
    """
    left = line - 1
    at = start
    while left and at < len(text):
        found = text.count(b"\n", at, at + _PIECE)
        if found >= left:
            break
        left -= found
        at += _PIECE
    while left:
        at = text.find(b"\n", at) + 1
        if not at:
            return len(text)
        left -= 1
    return min(at, len(text))
