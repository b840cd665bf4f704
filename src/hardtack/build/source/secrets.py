"""A file's text or path in, the secrets in it out, and the text without them.

A text is searched in two steps, since nearly all text holds no secret: first a few passes at the speed of ``bytes.find`` look for
possible parts of a secret (a long run of letters, a typical word); then only the rules whose beginning was found are tried. The
same is done again with strings joined, to find a value in pieces, with the escapes of strings decoded, to find a file in a string,
without the signs of a patch, and with what is found in Base64. A finding is a rule and positions: nothing here stores, prints or
compares a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from hardtack.build.source.joined_strings import joined, unescaped, without_marks
from hardtack.build.source.secret_blocks import encoded_in
from hardtack.build.source.secret_checks import CHECKS, is_documented, is_random
from hardtack.build.source.secret_files import is_secret_by_content, secret_file
from hardtack.build.source.secret_keys import is_key_file, private_keys_in
from hardtack.build.source.secret_manifests import manifest_secrets_in
from hardtack.build.source.secret_rules import PRIVATE_KEY, Finding, SecretRule, forms, tokens
from hardtack.build.source.secret_values import is_near, named_values_in

__all__ = [
    "PRIVATE_KEY",
    "Secret",
    "is_key_file",
    "is_secret_by_content",
    "path_without_secret",
    "redacted",
    "secret_file",
    "secret_in_path",
    "secrets_in",
]

_LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-+/"
_ONLY_LETTERS: Final = bytes(byte if byte in _LETTERS else 0x20 for byte in range(256))
_MIN_RUN: Final = 20
"""Minimum bytes of a run of letters that may be a token."""
_DIGIT: Final = re.compile(rb"[0-9]")
_LONG_IN_PATH: Final = re.compile(r"[A-Za-z0-9_.-]{20}")

_REST: Final = re.compile(rb"[A-Za-z0-9_-]*+")
_REST_OF_BASE64: Final = re.compile(rb"[A-Za-z0-9_+/-]*+={0,3}")

# Before a token there is no letter, or the end of an escape.
_BOUNDARY: Final = rb"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4}))"
_BOUNDARY_OF_RUN: Final = rb"[ _.+/-](?=(?:[nrt]|[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})??"

_SPAN: Final = 800
"""Bytes after its key in which a form is searched for that may begin before it."""
_MOST_PASSES: Final = 4
"""How often a text is looked through in which secrets were found."""
_MOST_NESTED: Final = 2
"""How often a text that was decoded is decoded again."""


class Secret(NamedTuple):
    """One secret of a text."""

    rule: str
    line: int
    """1-based."""
    places: tuple[tuple[int, int], ...]
    """(start, end) of its parts in the text, in order."""


def secrets_in(text: bytes, path: str = "") -> list[Secret]:
    """The secrets of a text, in order; none overlaps another. Rules of one kind of file need the ``path``."""
    name = path[path.rfind("/") + 1 :]
    found = list(_findings_in(text, name))
    for view in filter(None, (joined(text), unescaped(text), without_marks(text))):
        for rule, places in _findings_in(view.text, name):
            found.append(Finding(rule, [origin for start, end in places for origin in view.origins_of(start, end)]))
    return _without_overlaps(text, found) if found else []


def without_secrets(text: bytes, path: str = "") -> tuple[bytes, list[Secret]]:
    """``text`` with a marker in place of each secret, and these.

    What is left is looked through again where something was found: beside what was taken out, another may show. The places of
    secrets are those in the text in which they were found; their lines are the same in all.
    """
    found: list[Secret] = []
    for _ in range(_MOST_PASSES):
        if not (secrets := list(secrets_in(text, path))):
            break
        found += secrets
        text = redacted(text, secrets)
    return text, found


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


def _findings_in(text: bytes, name: str, depth: int = 0) -> Iterator[Finding]:
    lowered = text.lower()
    long = [run for run in text.translate(_ONLY_LETTERS).split() if len(run) >= _MIN_RUN]
    if long:
        runs = b" ".join(long)
        yield from _tokens_in(text, b" " + runs)
        lowered_runs = runs.lower()
        yield from _forms_in(text, lowered, [rule for rule in _forms("run") if _has_key(rule, lowered_runs)])
        if _DIGIT.search(runs):
            yield from _forms_in(text, lowered, _forms("yes"))
    yield from _forms_in(text, lowered, [rule for rule in _forms("") if not rule.files or name in rule.files])
    yield from named_values_in(text, lowered)
    yield from private_keys_in(text, lowered)
    yield from manifest_secrets_in(text, lowered)
    if depth < _MOST_NESTED:
        yield from encoded_in(text, long, lambda inner: next((found.rule for found in _findings_in(inner, "", depth + 1)), ""))


def _has_key(rule: SecretRule, lowered: bytes) -> bool:
    return any(key in lowered for key in rule.keys)


def _tokens_in(text: bytes, runs: bytes) -> Iterator[Finding]:
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
                    yield Finding(rule.name, [(match.start(), end)])
                at = text.find(start, end)


def _forms_in(text: bytes, lowered: bytes, rules: Sequence[SecretRule]) -> Iterator[Finding]:
    needed = {needs: needs in lowered for needs in {rule.needs for rule in rules}}
    for rule in rules:
        if not needed[rule.needs]:
            continue
        pattern, check = _compiled(rule), CHECKS[rule.check]
        for match in _matches_of(rule, pattern, text, lowered):
            value = match["value"]
            if check(value) and not is_documented(value) and (not rule.near or is_near(rule.near, text, *match.span())):
                yield Finding(rule.name, [(match.start("value"), _end_of_run(rule, text, match.end("value")))])


def _matches_of(rule: SecretRule, pattern: re.Pattern[bytes], text: bytes, lowered: bytes) -> Iterator[re.Match[bytes]]:
    """The matches of a form: most are tried only where one of its keys is."""
    if rule.anywhere:
        if _has_key(rule, lowered):
            yield from pattern.finditer(text)
        return
    for key in rule.keys:
        at = lowered.find(key)
        done = 0
        while at != -1:
            begin = max(at - rule.before, done)
            if match := pattern.search(text, begin, at + _SPAN) if rule.before else pattern.match(text, at):
                yield match
                done = match.end()
            at = lowered.find(key, max(at + len(key), done))


def _end_of_run(rule: SecretRule, text: bytes, end: int) -> int:
    """End of the run of letters that holds a secret: an issuer may use longer ones than the rule says, and no part may remain."""
    rest = (_REST_OF_BASE64 if b"+/" in rule.pattern else _REST).match(text, end)
    return rest.end() if rest else end


def _without_overlaps(text: bytes, found: Sequence[Finding]) -> list[Secret]:
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
def _forms(long: str) -> tuple[SecretRule, ...]:
    """The forms by whether they have a run of many letters."""
    return tuple(rule for rule in forms() if rule.long == long)


@cache
def _starts() -> re.Pattern[bytes]:
    """A pattern of the beginnings of tokens in runs of letters; its only group is the longest one that matches."""
    by_first: dict[bytes, list[bytes]] = {}
    for start in sorted({start for rule in tokens() for start in rule.starts}, key=lambda start: (-len(start), start)):
        by_first.setdefault(start[:1], []).append(re.escape(start[1:]))
    branches = (first + b"(?:" + b"|".join(rest) + b")" for first, rest in sorted(by_first.items()))
    return re.compile(_BOUNDARY_OF_RUN + b"(" + b"|".join(branches) + b"))")


@cache
def _rules_of(start: bytes) -> tuple[SecretRule, ...]:
    """The rules of tokens that may begin with ``start``."""
    return tuple(rule for rule in tokens() if start.startswith(rule.starts))


@cache
def _compiled(rule: SecretRule) -> re.Pattern[bytes]:
    if not rule.starts:
        return re.compile(rule.pattern)
    starts = b"|".join(re.escape(start) for start in sorted(rule.starts, key=len, reverse=True))
    return re.compile(_BOUNDARY + b"(?:" + starts + b")(?P<body>" + rule.pattern + b")")
