"""A position in a long list in, an opaque cursor out, and back: pagination without state.

A cursor holds the position and a checksum over bundle, request and position. It is invalid for another bundle or another request,
and no server has to remember it: any server that has the bundle can go on. It is neither a secret nor a protection.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hardtack.errors import UsageError

_CHECK_BYTES: Final = 6
"""Bytes of the checksum. It guards against mistakes, not against forgery, so 48 bits are enough."""
_LONGEST: Final = 200
"""Characters of a cursor at most; those that are made here are far shorter."""
_MOST_BITS: Final = 63
"""Bits of a number in a position at most."""


def cursor_of(digest: str, request: Mapping[str, Any] | str, position: Sequence[int]) -> str:
    """The cursor of a position: only letters, digits, ``-`` and ``_``.

    Args:
        digest: of the bundle.
        request: the arguments of the call as JSON values, without those that may change from page to page: cursor and limit.
        position: where to go on, no number negative; the caller decides what it counts.
    """
    payload = b"".join(map(_varint, position))
    return base64.urlsafe_b64encode(_check(digest, request, payload) + payload).rstrip(b"=").decode("ascii")


def position_of(cursor: str, digest: str, request: Mapping[str, Any] | str) -> tuple[int, ...]:
    """The position that :func:`cursor_of` made this cursor of, with the same bundle and request.

    Raises:
        UsageError: CURSOR_INVALID; it was made with another bundle or request, or never.
    """
    try:
        if not 0 < len(cursor) <= _LONGEST:
            raise ValueError("a length that no cursor has")
        data = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        payload = data[_CHECK_BYTES:]
        if data[:_CHECK_BYTES] != _check(digest, request, payload):
            raise ValueError("the checksum of something else")
        position = _numbers(payload)
        if cursor_of(digest, request, position) != cursor:
            raise ValueError("another spelling of a cursor")  # as base64 with other bits in its last character decodes alike
    except ValueError as error:
        raise UsageError(
            "This cursor was not given by this index for this request.",
            code="CURSOR_INVALID",
            details={"param": "cursor"},
            hint="Ask again without a cursor, then pass on next_cursor with the same arguments.",
        ) from error
    return position


def _check(digest: str, request: Mapping[str, Any] | str, payload: bytes) -> bytes:
    canonical = json.dumps([digest, request], sort_keys=True, separators=(",", ":")).encode("ascii")
    return hashlib.sha256(canonical + b"\n" + payload).digest()[:_CHECK_BYTES]


def _varint(number: int) -> bytes:
    """A number in LEB128: seven bits a byte, the lowest first; all bytes but the last have the eighth bit set."""
    if not 0 <= number < 1 << _MOST_BITS:
        raise ValueError(f"{number} is no place in a list")
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def _numbers(payload: bytes) -> tuple[int, ...]:
    """The numbers of a payload.

    Raises:
        ValueError: the last one has no end.
    """
    numbers, number, shift = [], 0, 0
    for byte in payload:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(number)
            number, shift = 0, 0
    if shift:
        raise ValueError("a number without an end")
    return tuple(numbers)
