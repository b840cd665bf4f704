"""A file's text or path in, the secrets in it out, and the text without them.

A text is searched in two steps, since nearly all text holds no secret: first a few passes at the speed of ``bytes.find`` look for
possible parts of a secret (a long run of letters, a typical word); then only the rules whose beginning was found are tried. The
same is done again with strings joined, to find a value in pieces. A finding is a rule and positions: nothing here stores, prints or
compares a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from hardtack.build.source.joined_strings import joined
from hardtack.build.source.secret_checks import CHECKS, is_documented, is_random
from hardtack.build.source.secret_rules import (
    BARE_FORMS,
    ENV_SUFFIXES_KEPT,
    FORMS,
    NAMED,
    NEAR,
    RUN_FORMS,
    TOKENS,
    WHOLE_FILES,
    SecretRule,
)

PRIVATE_KEY: Final = "private-key"

_LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-+/"
_ONLY_LETTERS: Final = bytes(byte if byte in _LETTERS else 0x20 for byte in range(256))
_MIN_RUN: Final = 20
"""Minimum bytes of a run of letters that may be a token."""
_DIGIT: Final = re.compile(rb"[0-9]")
_NAMED_VALUE: Final = re.compile(rb"(?=[A-Za-z_-]{0,39}[0-9])[A-Za-z0-9_-]{32}")
"""Matches a part of every value that is recognised by its name."""
_LONG_IN_PATH: Final = re.compile(r"[A-Za-z0-9_.-]{20}")

_REST: Final = re.compile(rb"[A-Za-z0-9_-]*+")
_REST_OF_BASE64: Final = re.compile(rb"[A-Za-z0-9_+/-]*+={0,3}")

# Before a token there is no letter, or the end of an escape.
_BOUNDARY: Final = rb"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4}))"
_BOUNDARY_OF_RUN: Final = rb"[ _.+/-](?=(?:[nrt]|[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})??"

_KEY_BEGINS: Final = re.compile(
    rb"-----BEGIN(?:[ +_]|%20)(?:[A-Z0-9]{2,12}(?:[ +_]|%20)){0,3}PRIVATE(?:[ +_]|%20)KEY(?:(?:[ +_]|%20)BLOCK)?-----"
)
_KEY_ENDS: Final = b"-----END"
_PUTTY_BEGINS: Final = re.compile(rb"Private-Lines(?::|%3[Aa])(?:[ \t+]|%20){0,4}(?P<lines>[0-9]{1,4})")
_PUTTY_ENDS: Final = re.compile(rb"Private-(?:(?P<closing>MAC|Hash)|Lines)")
_MIN_PUTTY_KEY: Final = 32
"""Letters of Base64 in the shortest private key of PuTTY, DSA: 20 bytes and their length."""
_MAX_KEY: Final = 32 << 10
"""Maximum bytes from the first line of a private key to the last."""
_MIN_KEY: Final = 60
"""Letters of Base64 in the shortest private key."""
_KEY_LINE: Final = re.compile(rb"\r?\n|(?:\\r)?\\n|%0[AaDd]")
_KEY_RUN: Final = re.compile(rb"(?:[A-Za-z0-9+/=_-]|%2[BbFf]|%3[Dd]|\\/){2,}")
_MIN_KEY_RUN: Final = 16


class Secret(NamedTuple):
    """One secret of a text."""

    rule: str
    line: int
    """1-based."""
    places: tuple[tuple[int, int], ...]
    """(start, end) of its parts in the text, in order."""


class _Finding(NamedTuple):
    """One match of a rule, which may overlap others."""

    rule: str
    places: list[tuple[int, int]]


def secrets_in(text: bytes, path: str = "") -> list[Secret]:
    """The secrets of a text, in order; none overlaps another. Rules of one kind of file need the ``path``."""
    name = path[path.rfind("/") + 1 :]
    found = list(_findings_in(text, name))
    if (view := joined(text)) is not None:
        for rule, places in _findings_in(view.text, name):
            found.append(_Finding(rule, [origin for start, end in places for origin in view.origins_of(start, end)]))
    return _without_overlaps(text, found) if found else []


def redacted(text: bytes, secrets: Iterable[Secret]) -> bytes:
    """``text`` with a marker in place of each secret. The number of lines is the same; the length of a secret is not visible."""
    pieces: list[bytes] = []
    at = 0
    edits = sorted((place, secret.rule if number == 0 else "") for secret in secrets for number, place in enumerate(secret.places))
    for (start, end), rule in edits:
        pieces += (text[at:start], marker(rule).encode() if rule else b"", b"\n" * text.count(b"\n", start, end))
        at = end
    return b"".join((*pieces, text[at:]))


def marker(rule: str) -> str:
    """The text that replaces a secret."""
    return f"[REDACTED:{rule}]"


def is_key_file(text: bytes) -> bool:
    """Whether a text consists of private keys, with or without certificates."""
    if text.lstrip().startswith(b"PuTTY-User-Key-File-"):
        return True
    if not text.lstrip().startswith(b"-----BEGIN "):
        return False
    at, has_key = 0, False
    while (begin := text.find(b"-----BEGIN ", at)) != -1 and not text[at:begin].strip():
        has_key = has_key or _KEY_BEGINS.match(text, begin) is not None
        end = text.find(_KEY_ENDS, begin)
        closed = text.find(b"-----", end + len(_KEY_ENDS)) if end != -1 else -1
        if closed == -1:
            return has_key
        at = closed + 5
    return has_key and not text[at:].strip()


def secret_file(path: str) -> str:
    """The rule by which a file of this name is a secret as a whole; empty if it is none."""
    name = path[path.rfind("/") + 1 :]
    if name.startswith(".env"):
        _, dot, suffix = name[1:].partition(".")
        is_kept = name != ".env" and (not dot or not ENV_SUFFIXES_KEPT.isdisjoint(suffix.lower().split(".")))
        return "" if is_kept else "env-file"
    return _whole_files().get(name, "")


def secret_in_path(path: str) -> str:
    """The rule of a secret in a path; empty if there is none. It is called for every path, so most return early."""
    if _LONG_IN_PATH.search(path) is None:
        return ""
    data = path.encode("utf-8", "replace")
    return next((rule for rule, _ in _tokens_in(data, b" " + data.translate(_ONLY_LETTERS))), "")


def path_without_secret(path: str) -> str:
    """A path that may be shown: it ends at the first name with a secret in it, in whose place is the marker."""
    if not secret_in_path(path):
        return path
    shown: list[str] = []
    for name in path.split("/"):
        rule = secret_in_path(name)
        shown.append(marker(rule) if rule else name)
        if rule:
            break
    return "/".join(shown)


def _findings_in(text: bytes, name: str) -> Iterator[_Finding]:
    lowered = text.lower()
    if runs := b" ".join([run for run in text.translate(_ONLY_LETTERS).split() if len(run) >= _MIN_RUN]):
        yield from _tokens_in(text, b" " + runs)
        yield from _forms_in(text, runs.lower(), RUN_FORMS)
        if _DIGIT.search(runs):
            yield from _forms_in(text, lowered, FORMS)
            if _NAMED_VALUE.search(runs):
                yield from _forms_in(text, lowered, NAMED)
    yield from _forms_in(text, lowered, [rule for rule in BARE_FORMS if not rule.files or name in rule.files])
    if b"PRIVATE" in text:
        yield from _keys_in(text)
    if b"Private-Lines" in text:
        yield from _putty_keys_in(text)


def _tokens_in(text: bytes, runs: bytes) -> Iterator[_Finding]:
    """The tokens of a text. ``runs`` are its long runs of letters, each after a space."""
    for start in sorted({match[1] for match in _starts().finditer(runs)}):
        for rule in _rules_of(start):
            pattern = _compiled(rule)
            at = text.find(start)
            while at != -1:
                match = pattern.match(text, at)
                end = match.end() if match else at + 1
                if match and is_random(match["body"]) and not is_documented(match[0]):
                    end = _end_of_run(rule, text, end)
                    yield _Finding(rule.name, [(match.start(), end)])
                at = text.find(start, end)


def _forms_in(text: bytes, lowered: bytes, rules: Sequence[SecretRule]) -> Iterator[_Finding]:
    for rule in rules:
        if any(key in lowered for key in rule.keys):
            check, pattern, at = CHECKS[rule.check], _compiled(rule), 0
            while match := pattern.search(text, at):
                value, at = match["value"], match.end()
                if check(value) and not is_documented(value) and (not rule.near or _is_near(rule.near, text, *match.span())):
                    end = _end_of_run(rule, text, match.end("value"))
                    at = max(at, end)
                    yield _Finding(rule.name, [(match.start("value"), end)])


def _end_of_run(rule: SecretRule, text: bytes, end: int) -> int:
    """End of the run of letters that holds a secret: an issuer may use longer ones than the rule says, and no part may remain."""
    rest = (_REST_OF_BASE64 if b"+/" in rule.pattern else _REST).match(text, end)
    return rest.end() if rest else end


def _is_near(wanted: bytes, text: bytes, start: int, end: int) -> bool:
    """Whether ``wanted`` matches near a position, on the same line."""
    first = max(text.rfind(b"\n", max(start - NEAR, 0), start) + 1, start - NEAR, 0)
    last = text.find(b"\n", end, end + NEAR)
    return re.search(wanted, text[first : last if last != -1 else end + NEAR]) is not None


def _keys_in(text: bytes) -> Iterator[_Finding]:
    """The private keys of a text: the runs of letters between the first line and the last of each."""
    for begin in _KEY_BEGINS.finditer(text):
        start = begin.end()
        another = text.find(b"-----BEGIN", start, start + _MAX_KEY)
        end = text.find(_KEY_ENDS, start, another if another != -1 else start + _MAX_KEY)
        if end == -1:
            end = another
        runs = _key_runs(text, start, end if end != -1 else min(start + _MAX_KEY, len(text)), is_closed=end != -1)
        letters = b"".join(text[first:last] for first, last in runs)
        if len(letters) >= _MIN_KEY and is_random(letters):
            yield _Finding(PRIVATE_KEY, runs)


def _putty_keys_in(text: bytes) -> Iterator[_Finding]:
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
            yield _Finding(PRIVATE_KEY, runs)


def _key_runs(text: bytes, start: int, end: int, *, is_closed: bool) -> list[tuple[int, int]]:
    """(start, end) of runs of Base64: all long ones, and a short last line; in a key without an end, up to a line without any."""
    runs: list[tuple[int, int]] = []
    at = start
    while at < end:
        line = _KEY_LINE.search(text, at, end)
        stop, following = (line.start(), line.end()) if line else (end, end)
        found = [match.span() for match in _KEY_RUN.finditer(text, at, stop)]
        long = [run for run in found if run[1] - run[0] >= _MIN_KEY_RUN]
        if not long and found and runs and at - runs[-1][1] < _MIN_KEY_RUN:
            long = [max(found, key=lambda run: run[1] - run[0])]
        elif not long and runs and not is_closed:
            break
        runs += long
        at = following
    return runs


def _without_overlaps(text: bytes, found: Sequence[_Finding]) -> list[Secret]:
    """The findings as secrets: of findings that overlap, the one that begins first gets all of their text."""
    places = sorted((place, number) for number, finding in enumerate(found) for place in finding.places)
    merged: list[tuple[int, int]] = []
    owners: list[int] = []
    for (start, end), number in places:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
            owners.append(number)
    of_owner: dict[int, list[tuple[int, int]]] = {}
    for place, number in zip(merged, owners, strict=True):
        of_owner.setdefault(number, []).append(place)
    line = seen = 0
    secrets: list[Secret] = []
    for number, own in of_owner.items():
        start, _ = own[0]
        line += text.count(b"\n", seen, start)
        seen = start
        secrets.append(Secret(found[number].rule, line + 1, tuple(own)))
    return secrets


@cache
def _starts() -> re.Pattern[bytes]:
    """A pattern of the beginnings of tokens in runs of letters; its only group is the longest one that matches."""
    by_first: dict[bytes, list[bytes]] = {}
    for start in sorted({start for rule in TOKENS for start in rule.starts}, key=lambda start: (-len(start), start)):
        by_first.setdefault(start[:1], []).append(re.escape(start[1:]))
    branches = (first + b"(?:" + b"|".join(rest) + b")" for first, rest in sorted(by_first.items()))
    return re.compile(_BOUNDARY_OF_RUN + b"(" + b"|".join(branches) + b"))")


@cache
def _rules_of(start: bytes) -> tuple[SecretRule, ...]:
    """The rules of tokens that may begin with ``start``."""
    return tuple(rule for rule in TOKENS if start.startswith(rule.starts))


@cache
def _compiled(rule: SecretRule) -> re.Pattern[bytes]:
    if not rule.starts:
        return re.compile(rule.pattern)
    starts = b"|".join(re.escape(start) for start in sorted(rule.starts, key=len, reverse=True))
    return re.compile(_BOUNDARY + b"(?:" + starts + b")(?P<body>" + rule.pattern + b")")


@cache
def _whole_files() -> dict[str, str]:
    return {name: rule for rule, (_, names) in WHOLE_FILES.items() for name in names}
