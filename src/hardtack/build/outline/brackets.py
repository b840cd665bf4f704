"""A text and a place in, the bracket that belongs to it out. Brackets in strings and comments count like all others."""

from __future__ import annotations

import re
from typing import Final

_BRACKET: Final = re.compile(rb"[()\[\]{}]")


def opening(text: bytes, at: int, floor: int) -> int:
    """The position of the opening bracket of the one that closes at ``at``; -1 if it is before ``floor``."""
    depth = 0
    for match in _BRACKET.finditer(text[floor : at + 1][::-1]):
        depth += 1 if match[0] in b")]}" else -1
        if depth == 0:
            return at - match.start()
    return -1


def opened_before(text: bytes, at: int, floor: int) -> bytes:
    """The innermost bracket that is open before a place; empty if there is none from ``floor`` on."""
    depth = 0
    for match in _BRACKET.finditer(text[floor:at][::-1]):
        if match[0] not in b")]}" and not depth:
            return match[0]
        depth += 1 if match[0] in b")]}" else -1
    return b""


def closing(text: bytes, at: int, limit: int) -> int:
    """One past the closing bracket of the one that opens at ``at``; -1 if it is after ``limit``."""
    depth = 0
    for match in _BRACKET.finditer(text, at, limit):
        depth += 1 if match[0] in b"([{" else -1
        if depth == 0:
            return match.end()
    return -1
