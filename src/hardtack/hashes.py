"""Bytes in, their hash out: :mod:`hashlib`'s, where there is little to hash without loading OpenSSL first.

That takes a twentieth of a cold search, and the hashes of a manifest and of some rules take a twentieth of that. So the standard
library's own ``random`` takes the interpreter's SHA-256, whose module has been called thus or thus.
"""

from __future__ import annotations

from hardtack.hints import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        from _blake2 import blake2b

        try:
            from _sha2 import sha256
        except ImportError:
            from _sha256 import sha256
    except ImportError:
        from hashlib import blake2b, sha256

_MUCH: Final = 1 << 20
"""Bytes that OpenSSL, twice to ten times as fast, makes up for its loading with."""


def sha256_of(data: bytes | bytearray | memoryview) -> str:
    """The SHA-256 of bytes in memory: 64 hex digits."""
    if len(data) < _MUCH:
        return sha256(data).hexdigest()
    import hashlib

    return hashlib.sha256(data).hexdigest()


def is_hex(text: str) -> bool:
    """Whether there are lower-case hexadecimal digits in it and nothing else."""
    return not text.strip("0123456789abcdef")


def blake2b_of(data: bytes, *, size: int) -> str:
    """The BLAKE2b of ``size`` bytes, as twice as many hex digits."""
    return blake2b(data, digest_size=size).hexdigest()
