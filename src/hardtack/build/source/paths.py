"""Path bytes as a file system or git gave them in, the path we store out, or None where it must not be one.

A stored path is a label that is printed, compared and put into summaries, so it holds nothing that a terminal, a shell or a
Markdown renderer acts upon. Paths that differ only in case or in Unicode normalisation are different labels, and both
are kept as found.
"""

from __future__ import annotations

import re

from hardtack.bundle.format.layout import OWN_PREFIX

MAX_PATH_BYTES = 4096
"""Linux's PATH_MAX: a longer path cannot be opened, and in a commit it is an attack."""

_PRINTED_CHARACTERS = 200
"""How much of a refused path is worth showing."""

# Controls, a backslash (a separator elsewhere), lone surrogates, and characters that turn or break the line they are printed in
# (CVE-2021-42574) or hide text in it. Joiners stay: emoji and several scripts are written with them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\\\\\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)

_OWN_PREFIX = OWN_PREFIX.encode()
_NEVER_ENTERED = frozenset({b".git", b".hg", b".svn", b".hardtack"})


def label_of(raw: bytes) -> str | None:
    """``raw`` as a stored path: relative, ``/`` between names, canonical UTF-8, nothing unprintable. None when it cannot be one."""
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
    """Any path bytes as a short line of text that is safe to print; what cannot be shown is escaped."""
    text = raw.decode("utf-8", "surrogateescape")
    shown = _UNSAFE.sub(_escape, text[:_PRINTED_CHARACTERS])
    return shown if len(text) <= _PRINTED_CHARACTERS else shown + "…"


def is_housekeeping(path: bytes) -> bool:
    """Whether ``path`` lies in a version control system's own files, or in ours: such files are no part of any source tree."""
    parts = path.split(b"/")
    return not _NEVER_ENTERED.isdisjoint(parts) or any(part.startswith(_OWN_PREFIX) for part in parts)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was no UTF-8, as surrogateescape carries it
        return f"\\x{code - 0xDC00:02x}"
    if match[0] == "\\":
        return "\\\\"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
