"""Path bytes from a file system or git in, the stored path out, or None if it must not be stored.

A stored path is a label that is printed, compared and put into summaries, so it holds nothing that a terminal, a shell or a
Markdown renderer would interpret. Paths that differ only in case or in Unicode normalisation are different labels; both are stored
as found.
"""

from __future__ import annotations

import re

from hardtack.bundle.format.layout import OWN_PREFIX

MAX_PATH_BYTES = 4096
"""Linux's PATH_MAX: a longer path cannot be opened, and in a commit it is an attack."""

_PRINTED_CHARACTERS = 200
"""Characters of a refused path that are shown."""

# Controls, a backslash (a separator on Windows), lone surrogates, and characters that reverse or break a printed line
# (CVE-2021-42574) or hide text in it. Joiners are allowed: emoji and several scripts need them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\\\\\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)

_OWN_PREFIX = OWN_PREFIX.encode()
_NEVER_ENTERED = frozenset({b".git", b".hg", b".svn", b".hardtack"})


def label_of(raw: bytes) -> str | None:
    """``raw`` as a stored path: relative, ``/`` between names, canonical UTF-8, nothing unprintable. None if that is impossible."""
    if len(raw) > MAX_PATH_BYTES:
        return None
    try:
        label = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if _UNSAFE.search(label) or any(part in {"", ".", ".."} for part in label.split("/")):
        return None
    return label


def printable(raw: bytes) -> str:
    """Any path bytes as a short line of text that is safe to print, with escapes."""
    text = raw.decode("utf-8", "surrogateescape")
    shown = _UNSAFE.sub(_escape, text[:_PRINTED_CHARACTERS])
    return shown if len(text) <= _PRINTED_CHARACTERS else shown + "…"


def is_housekeeping(path: bytes) -> bool:
    """Whether ``path`` belongs to a version control system or to Hardtack itself: such files are no part of a source tree."""
    parts = path.split(b"/")
    return not _NEVER_ENTERED.isdisjoint(parts) or any(part.startswith(_OWN_PREFIX) for part in parts)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # surrogateescape's code for a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if match[0] == "\\":
        return "\\\\"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
