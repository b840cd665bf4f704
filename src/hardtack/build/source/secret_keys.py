"""A text in, its private keys out: in the frames of PEM, PGP and PuTTY, as JSON Web Keys, and as XML.

Between the first line and the last of a key everything that is Base64 is taken, however it is wrapped, quoted or joined. That there
is a key at all is told by the letters: they change their kind as often as only random ones do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hardtack.build.source.secret_checks import changes, is_documented, is_random
from hardtack.build.source.secret_rules import PRIVATE_KEY, Finding

_SPACE: Final = rb"(?:[ +_]|%20|\\u0020|&#32;)"
_KEY_BEGINS: Final = re.compile(
    rb"-----BEGIN" + _SPACE + rb"(?:(?:[A-Z0-9]{2,12}" + _SPACE + rb"){0,3}PRIVATE" + _SPACE + rb"KEY(?:" + _SPACE + rb"BLOCK)?"
    rb"|OpenVPN" + _SPACE + rb"Static" + _SPACE + rb"key" + _SPACE + rb"V1)-----"
    rb"|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----"
)
_KEY_ENDS: Final = re.compile(rb"-----END|---- END")
_ANY_BEGIN: Final = b"-----BEGIN"
_PUTTY_BEGINS: Final = re.compile(rb"Private-Lines(?::|%3[Aa])(?:[ \t+]|%20){0,4}(?P<lines>[0-9]{1,4})")
_PUTTY_ENDS: Final = re.compile(rb"Private-(?:(?P<closing>MAC|Hash)|Lines)")
_MIN_PUTTY_KEY: Final = 32
"""Letters of Base64 in the shortest private key of PuTTY, DSA: 20 bytes and their length."""
_MAX_KEY: Final = 64 << 10
"""Maximum bytes from the first line of a private key to the last."""
_MIN_KEY: Final = 60
"""Letters of Base64 in the shortest private key."""
_CUT: Final = re.compile(rb"\.\.\.|\xe2\x80\xa6")
_MIN_CUT_KEY: Final = 260
"""Letters of Base64 in a key of which a manual left something out, and that is a secret all the same."""
_MIN_CHANGES: Final = 0.2
_KEY_LINE: Final = re.compile(rb"\r?\n|(?:\\{1,3}r)?\\{1,3}n|\\u000[aAdD]|%0[AaDd]|<br ?/?>|&#1[03];")
_KEY_RUN: Final = re.compile(rb"(?:[A-Za-z0-9+/=_-]|%2[BbFf]|%3[Dd]|\\/|\\u00(?:2[BbFf]|3[Dd])){1,}")
_COMMENT: Final = re.compile(rb"[ \t]*+(?:/{2,3}|\*|#|--)[ \t]")
_LONG_RUN: Final = 16

_JWK_REACH: Final = 6000
"""Bytes before and after ``kty`` in which the members of a JSON Web Key of 16,384 bits lie."""
_JWK_MEMBER: Final = re.compile(
    rb"""(?<![A-Za-z0-9_.-])(?P<name>d|p|q|dp|dq|qi|k)(?:\\{0,3}["'`])?\s{0,4}(?:=>|[:=])\s{0,40}(?:[uUbB]?\\{0,3}["'`])?"""
    rb"""(?P<value>[A-Za-z0-9_-]{16,}+)(?![(.])"""
)
_SYMMETRIC: Final = re.compile(rb"""[:= "'`]oct["'`\\,\s]""")
_XML_MEMBER: Final = re.compile(rb"<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,40}(?P<value>[A-Za-z0-9+/]{16,}+={0,2})")


def private_keys_in(text: bytes, lowered: bytes) -> Iterator[Finding]:
    """The private keys of a text. ``lowered`` is the text in lower case."""
    if b"BEGIN" in text:
        yield from _framed_keys_in(text)
    if b"Private-Lines" in text:
        yield from _putty_keys_in(text)
    if b"kty" in text:
        yield from _web_keys_in(text)
    if b"rsakeyvalue" in lowered:
        yield from (Finding(PRIVATE_KEY, [member.span("value")]) for member in _XML_MEMBER.finditer(text))


def is_key_file(text: bytes) -> bool:
    """Whether a text consists of private keys, with or without certificates."""
    if text.lstrip().startswith(b"PuTTY-User-Key-File-"):
        return True
    if not text.lstrip().startswith(b"-----BEGIN "):
        return False
    at, has_key = 0, False
    while (begin := text.find(b"-----BEGIN ", at)) != -1 and not text[at:begin].strip():
        has_key = has_key or _KEY_BEGINS.match(text, begin) is not None
        end = text.find(b"-----END", begin)
        closed = text.find(b"-----", end + len(b"-----END")) if end != -1 else -1
        if closed == -1:
            return has_key
        at = closed + 5
    return has_key and not text[at:].strip()


def _framed_keys_in(text: bytes) -> Iterator[Finding]:
    for begin in _KEY_BEGINS.finditer(text):
        start, most = begin.end(), min(begin.end() + _MAX_KEY, len(text))
        another = text.find(_ANY_BEGIN, start, most)
        last = _KEY_ENDS.search(text, start, another if another != -1 else most)
        end = last.start() if last else another
        runs = _key_runs(text, start, end if end != -1 else most, is_closed=end != -1)
        letters = b"".join(text[first:last] for first, last in runs)
        is_cut = len(letters) < _MIN_CUT_KEY and _CUT.search(text, start, end if end != -1 else most)
        if len(letters) >= _MIN_KEY and not is_cut and is_random(letters) and changes(letters) >= _MIN_CHANGES:
            yield Finding(PRIVATE_KEY, runs)


def _putty_keys_in(text: bytes) -> Iterator[Finding]:
    """The private parts of PuTTY's keys: from the line that counts their lines to the digest at the end."""
    for begin in _PUTTY_BEGINS.finditer(text):
        start, most = begin.end(), min(begin.end() + _MAX_KEY, len(text))
        end = _PUTTY_ENDS.search(text, start, most)
        is_closed = end is not None and end["closing"] is not None
        runs = _key_runs(text, start, end.start() if end else most, is_closed=is_closed)
        if not is_closed:  # the end is unknown: trust the number of lines
            runs = runs[: int(begin["lines"])]
        letters = b"".join(text[first:last] for first, last in runs)
        if len(letters) >= _MIN_PUTTY_KEY and is_random(letters):
            yield Finding(PRIVATE_KEY, runs)


def _key_runs(text: bytes, start: int, end: int, *, is_closed: bool) -> list[tuple[int, int]]:
    """(start, end) of the runs of Base64 of a key: in a key without an end, up to a line of something else."""
    runs: list[tuple[int, int]] = []
    at = start
    while at < end:
        line = _KEY_LINE.search(text, at, end)
        stop, following = (line.start(), line.end()) if line else (end, end)
        mark = _COMMENT.match(text, at, stop)
        found = [match.span() for match in _KEY_RUN.finditer(text, mark.end() if mark else at, stop)]
        if b"+" in text[at:stop]:  # one alone joins strings
            found = [run for run in found if text[run[0] : run[1]].strip(b"+/-_=")]
        taken = _runs_of_line(text, found)
        if not taken and found:
            if is_closed and len(found) == 1:
                taken = found
            elif not is_closed and runs and at - runs[-1][1] < _LONG_RUN and text.count(b"\n", runs[-1][1], at) < 2:
                taken = [max(found, key=lambda run: run[1] - run[0])]
        if not taken and runs and not is_closed and text[at:stop].strip():
            break
        runs += taken
        at = following
    return runs


def _runs_of_line(text: bytes, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The runs of a line that are surely Base64: long ones, and short ones with nothing but spaces between."""
    if sum(last - first for first, last in found) < _LONG_RUN:
        return []
    groups: list[list[tuple[int, int]]] = []
    for run in found:
        if groups and not text[groups[-1][-1][1] : run[0]].strip(b" \t+"):
            groups[-1].append(run)
        else:
            groups.append([run])
    taken: list[tuple[int, int]] = []
    for group in groups:
        letters = b"".join(text[first:last] for first, last in group)
        is_long = any(last - first >= _LONG_RUN for first, last in group)
        if is_long or (len(letters) >= _MIN_KEY and changes(letters) >= _MIN_CHANGES):
            taken += group
    return taken


def _web_keys_in(text: bytes) -> Iterator[Finding]:
    """The private members of JSON Web Keys."""
    at, end = text.find(b"kty"), 0
    while at != -1:
        begin = max(at - _JWK_REACH, end)
        end = min(at + _JWK_REACH, len(text))
        while (following := text.find(b"kty", at + 3, end)) != -1:
            at, end = following, min(following + _JWK_REACH, len(text))
        for member in _JWK_MEMBER.finditer(text, begin, end):
            if member["name"] == b"k" and not _SYMMETRIC.search(text, max(member.start() - 400, 0), member.end() + 400):
                continue
            if changes(member["value"]) >= _MIN_CHANGES and is_random(member["value"]) and not is_documented(member["value"]):
                yield Finding(PRIVATE_KEY, [member.span("value")])
        at = text.find(b"kty", end)
