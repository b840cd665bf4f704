"""A place in a long list in, a short word for it out, which the same request gives back to go on from there.

A cursor holds the position and a checksum of bundle, request and position together. So it means nothing to another bundle or to
another request, and nobody has to remember it: any server with the bundle can go on. It is no secret and no protection.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hardtack.errors import UsageError

_CHECK_BYTES: Final = 6
"""Of the checksum: enough against accidents, which are what it is for."""
_LONGEST: Final = 200
"""Characters of a cursor; none that was ever given comes near."""
_MOST_BITS: Final = 63
"""Of a number in a position."""


def cursor_of(digest: str, request: Mapping[str, Any] | str, position: Sequence[int]) -> str:
    """The word for a position; only letters, digits, ``-`` and ``_``.

    Args:
        digest: the bundle's.
        request: what was asked, as JSON values, without what may change from page to page: the cursor, the limit.
        position: where to go on, none of it negative; what it counts is the caller's business.
    """
    payload = b"".join(map(_varint, position))
    return base64.urlsafe_b64encode(_check(digest, request, payload) + payload).rstrip(b"=").decode("ascii")


def position_of(cursor: str, digest: str, request: Mapping[str, Any] | str) -> tuple[int, ...]:
    """The position that :func:`cursor_of` was given with this bundle and this request.

    Raises:
        UsageError: CURSOR_INVALID; it was given by another bundle or for another request, or by none.
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
            raise ValueError("another spelling of a cursor")
    except ValueError as error:
        raise UsageError(
            "This cursor was not given by this index for this request.",
            code="CURSOR_INVALID",
            details={"param": "cursor"},
            hint="Ask again without a cursor, then pass on next_cursor with the same arguments.",
        ) from error
    return position


def _check(digest: str, request: Mapping[str, Any] | str, payload: bytes) -> bytes:
    asked = json.dumps([digest, request], sort_keys=True, separators=(",", ":")).encode("ascii")
    return hashlib.sha256(asked + b"\n" + payload).digest()[:_CHECK_BYTES]


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; all but the last have the eighth bit set."""
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
