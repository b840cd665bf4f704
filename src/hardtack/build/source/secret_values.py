r"""A text in, the values out that are secrets only because of the name to which they are assigned.

A name ends in a word like ``password``; after it comes a sign like ``=``, ``:``, ``=>`` or ``>``, then a value, with quotes or
without. That is how programs, settings of all kinds, command lines and query strings are written, so nothing here knows formats.
What a name alone does not decide, the value does: it must look as if a program or a careful person had chosen it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from hardtack.build.source.secret_checks import CHECKS, is_documented
from hardtack.build.source.secret_rules import NEAR, Finding, SecretRule, named

_WORDS: Final = (b"pass", b"pwd", b"secret", b"token", b"key", b"salt")
"""Parts of the names, in lower case."""
_LONGEST_NAME: Final = 60
_QUOTE: Final = rb"""(?:\\{0,3}["'`]|&quot;|&#3[49];)"""
_PREFIX: Final = rb"(?:[bBrRuUfFlL@$]{1,2}(?=" + _QUOTE + rb"))?"
_REST_OF_NAME: Final = rb"[A-Za-z0-9_-]{0,24}+"
_ASSIGNED: Final = (
    _QUOTE + rb"?(?:\[[0-9]{0,4}\]|\])?(?:[ \t]{0,4}:[ \t]{0,4}&?[A-Za-z]{1,12}(?=[ \t]{0,4}=)"  # an array, a type
    rb"|[ \t]{1,4}(?:As[ ])?[A-Za-z]{1,12}(?:\([0-9]{1,4}\))?(?=[ \t]{1,4}=[ \t]{0,4}" + _QUOTE + rb")"
    rb"|[ ]?\{[ ]?get;[^{}\n]{0,30}\})?"
    rb"[ \t]{0,24}(?:=>|:=|\?=|!?={2,3}|[=:]|%3[Dd]|%3[Aa])[ \t]{0,24}"
    rb"(?:[|>][+-]?[ \t]{0,4}\r?\n[ \t#/*+>]{1,24}|\{\{-?[ ]{0,2}(?=[\"'])|\(|\[=?\[)?"
    + _PREFIX  # a block of YAML, a template with a literal, a long string of Lua
)
_LISTED: Final = _QUOTE + rb"[ \t]{0,4},[ \t\r\n]{0,24}" + _PREFIX + rb"(?=" + _QUOTE + rb")"
_FALLBACK: Final = (  # what a program takes where the environment or the settings have none
    _QUOTE + rb"?[)\]]{0,2}[ \t]{0,4}(?:\|\|=?|\?\?=?|\?:|or[ ]|\{"
    rb"|\.(?:(?:unwrap_|get_)?or(?:_else)?|orElse(?:Get)?|getOrElse|value_?[oO]r)\((?:\|_?\||\(\)[ ]?[=-]>)?)"
    rb"[ \t]{0,4}" + _PREFIX + rb"(?=" + _QUOTE + rb")"
)
_TUPLE: Final = rb"(?P<tuple>,[ ]?)(?=" + _QUOTE + rb")"
_CALLED: Final = rb"\([ ]?" + _PREFIX + rb"(?=" + _QUOTE + rb")"
_GAP: Final = rb"""[ \t\r\n#/*+>,"'\\-]"""
"""What may stand between two lines that belong together: the marks of comments, patches and quoted mails, and a list of strings."""
_PAIRED: Final = (  # an attribute of XML, an element of JSON or YAML, an entry of a property list, a variable of Terraform
    _QUOTE
    + rb"?(?:[ ]?:[ ]?\{)?"
    + _GAP
    + rb"{1,40}"
    + _QUOTE
    + rb"?(?:[a-z]{1,12}:)?[vV]alue"
    + _QUOTE
    + rb"?[ \t]{0,4}[:=][ \t]{0,4}"
    rb"|</key>" + _GAP + rb"{0,40}<string>"
    rb"|" + _QUOTE + rb"[ ]{0,2}\{[^{}]{0,300}?(?<![A-Za-z_])default[ \t]{0,24}=[ \t]{0,24}(?=" + _QUOTE + rb")"
)
_ATTRIBUTES: Final = rb"(?:[ ][A-Za-z:_-]{1,24}=" + _QUOTE + rb"[^\"'<>\\]{0,40}" + _QUOTE + rb"){0,3}"
_ELEMENT: Final = _QUOTE + rb"?" + _ATTRIBUTES + rb">(?:<!\[CDATA\[|" + _GAP + rb"{0,40}<[vV]alue>)?"
_TABULATED: Final = _QUOTE + rb"?[ ]{0,24}\|[ ]{1,24}(?=[^\s|]{8,512}+[ ]{1,24}\|)"
_SPACED: Final = rb"(?P<space>[ ]{1,2}(?:[0579][ ])?)"
_QUOTED: Final = rb"""(?P<open>""" + _QUOTE + rb""")(?P<quoted>[^\s"'`\\]{8,}+)(?![ \t])"""
_BARE: Final = rb"""(?P<bare>[A-Za-z0-9/+!@%^*_~.-][^\s"'`\\<>(){}\[\],;&|]{7,511}+)(?P<after>.?)"""
_MOST_BARE: Final = 512
_MOST_BLANK: Final = 25
_MOST_CHECKED: Final = 160
"""Bytes of a value that are looked at to tell whether somebody chose it."""
_REST_OF_BARE: Final = re.compile(rb"""[^\s"'`\\<>(){}\[\],;&|]*+""")
_VALUE: Final = re.compile(
    _REST_OF_NAME
    + rb"(?:"
    + rb"|".join((_ASSIGNED, _LISTED, _TUPLE, _FALLBACK, _CALLED, _PAIRED, _ELEMENT, _TABULATED, _SPACED))
    + rb")"
    rb"(?:" + _QUOTED + rb"|" + _BARE + rb")",
    re.DOTALL,
)
_NAME_BEFORE: Final = re.compile(rb"[A-Za-z0-9_.-]{0,60}\Z")
_NOT_IN_NAMES: Final = bytes(byte for byte in range(256) if not (0x30 <= byte <= 0x39 or 0x61 <= byte <= 0x7A))
_ENDS: Final = frozenset((b"", b" ", b"\t", b"\r", b"\n", b'"', b"'", b"`", b"\\", b"<", b"&", b"}", b"]"))
_REST: Final = re.compile(rb"[A-Za-z0-9_+/-]*+={0,3}")


@cache
def _rules() -> tuple[tuple[SecretRule, re.Pattern[bytes], re.Pattern[bytes]], ...]:
    """The rules with the pattern of their names and that of their values."""
    return tuple(
        (rule, re.compile(rb"(?:" + rule.names + rb")\Z"), re.compile(rule.pattern or rb".+", re.DOTALL)) for rule in named()
    )


def named_values_in(text: bytes, lowered: bytes) -> Iterator[Finding]:
    """The secrets of a text that are known by their names. ``lowered`` is the text in lower case."""
    for word in _WORDS:
        at = lowered.find(word)
        while at != -1:
            after = at + len(word)
            if (value := _VALUE.match(text, after)) and (found := _finding(text, at, value)):
                yield found
                after = found.places[0][1]
            at = lowered.find(word, after)


def is_near(wanted: bytes, text: bytes, start: int, end: int) -> bool:
    """Whether ``wanted`` matches near a position, on the same line."""
    first = max(text.rfind(b"\n", max(start - NEAR, 0), start) + 1, start - NEAR, 0)
    last = text.find(b"\n", end, end + NEAR)
    return re.search(wanted, text[first : last if last != -1 else end + NEAR]) is not None


def _finding(text: bytes, at: int, value: re.Match[bytes]) -> Finding | None:
    begin = _NAME_BEFORE.search(text, max(at - _LONGEST_NAME, 0), at)
    assert begin  # it may be empty
    head = _REST_OF_NAME_ONLY.match(text, at)
    assert head
    name = text[begin.start() : head.end()]
    kind = "quoted" if value["quoted"] else "bare"
    body = value[kind]
    if kind == "bare":
        body = _bare(text, value, name, begin.start())
    if not body or (value["tuple"] and text[begin.start() - 1 : begin.start()] not in (b"{", b":")):
        return None
    if body.startswith(b"eyJ") and body.count(b".") == 2 and not CHECKS["jwt"](body):
        return None
    simple = name.lower().translate(None, _NOT_IN_NAMES)
    if simple == b"key" and (parent := _PARENT.search(text, max(begin.start() - 2 * _LONGEST_NAME, 0), begin.start())):
        simple = parent[1].lower().translate(None, _NOT_IN_NAMES) + simple
    if _IS_ENCRYPTED.search(simple) or (simple == b"passwd" and text[begin.start() - 1 : begin.start()] == b"/"):
        return None
    for rule, names, pattern in _rules():
        named_by = names.search(simple)
        if not named_by or not pattern.match(body) or not CHECKS[rule.check](body[:_MOST_CHECKED]) or is_documented(body):
            continue
        if body.lower().translate(None, _NOT_IN_NAMES).endswith(named_by[0]):
            continue  # `api_key = "SomeApiKey"` names a key
        if not rule.near or is_near(rule.near, text, begin.start(), value.end()):
            start = value.start(kind)
            rest = (_REST if len(body) < _MOST_BARE else _REST_OF_BARE).match(text, start + len(body))
            return Finding(rule.name, [(start, rest.end() if rest else start + len(body))])
    return None


_MEMBER: Final = re.compile(
    rb"[A-Za-z_]{2,24}[0-9]?(?:(?:\.|::)[A-Za-z_][A-Za-z0-9_]{0,40}){1,6}"
    rb"|[A-Za-z_][A-Za-z0-9_]{1,23}(?:(?:\.|::|->)_?(?:[A-Z]?[a-z]{2,20}|[A-Z]{2,12})(?:[A-Z][a-z]{2,20}|_[a-z]{2,20}){0,4}){1,6}"
)
"""Matches an attribute of an object in a program: where the object's name has digits, that of the attribute is of words."""
_PARENT: Final = re.compile(rb"([A-Za-z0-9_-]{2,40})[\"'`]?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}[\[{(]?" + _GAP + rb"{1,40}\Z")
"""Matches the name of what a value belongs to, on the line before: ``key`` alone tells little, ``api`` and ``key`` do."""
_ENCRYPTED: Final = rb"(?<!un)(?:encrypted|wrapped|sealed)"
_SECRET_WORD: Final = (  # no word for a thing that a password opens, such as `volume` or `database`
    rb"(?:password|passwd|passphrase|passwort|pwd|pass|salt|(?:api|access|private|secret|session|signing|master|data)?key"
    rb"|(?:api|access|refresh|auth|bearer)?token|(?:client|api|app|webhook|otp|totp)?secret(?:key|value|token)?)"
)
_IS_ENCRYPTED: Final = re.compile(
    rb"(?:%(is)b%(word)b|%(word)b%(is)b)(?:v?[0-9]{1,2}|value|default|prod|production|dev|staging)?\Z"
    % {b"is": _ENCRYPTED, b"word": _SECRET_WORD}
)
"""Matches names of values that are encrypted already: ``encrypted_password``, but not ``encrypted_volume_password``."""
_CAPITALISED: Final = re.compile(rb"(?:[A-Z]?[a-z]+|[A-Z])[0-9]*(?:[A-Z][a-z]*[0-9]*)+")
"""Matches a name of words with capitals, such as a type of a program; and a third of the random values of twelve letters."""
_WORD: Final = re.compile(rb"[A-Z][a-z]{2,}|[a-z]{3,}")
_VOWEL: Final = re.compile(rb"[AEIOUYaeiouy]")
_USUAL_WORD: Final = re.compile(
    rb"Key|Client|Provider|Access|Config|Private|Public|Cert|Service|Value|Name|Hash|Request|Response|String|Bytes"
)
_LONG_WORD: Final = 5
_SHARE_OF_WORDS: Final = 0.6
"""Least share of a name that is in words: one random value of a hundred and fifty has so many."""
_BEFORE_SPACED: Final = re.compile(
    rb"""(?:(?i:set|setenv|setx|config|put|add|password)(?:[ ]-[A-Za-z]{1,3}){0,2}[ ]"""
    rb"""|(?:\n|\A)[#/*+> \t-]{0,12}|["'`][ \t]{0,12})\Z"""
)
"""What stands before a name that a value follows after a space: a command that sets it, or the beginning of a line."""
_REST_OF_NAME_ONLY: Final = re.compile(rb"[A-Za-z0-9_-]*+")


def _bare(text: bytes, value: re.Match[bytes], name: bytes, begin: int) -> bytes:
    """A value without quotes, or nothing if it may be a part of a program or of a sentence."""
    spaced = value["space"] or b""
    if spaced and not (
        len(spaced) > 2 or name.startswith((b"-", b"insecure")) or _BEFORE_SPACED.search(text, max(begin - 24, 0), begin)
    ):
        return b""
    after, body = value["after"], value["bare"]
    if _MEMBER.fullmatch(body) or _is_name(body.strip(b"*?!")):
        return b""
    start = value.start("bare")
    if after in (b";", b",") and text[start - 1 : start] == b"=":
        return body
    if after == b"," and text[max(start - _MOST_BLANK, 0) : start].rstrip(b" \t").endswith(b":"):  # a mapping of YAML on one line
        return body
    return body if after in _ENDS or len(body) == _MOST_BARE else b""


def _is_name(body: bytes) -> bool:
    """Whether it is a name of a program: words with capitals, and not letters by chance."""
    if len(body) > _LONGEST_NAME or not _CAPITALISED.fullmatch(body):
        return False
    words = _WORD.findall(body)
    has_long = any(len(word) >= _LONG_WORD for word in words)
    are_spoken = all(_VOWEL.search(word) for word in words)
    are_most = sum(map(len, words)) >= _SHARE_OF_WORDS * len(body)
    return (has_long and are_spoken and are_most) or _USUAL_WORD.search(body) is not None
