r"""A file's text in, its strings joined and its escapes undone out, and where each of the bytes came from.

``"ab" + "cd"``, ``'ab' 'cd'``, a string that goes on after a backslash at the end of a line, ``a\/b`` in JSON and ``a%2Fb`` in a
URL are each one value to who reads them. Only what stands between two letters of such a value is taken out, and only what lies
around such places is given. Nothing here knows languages: a joint is what most of them write.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

_LETTER: Final = rb"[A-Za-z0-9_/+=:.@%~-]"
_AROUND: Final = 400
"""Bytes before and after a joint that are given with it: a value in pieces, and the words that tell what it is."""
_LONGEST: Final = 32 << 10
"""Bytes of the longest string that is given whole."""
_STRING: Final = re.compile(_LETTER + rb"+")
_OPERATOR: Final = rb"(?:\+\+?|\.\.?|[&~^*]|<>|\|\||\\(?=\r?\n))?"
_BLANK: Final = rb"[ \t\r\n]{0,99}"
_CODES: Final = rb"(?:2[BbFfDdEe]|3[AaDd]|40|5[Ff]|7[Ee])"
"""Of the letters of a value that are escaped: ``+ / - . : = @ _ ~``."""


def _edits(left: bytes, right: bytes) -> re.Pattern[bytes]:
    """Finds joints and escapes between such letters."""
    joint = rb"[\"'`](?<=%b.)" % left + _BLANK + _OPERATOR + _BLANK + rb"[bBrRuUfFlL@$]{0,2}[\"'`](?=%b)" % right
    escape = rb"\\(?<=%b.)(?:\r?\n[ \t]{0,99}(?=%b)|/(?=%b)|u00" % (left, right, right) + _CODES + rb")"
    return re.compile(joint + rb"|" + escape + rb"|%(?<=" + left + rb".)" + _CODES)


_EDITS: Final = _edits(_LETTER, _LETTER)
# The first line of a key has spaces, at which it may be cut as well; elsewhere that would join all the prose there is.
_EDITS_OF_KEYS: Final = _edits(rb"[A-Za-z0-9_/+=:.@%~ -]", rb"[A-Za-z0-9_/+=:.@%~ \\-]")


@dataclass(frozen=True, slots=True)
class Joined:
    """A text with its strings joined."""

    text: bytes
    _starts: list[int]
    """Where each stretch begins in ``text``."""
    _origins: list[tuple[int, int]]
    """What stretch of the original it is; one of another length stands for a single byte."""

    def origins_of(self, start: int, end: int) -> list[tuple[int, int]]:
        """The stretches of the original that a stretch of ``text`` is made of, in order."""
        found: list[tuple[int, int]] = []
        at = bisect_right(self._starts, start) - 1
        while at < len(self._starts) and self._starts[at] < end:
            first, last = self._origins[at]
            begin = self._starts[at]
            length = (self._starts[at + 1] if at + 1 < len(self._starts) else len(self.text)) - begin
            if last - first == length:
                last = first + min(end - begin, length)
                first += max(start - begin, 0)
            if found and found[-1][1] == first:
                found[-1] = (found[-1][0], last)
            elif first < last:
                found.append((first, last))
            at += 1
        return found


def joined(text: bytes) -> Joined | None:
    """What lies around joints and escapes in ``text``, without them; None where there are none."""
    has_key = b"-----" in text and b"BEGIN" in text
    pattern, around = (_EDITS_OF_KEYS, len(text)) if has_key else (_EDITS, _AROUND)
    pieces: list[tuple[bytes, tuple[int, int]]] = []
    at = 0
    for edit in pattern.finditer(text):
        first, last = edit.span()
        # Joints may stand close together by the hundred thousand, so what is around them is looked for in gaps alone.
        if first - at > around and (begin := _begin(text, first, around)) > (end := _end(text, at, around)):
            if pieces:
                pieces.append((text[at:end], (at, end)))
                pieces.append((b"\n", (end, end)))
            at = begin
        pieces.append((text[at:first], (at, first)))
        pieces.append((_letter_of(edit[0]), (first, last)))
        at = last
    if not pieces:
        return None
    end = _end(text, at, around)
    pieces.append((text[at:end], (at, end)))
    pieces = [piece for piece in pieces if piece[0]]
    starts = [0, *accumulate(len(letters) for letters, _ in pieces)]
    return Joined(b"".join(letters for letters, _ in pieces), starts[:-1], [origin for _, origin in pieces])


def _begin(text: bytes, joint: int, around: int) -> int:
    """Where what is given before a joint begins: so many bytes before it, or where a longer string does."""
    begin = max(joint - around, 0)
    if begin and _STRING.fullmatch(text, begin, joint):
        begin = max(text.rfind(quote, max(joint - _LONGEST, 0), begin) for quote in (b'"', b"'", b"`")) + 1
    return begin


def _end(text: bytes, joint: int, around: int) -> int:
    """Where what is given after a joint ends: so many bytes after it, or where a longer string does."""
    end = min(joint + around, len(text))
    string = _STRING.match(text, joint, min(joint + _LONGEST, len(text)))
    return max(end, string.end()) if string else end


def _letter_of(edit: bytes) -> bytes:
    """What an escape stands for; nothing for a joint."""
    if edit[:1] == b"%":
        return bytes.fromhex(edit[1:].decode("ascii"))
    if edit[:2] == b"\\u":
        return bytes.fromhex(edit[4:].decode("ascii"))
    return b"/" if edit == b"\\/" else b""
