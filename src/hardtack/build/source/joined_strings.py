r"""A file's text in, the text with strings joined and escapes decoded out, and the origin of each byte.

``"ab" + "cd"``, ``'ab' 'cd'``, a string with a backslash at the end of a line, ``a\/b`` in JSON and ``a%2Fb`` in a URL are each one
value to a program that reads them. A joint is the text between two letters of such a value. The result has no joints, and holds
only the text around them. The lines of a patch are read without their signs. Nothing here knows languages: joints are written
alike in most of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

_LETTER: Final = rb"[A-Za-z0-9_/+=:.@%~$-]"
_AROUND: Final = 400
"""Bytes before and after a joint that are included: enough for a value in pieces and the words that name it."""
_LONGEST: Final = 32 << 10
"""Bytes of the longest string that is included whole."""
_STRING: Final = re.compile(_LETTER + rb"+")
_OPERATOR: Final = rb"(?:\+\+?|\.\.?|[&~^*]|<>|\|\||\\(?=\r?\n))?"
_BLANK: Final = rb"[ \t\r\n]{0,99}"
_CODES: Final = rb"(?:2[BbFfDdEe]|3[AaDd]|40|5[Ff]|7[Ee])"
"""Hexadecimal codes of the letters of a value that may be escaped: ``+ / - . : = @ _ ~``."""


def _edits(left: bytes, right: bytes) -> tuple[re.Pattern[bytes], ...]:
    """Patterns of joints and escapes between two bytes of these classes.

    Each begins with one literal byte, and its lookbehind comes after that: so the regular expression engine searches for the byte,
    which takes a third of the time of one pattern for all.
    """
    joint = b"(?<=%b.)" % left + _BLANK + _OPERATOR + _BLANK + rb"[bBrRuUfFlL@$]{0,2}[\"'`](?=%b)" % right
    escape = rb"\\(?<=%b.)(?:\r?\n[ \t]{0,99}(?=%b)|/(?=%b)|u00" % (left, right, right) + _CODES + rb")"
    patterns = (*(quote + joint for quote in (b'"', b"'", b"`")), escape, rb"%(?<=" + left + rb".)" + _CODES)
    return tuple(re.compile(pattern) for pattern in patterns)


def _found(patterns: tuple[re.Pattern[bytes], ...], text: bytes) -> list[re.Match[bytes]]:
    """The matches of all patterns in their order; none overlaps another."""
    found = sorted((match for pattern in patterns for match in pattern.finditer(text)), key=lambda match: match.start())
    last = 0
    return [match for match in found if match.start() >= last and (last := match.end())]


_EDITS: Final = _edits(_LETTER, _LETTER)
# The first line of a private key has spaces, and a string may be cut there; in other text that would join all prose.
_EDITS_OF_KEYS: Final = _edits(rb"[A-Za-z0-9_/+=:.@%~ -]", rb"[A-Za-z0-9_/+=:.@%~ \\-]")


# Two escaped line breaks in one line, or lines of strings that end with one each; the first byte is literal, so it is searched for.
_LINES_OF_STRINGS: Final = re.compile(
    rb"\\n(?:[^\n\\]*+(?>(?:\\(?!n)[^\n\\]*+)*)\\n[^\n]*+|[\"'],?[ \t]{0,9}\r?\n[ \t]{0,99}[\"'][^\n]*+)"
    rb"(?>(?:\r?\n[ \t]{0,99}[\"'][^\n]*+)*)"
)
_ESCAPE: Final = re.compile(
    rb"\\{1,3}(?P<kind>n[\"'`],?[ \t]{0,9}[+.]?[ \t]{0,9}\r?\n[ \t]{0,99}[\"'`]|[nrt\"'`/]|u[0-9A-Fa-f]{4})"
)

_IS_PATCH: Final = re.compile(rb"(?:\n|\A)@@ -[0-9]")
_LINE_OF_PATCH: Final = re.compile(rb"([+ -]?+)[^\n]*+(?:\n|(?<=[^\n])\Z)")


@dataclass(frozen=True, slots=True)
class Joined:
    """A text with its strings joined."""

    text: bytes
    _starts: list[int]
    """The start of each piece in ``text``."""
    _origins: list[tuple[int, int]]
    """(start, end) of each piece in the original; if its length differs, the piece is one decoded byte."""

    def origins_of(self, start: int, end: int) -> list[tuple[int, int]]:
        """(start, end) of the parts of the original that make up a part of ``text``, in order."""
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
    """The text around joints and escapes, without them; None if there are none."""
    has_key = b"-----" in text and b"BEGIN" in text
    patterns, around = (_EDITS_OF_KEYS, len(text)) if has_key else (_EDITS, _AROUND)
    pieces: list[tuple[bytes, tuple[int, int]]] = []
    at = 0
    for edit in _found(patterns, text):
        first, last = edit.span()
        # There may be hundreds of thousands of joints close together, so their surroundings are computed only at wide gaps.
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


def unescaped(text: bytes) -> Joined | None:
    r"""The lines with strings of several lines (``"a\\nb\\n"``), without their escapes; None if there are none.

    So a file that stands in a string, or in a cell of a notebook, is read like any other.
    """
    pieces: list[tuple[bytes, tuple[int, int]]] = []
    done = 0
    for line in _LINES_OF_STRINGS.finditer(text):
        at = first = text.rfind(b"\n", done, line.start()) + 1 or done
        last = line.end()
        if first != done:
            pieces.append((b"\n", (first, first)))
        for escape in _ESCAPE.finditer(text, first, last):
            pieces.append((text[at : escape.start()], (at, escape.start())))
            pieces.append((_unescaped(escape), escape.span()))
            at = escape.end()
        pieces.append((text[at:last], (at, last)))
        done = last
    pieces = [piece for piece in pieces if piece[0]]
    if not pieces:
        return None
    starts = [0, *accumulate(len(letters) for letters, _ in pieces)]
    return Joined(b"".join(letters for letters, _ in pieces), starts[:-1], [origin for _, origin in pieces])


def without_marks(text: bytes) -> Joined | None:
    """The lines of a patch without the sign before each, which is itself a letter of Base64; None if there is no patch."""
    if not _IS_PATCH.search(text):
        return None
    lines = [(match.end(1), match.end()) for match in _LINE_OF_PATCH.finditer(text)]
    starts = [0, *accumulate(end - start for start, end in lines)]
    return Joined(b"".join([text[start:end] for start, end in lines]), starts[:-1], lines)


def _unescaped(escape: re.Match[bytes]) -> bytes:
    """The byte that an escape stands for; a space for one of no interest here."""
    kind = escape["kind"]
    if kind[:1] == b"u":
        code = int(kind[1:], 16)
        return bytes((code,)) if code < 128 else b" "
    return {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(kind[:1], kind[:1])


def _begin(text: bytes, joint: int, around: int) -> int:
    """Start of the text that is included before a joint: ``around`` bytes before it, or the start of a longer string."""
    begin = max(joint - around, 0)
    if begin and _STRING.fullmatch(text, begin, joint):
        begin = max(text.rfind(quote, max(joint - _LONGEST, 0), begin) for quote in (b'"', b"'", b"`")) + 1
    return begin


def _end(text: bytes, joint: int, around: int) -> int:
    """End of the text that is included after a joint: ``around`` bytes after it, and the rest of the string there."""
    end = min(joint + around, len(text))
    string = _STRING.match(text, joint, min(joint + _LONGEST, len(text)))
    if string and string.end() > end:
        return string.end()
    cut = _STRING.match(text, end, min(end + _LONGEST, len(text)))  # a value whose end is missing is another one
    return cut.end() if cut else end


def _letter_of(edit: bytes) -> bytes:
    """The decoded byte of an escape; empty for a joint."""
    if edit[:1] == b"%":
        return bytes.fromhex(edit[1:].decode("ascii"))
    if edit[:2] == b"\\u":
        return bytes.fromhex(edit[4:].decode("ascii"))
    return b"/" if edit == b"\\/" else b""
