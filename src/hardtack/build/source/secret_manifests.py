r"""A text in, the values of Kubernetes Secrets in it out: of manifests in YAML and JSON, of lists, and of templates with literals.

A document is a Secret if it says ``kind: Secret``; its values are those of ``data`` and ``stringData``. The lines of a document may
stand in a comment, or in a string in which a line ends with ``\n``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hardtack.build.source.secret_blocks import decoded
from hardtack.build.source.secret_checks import is_chosen, is_password
from hardtack.build.source.secret_rules import Finding

KUBERNETES: Final = "kubernetes-secret"

_QUOTE: Final = rb"""(?:\\{0,3}["'`])"""
_KIND: Final = re.compile(
    rb"(?:(?<![A-Za-z])|(?<=\\[nrt]))(?i:kind)"
    + _QUOTE
    + rb"?[ \t]{0,8}:(?P<secret>[ \t]{0,8}"
    + _QUOTE
    + rb"?Secret(?![A-Za-z0-9]))?"
)
_REACH: Final = 16 << 10
"""Bytes before and after the kind of a document that are looked at."""
_BORDER: Final = re.compile(rb"(?:^|\n|\\n)[ \t#/*]{0,16}---")
_BREAK: Final = re.compile(rb"\r?\n|(?:\\{1,3}r)?\\{1,3}n")
_HEADER: Final = re.compile(rb"(?<![A-Za-z0-9_.-])(?:data|stringData)" + _QUOTE + rb"?[ \t]{0,4}:[ \t]{0,4}(?P<open>\{)?")
_MARKED: Final = re.compile(rb"""(?P<indent>[ \t]{0,99}(?:(?:#|//|\*)[ \t]{0,99})?["'`]?[ \t]{0,99})""")
_ENTRY: Final = re.compile(
    # Before a name there is no letter of a value, or a mark of a comment: so each value is gone through once.
    rb"""(?:(?<![^\s"'`\\{}<>,])|(?<=\s#)|(?<=\s//))[A-Za-z0-9_.-]{1,120}"""
    + _QUOTE
    + rb"?[ \t]{0,4}:[ \t]{0,8}(?:[|>][+-]?[ \t]{0,8}\r?\n[ \t#/*]{1,40})?(?:\{\{-?[ ]{0,2})?"
    + _QUOTE
    + rb"?"
    rb"""(?P<value>[^\s"'`\\{}<>,]{4,}+)(?=[\s"'`\\,}]|\Z)"""
)


_BASE64: Final = re.compile(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
"""What Kubernetes takes for Base64: the common alphabet, padded."""


def manifest_secrets_in(text: bytes, lowered: bytes) -> Iterator[Finding]:
    """The values of the Secrets of a text. ``lowered`` is the text in lower case."""
    if b"Secret" not in text:
        return
    kinds = list(_kinds_in(text, lowered))
    done = 0
    for number, kind in enumerate(kinds):
        if not kind["secret"]:
            continue
        begin, end = max(kind.start() - _REACH, done), min(kind.end() + _REACH, len(text))
        for border in _BORDER.finditer(text, begin, kind.start()):
            begin = border.end()
        if number + 1 < len(kinds):
            end = min(end, kinds[number + 1].start())
        if border_after := _BORDER.search(text, kind.end(), end):
            end = border_after.start()
        yield from _values_in(text, begin, end)
        done = kind.end()


def _kinds_in(text: bytes, lowered: bytes) -> Iterator[re.Match[bytes]]:
    """Where documents say their kinds, in order."""
    at = lowered.find(b"kind")
    while at != -1:
        if kind := _KIND.match(text, at):
            yield kind
        at = lowered.find(b"kind", at + 4)


def _values_in(text: bytes, begin: int, end: int) -> Iterator[Finding]:
    """The values of one Secret, of which no part is looked at twice: a header in a map begins no other one."""
    at = begin
    for header in _HEADER.finditer(text, begin, end):
        if header.start() < at:
            continue
        stop = text.find(b"}", header.end(), end) if header["open"] else _end_of_map(text, header, at, end)
        at = stop if stop != -1 else end
        yield from _values_of(text, header, at)


def _values_of(text: bytes, header: re.Match[bytes], end: int) -> Iterator[Finding]:
    is_text = b"string" in header[0]
    for entry in _ENTRY.finditer(text, header.end(), end):
        value = entry["value"]
        if value.startswith((b"|", b">", b"$", b"*", b"&", b"!", b"/", b".")) or b"://" in value:
            continue
        is_plain = is_text or b"{{" in entry[0]
        if is_chosen(value) if is_plain else _BASE64.fullmatch(value) and _is_secret(decoded(value)):
            last = entry.end("value")
            yield Finding(KUBERNETES, [(entry.start("value"), last)])


def _is_secret(plain: bytes) -> bool:
    """Whether the plain bytes are a password or a key; certificates, texts and names are none."""
    if not plain.isascii():
        return len(plain) >= 16
    return b"://" not in plain and is_password(plain.rstrip(b"\r\n"))


def _end_of_map(text: bytes, header: re.Match[bytes], begin: int, end: int) -> int:
    """Where the lines end that are indented more than the line of the header, which begins after ``begin``."""
    start = max(begin, text.rfind(b"\n", begin, header.start()) + 1)
    if (escaped := text.rfind(b"\\n", start, header.start())) != -1:
        start = escaped + 2
    width = _width(text, start)
    at = header.end()
    while at < end and (line := _BREAK.search(text, at, end)):
        following = line.end()
        nothing = _BREAK.match(text, following)
        if not nothing and following < end and _width(text, following) <= width:
            return line.start()
        at = following
    return end


def _width(text: bytes, at: int) -> int:
    mark = _MARKED.match(text, at)
    return len(mark["indent"]) if mark else 0
