"""Bytes in, ``sha256:<64 hex>`` out; and canonical JSON, of which digests are taken."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from hardtack.descriptors import read_at

_BUFFER_SIZE = 1 << 20
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def digest_of(data: bytes | bytearray | memoryview) -> str:
    """The digest of bytes in memory."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digest_of_descriptor(descriptor: int, *, start: int = 0, size: int | None = None) -> str:
    """The digest of an open file, or of its ``size`` bytes from ``start`` on."""
    state = hashlib.sha256()
    offset, end = start, None if size is None else start + size
    while data := read_at(descriptor, _BUFFER_SIZE if end is None else min(_BUFFER_SIZE, end - offset), offset):
        state.update(data)
        offset += len(data)
    return "sha256:" + state.hexdigest()


def is_digest(text: str) -> bool:
    """Whether ``text`` has the form of a digest; nothing else may become part of a path or an address."""
    return _DIGEST.fullmatch(text) is not None


def canonical_json(value: Mapping[str, Any]) -> bytes:
    """``value`` as canonical JSON: sorted keys, no spaces, ASCII, a newline at the end.

    Raises:
        ValueError: :func:`check_spellable` refuses it.
    """
    check_spellable(value)
    return spelt(value)


def spelt(value: Mapping[str, Any]) -> bytes:
    """The same for a value that was checked."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"


def check_spellable(value: object) -> None:
    """Refuse values that two JSON writers could write differently.

    Raises:
        ValueError: a number that is not an integer of 64 bits, text with a lone surrogate, or a value of no JSON type.
    """
    if isinstance(value, str):
        value.encode("utf-8")  # raises UnicodeEncodeError, a ValueError, for a lone surrogate
    elif value is None or isinstance(value, bool):
        return
    elif isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 63:
            raise ValueError(f"{value} does not fit in 64 bits")
    elif isinstance(value, dict | Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"{key!r} is no JSON key")
            check_spellable(key)
            check_spellable(item)
    elif isinstance(value, list | tuple):
        for item in value:
            check_spellable(item)
    else:
        raise ValueError(f"{type(value).__name__} has no canonical spelling")
