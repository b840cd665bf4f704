"""Bytes with the format of a secret in, whether they are likely a secret out: random values are, made-up ones are not.

Documentation and tests hold many values that match a format and are no secrets: ``EXAMPLE``, repeated letters, digits in order, the
samples of vendors' manuals. They are kept, since people search for them. Nothing here knows rules or files.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote_to_bytes

_MIN_ENTROPY: Final = 2.9
"""Bits a byte. 32 random hexadecimal digits have 3.6 on average, and less than this once in a million; words often have more, but
the other checks reject them."""
_MIN_PASSWORD_ENTROPY: Final = 2.5
_WORDS: Final = re.compile(
    rb"(?i)example|sample|placeholder|dummy|fake|redact|change.?me|changeit|your|insert|replace|notreal|not_?a_?real|invalid"
    rb"|foobar|xxxx|\*\*\*|\.\.\.|secret|token|abcdef0123|test[_-]?key|0123456789|1234567890"
)
_MADE_UP_PASSWORDS: Final = re.compile(
    rb"(?i)pass|p[a4@]s[s5$]|pwd|secret|example|sample|user|test|admin|root|change|your|dummy|fake|redact|token|guest|xxxx"
    rb"|foobar|qwert|abcd|abc123|1234|login|here|value|default|postgres|mysql|redis|rabbit|mongo|minio|s[e3]cr[e3]t|hunter[0-9]|w[o0]rd|letmein|welcome|username|dead_?beef"
)
_TEMPLATE: Final = re.compile(
    rb"[\x00-\x20\x7f\\]|\$[{(]|^\$[A-Za-z_]+$|^%[A-Za-z_]+%|\{\{|\}\}|#\{|@\{|^[<\[{].*[>\]}]$|%[sdvq(]|\.\.\.|\*\*\*|^\$\$|<[A-Za-z_-]+>|^\^.*\$$|\$[A-Z][A-Z0-9_]{4,}$"
)
_IS_NAMED_PLACE: Final = re.compile(
    rb"(?:arn|file|env|vault|op|projects|https?|classpath|enc|npm|workspace|sha256|sha512|sha1|md5):|[a-z]{3,12}:[0-9a-f]{8}-[0-9a-f]{4}-|ENC[\[(]|Ag[A-D].{140}|[/~.]"
)
"""Matches values that name a place where a secret is, that are encrypted, or that are digests or identifiers in a namespace."""
_KINDS: Final = bytes(
    ord("d")
    if chr(byte).isdigit() and byte < 128
    else ord("u")
    if 0x41 <= byte <= 0x5A
    else ord("l")
    if 0x61 <= byte <= 0x7A
    else ord("s")
    if byte in b"!@#$^*(+%~?"
    else ord("-")
    for byte in range(256)
)
_CHANGES: Final = (b"dl", b"du", b"ld", b"ud", b"lu", b"sl", b"su", b"sd", b"ls", b"us", b"ds")
_MIN_UNPADDED: Final = 16
"""Letters of Base64 without padding that are decoded: random ones of so many hardly ever give a text."""
_MIN_BYTES_IN_ORDER: Final = 8
_HEX: Final = re.compile(rb"[0-9A-Fa-f]{16,}")
_MIN_CHANGES: Final = 0.2
_MIN_CHANGES_OF_WORD: Final = 0.14
_LEAST_CHANGES: Final = 3
_LETTERS_AND_SIGNS: Final = bytes(byte for byte in range(256) if byte not in b"-_.:/,;")
_MAX_WORDS_BYTES: Final = 120
"""Bytes; a longer value may contain a word of four letters by chance."""
_LONGEST_RUN: Final = 6
_LETTERS_IN_ORDER: Final = 0.5
"""Maximum share of neighbouring bytes that are equal or consecutive, as in ``1234abcd``; in random values it is below a third."""

_DOCUMENTED: Final = frozenset(
    {
        # The first 24 hexadecimal digits of the SHA-256 of values that issuers print in their manuals: Stripe, the storage and
        # database emulators of Azure, Telegram, Slack, Google, GitHub and Discord.
        *("2cafc0970149a84f3b9e62ea", "f2d6ca16515033e5dce14eba", "2d1f7723aabc5c7a51fcdc24", "7e8de44ea9ecf6d53415c90f"),
        *("0011cc25eb4320717494d270", "aa6547439583c3a275d4542a", "0b5dd075ccdd03c42f4edda8", "f5375a46365089a84f4f822b"),
        *("ac9265e56c79b234607ec72c", "44b9f0d854dcf2010396ed1f", "3543c50b0cb9cea8e55eb1f5", "bc3ae723f57c6b9e3fd80b69"),
        *("82e74299544e00738f9c0acb", "797c0ce414586cc8eb6929af", "6d7fa4e64d4b1f3ea31962e2", "02f7ce3c263f85c019eeeeea"),
        # The samples of one-time passwords and of UUIDs.
        *("8be5d113c0871ce1a122d68a", "8f400c257611ed5d30c0e660"),
        # The samples of RFC 6749, 6750, 7009, 7515 and 7517, and of OpenID Connect.
        *("6c96130f130ab0d6d158397e", "00cf4c781dc37003f7c7dd7d", "53f5da0aaa93d64cd5772c55", "ca7459e2b26776de081b9a07"),
        *("e9974c507d2a802143f614c8", "b8e148545b13c78bc74da2f1", "3e6099e82cea8b701718e015", "ad71fb4165536675d80a8bbf"),
        *("9e309cccd311ea64d04133da", "ea9bdfd02c0c412c8cc36ba6", "8b1b17a9740c068accab5c3d", "a45404ae333dd955dcff82cf"),
        # The samples of OAuth 1.0, and the hashes of the word "password".
        *("cb87c87e4a138d9a72259d2a", "649e1f5c769e718ba10d1a70", "bb9b1163338b2a51495834ad", "293257ab6495ebb11cf9e4ae"),
        *("3f2cd8e57b096fe7e4a78a56", "0d287772dfced30917b9dbb5"),
    }
)
_TUTORIAL_TOKEN: Final = re.compile(rb"1234567890|John Doe|example|\"joe\"", re.IGNORECASE)


def is_documented(value: bytes) -> bool:
    """Whether a manual prints exactly this value."""
    return hashlib.sha256(value).hexdigest()[:24] in _DOCUMENTED


def is_random(body: bytes) -> bool:
    """Whether the bytes look random: no words, no order, no repetition."""
    if len(body) < _MAX_WORDS_BYTES and _WORDS.search(body):
        return False
    if body.islower() and not any(0x30 <= byte <= 0x39 for byte in body):
        return False  # words and hyphens
    return entropy(body) >= _MIN_ENTROPY and not _is_patterned(body)


def entropy(body: bytes) -> float:
    """Shannon entropy in bits a byte, from the frequencies of the bytes."""
    total = len(body)
    return -sum(count / total * math.log2(count / total) for count in Counter(body).values()) if body else 0.0


def _is_patterned(body: bytes) -> bool:
    """Whether it is mostly regular: one letter repeated, letters in order, or one part repeated."""
    steps = [second - first for first, second in pairwise(body)]
    if sum(step in (-1, 0, 1) for step in steps) > _LETTERS_IN_ORDER * len(steps):
        return True
    run = longest = 1
    for step in steps:
        run = run + 1 if step == 0 else 1
        longest = max(longest, run)
    if longest >= _LONGEST_RUN:
        return True
    half = len(body) // 2
    return any(body[period:] == body[:-period] for period in range(1, min(half, 64) + 1))


def _is_mixed(body: bytes) -> bool:
    """Whether it is random, with capitals, small letters and digits: 40 letters of base64, not a hexadecimal digest."""
    plain = unquote_to_bytes(body)
    kinds = (plain.lower() != plain, plain.upper() != plain, any(0x30 <= byte <= 0x39 for byte in plain))
    return all(kinds) and entropy(plain) >= 4.0 and is_random(plain)


def is_password(body: bytes) -> bool:
    """Whether it may be a real password: letters and digits, or letters that are mixed, and no placeholder."""
    plain = unquote_to_bytes(body)
    if (
        len(plain) < 8
        or _TEMPLATE.search(body)
        or _IS_NAMED_PLACE.match(body)
        or (len(plain) < _MAX_WORDS_BYTES and _MADE_UP_PASSWORDS.search(plain))
    ):
        return False
    has_digit, has_letter = any(0x30 <= byte <= 0x39 for byte in plain), plain.lower() != plain.upper()
    is_mixed = plain.lower() != plain and len(plain) >= 12 and changes(plain) >= _MIN_CHANGES
    if not has_letter or not (has_digit or is_mixed) or b"EXAMPLE" in plain or (plain.count(b"$") > 2 and not _is_hash(plain)):
        return False
    if entropy(plain) < _MIN_PASSWORD_ENTROPY or _is_patterned(plain):
        return False
    for inner in (_decoded(plain) if len(plain) % 4 == 0 or len(plain) >= _MIN_UNPADDED else b"", _from_hex(plain)):
        text = inner.rstrip(b"\r\n")
        if text and text.isascii() and text.decode("ascii").isprintable():
            return is_password(text)
        if len(inner) >= _MIN_BYTES_IN_ORDER and _is_patterned(inner):
            return False
    return True


def is_chosen(body: bytes) -> bool:
    """Whether a program chose it: a password whose letters change their kind as often as random ones do.

    Names, versions, paths and most words with digits change less often.
    """
    share = changes(body)
    is_one_word = not body.translate(None, _LETTERS_AND_SIGNS)
    is_mixed = share >= (_MIN_CHANGES_OF_WORD if is_one_word else _MIN_CHANGES) and share * (len(body) - 1) >= _LEAST_CHANGES - 0.5
    is_path = body.count(b"/") >= max(3, len(body) // 16) and not body.endswith(b"=")
    return is_mixed and not is_path and is_password(body)


def changes(body: bytes) -> float:
    """The share of neighbours of which one is a digit or a sign and one a letter, or a small letter and then a capital.

    It is 0.4 in random Base64, 0.5 in random hexadecimal digits, and under 0.2 in names of programs.
    """
    kinds = body.translate(_KINDS)
    return sum(kinds.count(pair) for pair in _CHANGES) / max(len(body) - 1, 1)


def _is_hash(body: bytes) -> bool:
    """Whether it is the hash of a password with its salt, and not one that a manual made up."""
    return is_random(body[body.rfind(b"$") + 1 :] if b"$" in body else body[body.find(b"}") + 1 :])


def _is_login(body: bytes) -> bool:
    """Whether it is the Base64 of ``user:password``."""
    plain = _decoded(body)
    name, colon, password = plain.partition(b":")
    if not (name and colon and plain.isascii() and plain.decode("ascii").isprintable()):
        return False
    return is_password(password)


def _is_salt(body: bytes) -> bool:
    """Whether it is random, in one string or in two with blanks between."""
    return is_random(b" ".join(body.split()))


def _is_jwt(body: bytes) -> bool:
    """Whether it is not one of the sample tokens of tutorials."""
    _, payload, signature = body.split(b".")
    return not _TUTORIAL_TOKEN.search(_decoded(payload, urlsafe=True)) and is_random(signature)


def _from_hex(body: bytes) -> bytes:
    """The bytes that hexadecimal digits stand for; empty if it is something else."""
    return bytes.fromhex(body.decode()) if len(body) % 2 == 0 and _HEX.fullmatch(body) else b""


def _decoded(body: bytes, *, urlsafe: bool = False) -> bytes:
    """The decoded Base64, without an incomplete last group; empty if it is not Base64."""
    body = body.rstrip(b"=")
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return base64.b64decode(body + b"=" * (-len(body) % 4), altchars=b"-_" if urlsafe else None, validate=True)
    except binascii.Error:
        return b""


CHECKS: Final[Mapping[str, Callable[[bytes], bool]]] = MappingProxyType(
    {
        "random": is_random,
        "mixed": _is_mixed,
        "password": is_password,
        "login": _is_login,
        "jwt": _is_jwt,
        "chosen": is_chosen,
        "hash": _is_hash,
        "salt": _is_salt,
    }
)
"""Checks of a secret's random part, by the name that rules use."""
