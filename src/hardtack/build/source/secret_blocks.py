r"""A text in, the Base64 in it that holds a secret out, on one line or over many.

Base64 is decoded, and what it says is looked at: a private key is recognised by its structure, a text is searched like any other.
Lines that are nothing but Base64, apart from indentation, quotes and comment marks, belong together, at whatever width they were
wrapped; in a string a line ends with ``\n``.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hardtack.build.source.secret_checks import changes
from hardtack.build.source.secret_rules import ENCODED_KEY, PRIVATE_KEY, Finding

_MIN_LETTERS: Final = 20
"""Letters of Base64 in the shortest secret: 15 bytes."""
_MIN_CHANGES: Final = 0.1
"""In words, one a line, there are fewer; see :func:`secret_checks.changes`."""
_HEAD: Final = 24
"""Letters that are decoded first."""
_LENGTH: Final = rb"(?:[\x00-\x7f]|\x81.|\x82..|\x83...)"
_OID: Final = rb"\x2a\x86\x48\x86\xf7\x0d\x01"
_DER_KEY: Final = re.compile(
    rb"\x30" + _LENGTH + rb"(?:"
    rb"\x02\x01\x00\x02"
    + _LENGTH  # PKCS #1, and DSA
    + rb"|\x02\x01[\x00\x01]\x30"
    + _LENGTH
    + rb"\x06"  # PKCS #8
    rb"|\x02\x01\x01\x04[\x14-\x50]"  # SEC 1
    rb"|\x30" + _LENGTH + rb"\x06(?:\x09" + _OID + rb"\x05|\x0a" + _OID + rb"\x0c)"  # PKCS #8, encrypted
    rb"|\x02\x01\x03\x30" + _LENGTH + rb"\x06\x09" + _OID + rb"\x07)",  # PKCS #12
    re.DOTALL,
)
_OTHER_KEYS: Final = (b"openssh-key-v1\0", b"\xfe\xed\xfe\xed\0\0\0\2", b"EdScB2", b"EdBK\0\0")
"""How the keys of OpenSSH, the stores of Java, and the secret keys of minisign and signify begin."""
_TEXT: Final = bytes(range(0x20, 0x7F)) + b"\t\r\n"

_BEFORE: Final = (b"n", b"r", b"t", b"/")
"""What may stand before Base64 and looks like a part of it: the end of an escape, the slash of a comment or a path."""
_FIRST_LETTERS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef/")
"""The first letters of Base64 of ASCII, and of the stores of Java."""
_URLSAFE: Final = bytes.maketrans(b"-_", b"+/")
_MARK: Final = rb"""[ \t]{0,60}+(?:[#*>;%!|-]{1,3}[ \t]{0,8}|//{1,2}[ \t]{0,8})?(?:[bBuUrR]?\\{0,3}["'`])?"""
_RUN: Final = rb"[A-Za-z0-9+/_-]{4,}+={0,2}"
_AFTER: Final = rb"""(?:\\{1,3}n)?(?:\\{0,3}["'`])?[ \t]{0,8}[,+.&\\;)]{0,3}[ \t]{0,8}"""
_BREAK: Final = rb"(?:\r?\n|(?:\\{1,3}r)?\\{1,3}n)"
# The literal first byte is what the regular expression engine looks for: most lines are no Base64, most backslashes no line break.
_SIGNS: Final = rb"[^A-Za-z0-9+/\r\n]"
_ONLY_RUN: Final = (
    _SIGNS + rb"{0,66}+(?://{1,2}[ \t]{1,8})?[A-Za-z0-9+/_-]{%d,}+" + _SIGNS + rb"{0,20}+(?:n" + _SIGNS + rb"{0,20}+)?\r?"
)
_TWO_LINES: Final = re.compile(rb"\n" + _ONLY_RUN % 4 + rb"\n" + _ONLY_RUN % 1 + rb"(?:\n|\Z)")
_FIRST: Final = re.compile(
    rb"(?:\n|\A)"
    + _MARK
    + rb"(?P<run>"
    + _RUN
    + rb")"
    + _AFTER
    + rb"(?=\r?\n"
    + _MARK
    + rb"[A-Za-z0-9+/_-]+={0,2}"
    + _AFTER
    + rb"(?:[\r\n]|\Z))"
)
_NEXT: Final = re.compile(_AFTER + _BREAK + _MARK + rb"(?P<run>[A-Za-z0-9+/_-]{1,}+={0,2})(?=" + _AFTER + rb"(?:[\r\n]|\Z|\\))")
_FIRST_ESCAPED: Final = re.compile(rb"\\(?<=[A-Za-z0-9+/_-]{4}\\)\\{0,2}(?:r\\{1,3})?n(?=[A-Za-z0-9+/_-]{2})")
_NEXT_ESCAPED: Final = re.compile(rb"\\{1,3}(?:r\\{1,3})?n(?P<run>[A-Za-z0-9+/_-]{1,}+={0,2})")
_END_OF_RUN: Final = re.compile(rb"[A-Za-z0-9+/_-]{4,4096}+\Z")
_LAST_OF_LINE: Final = re.compile(rb"(?<![A-Za-z0-9+/_-])(?P<run>[A-Za-z0-9+/_-]{4,200}+)" + _AFTER + _BREAK + _MARK + rb"\Z")


def decoded(letters: bytes) -> bytes:
    """The decoded Base64 of either alphabet, without an incomplete last group; empty if it is not Base64."""
    letters = letters.rstrip(b"=").translate(_URLSAFE)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    try:
        return a2b_base64(letters + b"=" * (-len(letters) % 4))
    except Error:
        return b""


def holds_key(data: bytes) -> bool:
    """Whether these bytes are a private key, by their structure."""
    return data.startswith(_OTHER_KEYS) or (len(data) >= 40 and _DER_KEY.match(data) is not None)


def encoded_in(text: bytes, runs: Sequence[bytes], rule_in: Callable[[bytes], str]) -> Iterator[Finding]:
    """The Base64 of a text that holds a secret.

    Args:
        text: the text.
        runs: its long runs of letters, in their order.
        rule_in: the rule of the first secret of a decoded text; empty if there is none.
    """
    at = 0
    for run in runs:
        if len(run) >= _HEAD and (letters := _worth_decoding(run)) and (rule := _rule_of(letters, rule_in)):
            begin = text.find(letters, at)
            at = begin + len(letters)
            while text[at : at + 1] == b"=":
                at += 1
            yield Finding(rule, [(begin, at)])
    for places in _blocks_in(text):
        letters = b"".join([text[first:last] for first, last in places])
        if len(letters) >= _MIN_LETTERS and (rule := _rule_of(letters, rule_in) or rule_in(letters.rstrip(b"="))):
            yield Finding(rule, places)


def _worth_decoding(run: bytes) -> bytes:
    """The Base64 in a run of letters, if its beginning is that of a text or of a key; nearly none is."""
    for skipped in (0, 1) if run[:1] in _BEFORE else (0,):
        first = run[skipped]
        if first in _FIRST_LETTERS:
            try:
                head = a2b_base64(run[skipped : skipped + _HEAD - 4])
            except Error:
                continue
            if head.isascii() or head.startswith((b"0", *_OTHER_KEYS)):
                return run[skipped:]
    return b""


def _rule_of(letters: bytes, rule_in: Callable[[bytes], str]) -> str:
    """The rule of a secret in Base64; empty if there is none."""
    data = decoded(letters)
    if holds_key(data):
        return PRIVATE_KEY
    if not data or not data.isascii() or data.translate(None, _TEXT):
        return ""
    rule = rule_in(data)
    return ENCODED_KEY if rule == PRIVATE_KEY else rule


def _blocks_in(text: bytes) -> Iterator[list[tuple[int, int]]]:
    """The runs of lines that are nothing but Base64, of every group of such lines with one width."""
    at = 0
    while first := _first_line(text, at):
        places = [first.span("run")]
        at = first.end("run")
        while following := _NEXT.match(text, at):
            places.append(following.span("run"))
            at = following.end("run")
        yield from _of_one_width(text, places)
    if b"\\n" not in text:
        return
    at = 0
    while first := _FIRST_ESCAPED.search(text, at):
        last = _END_OF_RUN.search(text, max(at, first.start() - 4096), first.start())
        at = first.start()
        places = [last.span()] if last else []
        while following := _NEXT_ESCAPED.match(text, at):
            places.append(following.span("run"))
            at = following.end("run")
        at = max(at, first.end())
        if len(places) > 1:
            yield places


def _first_line(text: bytes, at: int) -> re.Match[bytes] | None:
    """The next line that is nothing but Base64 and is followed by another one."""
    first = _FIRST.match(text) if at == 0 else None
    while not first and (candidate := _TWO_LINES.search(text, at)):
        first = _FIRST.match(text, candidate.start())
        at = candidate.start() + 1
    return first


def _of_one_width(text: bytes, places: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """The groups of lines that one program may have wrapped: all have one width, but for a shorter last one."""
    group: list[tuple[int, int]] = []
    for place in places:
        width = place[1] - place[0]
        if group and (width > group[0][1] - group[0][0] or group[-1][1] - group[-1][0] < group[0][1] - group[0][0]):
            yield from _with_what_stands_before(text, group)
            group = []
        group.append(place)
    yield from _with_what_stands_before(text, group)


def _with_what_stands_before(text: bytes, group: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """A group, and the same with the run at the end of the line before it: ``key: "abc`` begins a value, too."""
    if changes(text[group[0][0] : group[-1][1]]) < _MIN_CHANGES:
        return  # words, one a line
    if len(group) > 1:
        yield group
    if before := _LAST_OF_LINE.search(text, max(group[0][0] - 300, 0), group[0][0]):
        yield [before.span("run"), *group]
