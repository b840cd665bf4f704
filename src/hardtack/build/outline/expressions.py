"""Source text around a name in, the chain of names and calls that it continues or is bound to out.

A chain is ``a.b().c``: names and calls without their arguments, joined by dots. It is read from the text, since all languages write
it alike; the relations between all files make types of it. An index, an operator or a literal is no chain.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardtack.build.outline.arguments import argument_count
from hardtack.build.outline.brackets import closing, opened_before, opening
from hardtack.build.outline.patterns import arm_around, lambda_around, loop_in, part_of_list, pattern_around
from hardtack.nouns.relations import EACH, ITEM, Binding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardtack.build.languages.registry import Language

_REACH: Final = 600
"""Bytes before or after a name that are searched for its chain; longer arguments hide it."""
_BRACKETS: Final = re.compile(rb"""[()\[\]{}]|"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)'""")
_LITERAL_TYPE: Final = re.compile(rb"((?:map\[[\w.*]+\]|\[[\w.]*\])*)[*&]?([A-Za-z_][\w.:]*)\Z")
_MOST_COUNTED: Final = 9
"""Arguments of a call in a chain that are counted."""
_MAX_PARTS: Final = 8
_MAX_CHARACTERS: Final = 200
_MAX_BINDINGS: Final = 20_000
_OPENERS: Final = {b")"[0]: b"("[0], b"]"[0]: b"["[0]}
_CLOSERS: Final = {b"("[0]: b")"[0], b"{"[0]: b"}"[0]}
_INDEX: Final = b"["[0]
_SLICE: Final = re.compile(rb"(?<!:):(?!:)|\.\.")
_WORD_BEFORE: Final = re.compile(rb"\s*+([\w$]++)")
"""Matches reversed text, so that it is anchored at its end."""
_WORD_REACH: Final = 80
_WORD: Final = re.compile(rb"[A-Za-z_$][\w$]*")
_PREFIXES: Final = re.compile(rb"\s*(?:(?:await|new|mut|const|try|yield|go|std::move)\b\s*|[&*(]\s*)*")
_AHEAD: Final = re.compile(rb"((?:\s*,\s*[\w$.]+)*)\s*(:=|=(?![=>~])|:(?![:=]|\s*[\r\n]))\s*")
_END: Final = re.compile(rb"[ \t]*(?:\?|!)?[ \t]*(?:$|[\r\n;,)}]|//|#|\{[ \t]*(?:\r?\n|$))")
_LOOP_END: Final = re.compile(rb"[ \t]*(?:$|[\r\n:)\]}{;,]|\bif\b|\bdo\b)")
_PATTERN_END: Final = re.compile(rb"[ \t]*\??[ \t]*(?:$|[\r\n{;)]|else\b|&&)")
_MATCH: Final = re.compile(rb"\bmatch\s+\Z")
_TYPE: Final = re.compile(
    rb"(?:[^=;,(){}\[\]<>\r\n]|\[[^\[\](){}\r\n]*(?:\[[^\[\](){}\r\n]*\][^\[\](){}\r\n]*)*\]|<[^;{}()=\r\n]*>){1,100}"
)
_TYPE_BEFORE: Final = re.compile(
    rb"(?:^|[;{}(,\n])\s*(?:final\s+|const\s+|static\s+|volatile\s+|@\w+\s+)*"
    rb"([A-Za-z_][\w.]*(?:::[\w.]+)*(?:<[\w\s,.<>?\[\]]*>)?)[\s*&]+$"
)
_AFTER_TYPE: Final = frozenset(bytes((sign,)) for sign in b" \t\r\f\v*&")
_TYPE_AFTER: Final = re.compile(rb"[ \t]+[*&]?([A-Za-z_][\w.]*)[ \t]*[,)=]")
_GENERIC: Final = re.compile(rb"(?:::)?<[\w\s,.<>?:&\[\]|']*>(?=\(|::)")
_WRAPPED: Final = re.compile(rb"(?:(?:std|alloc)::\w+::)?(?:(?:Arc|Rc|Box)::new|Box::pin)\(")
"""Calls that give a pointer to their argument, whose members are then those of the argument."""
_MADE_IN: Final = re.compile(rb"\(\s*(?:&?([A-Za-z_][\w.]*)\s*\{|new\s+([A-Za-z_][\w.]*)\s*(?:<[^()<>]*>)?\s*\()")
_MADE: Final = re.compile(rb"(?:std::)?make_(?:unique|shared)\s*<\s*(?:const\s+)?([A-Za-z_][\w:]*)[^()]*>\s*\(")
"""Calls that give a pointer to a new value of a type."""
_DESTRUCTURED: Final = re.compile(rb"[^{}()\[\];]*+\}\s*+(?::\s*+([A-Z][\w.]*+)|=\s*+(?![=>]))")
"""The rest of a destructuring pattern, and the type of what is taken apart, or what precedes its value."""
_KEY: Final = re.compile(rb"([\w$]+)\s*:\s*\Z")
_CAST: Final = re.compile(
    rb"[^\r\n;{}=]{1,200}?(?:\sas[?!]?[ \t]+([A-Za-z_][\w.]*)(?=[ \t]*(?:[\r\n;]|\?|!!))|\.\(\*?([A-Za-z_][\w.]*)\)[ \t]*[\r\n;{])"
    rb"|(?:static|dynamic|reinterpret|const)(?:_pointer)?_cast<\s*(?:const\s+)?([A-Za-z_][\w:]*)[^<>()]*>\s*\([^;\n]*\)\s*;"
)
_CASTS: Final = (b" as", b".(", b"_cast<")
"""What a cast has; looked for first, as the pattern takes its time."""
_LISTED: Final = re.compile(rb"[\w$]\s*,\s*\Z")
_AS: Final = re.compile(rb"\s+as\s+\(?\s*\Z")
_OPENED: Final = re.compile(rb"\b(async|with|except)\s(?:\s*with\s|[^\r\n:]*,)?[\s(]*\Z")
_NO_TYPES: Final = frozenset(
    b"return var let val final late new in else auto case await yield def throw delete as if is of for foreach while until unless "
    b"with async import from global nonlocal except catch not and or assert del elif match when do then go defer func fn function "
    b"type const mut ref out lambda raise print echo".split()
)
"""Words that may precede or follow a variable and are no types."""

_NO_LITERAL: Final = _NO_TYPES | {b"const"}
"""Words before the brace of a destructuring pattern."""


class Holder(Protocol):
    """Gives the index of the innermost symbol around a byte, or -1."""

    def __call__(self, at: int, /) -> int: ...  # noqa: D102


def bindings_of(
    names: Sequence[tuple[int, int]], symbols: Mapping[int, int], text: bytes, language: Language, holder: Holder
) -> tuple[Binding, ...]:
    """The declared types or the values of the variables that functions bind.

    Args:
        names: (start, end) of each name where it is bound.
        symbols: first byte of a name that is a symbol -> the symbol's index; what such a variable holds its declaration may tell.
        text: the file's text.
        language: its language, for what joins names.
        holder: gives the innermost symbol around a byte.
    """
    joints = _joints_of(language)
    found: list[Binding] = []
    for start, end in sorted(names, key=itemgetter(0))[:_MAX_BINDINGS]:  # a query gives them in no order
        held = _held(text, start, end, joints)
        if held is None and start in symbols:
            held = "", False, 0
        if held is not None:
            value, is_type, result = held
            name = text[start:end].decode("utf-8", "replace")
            symbol = holder(start) if value else symbols[start]
            found.append(Binding(symbol, name, value, is_type=is_type, result=result, start=start, bound=-1))
    return tuple(found)


def _held(text: bytes, start: int, end: int, joints: _Joints) -> tuple[str, bool, int] | None:
    """(type or value, whether it is a type, which of a call's results) of the variable that is bound at a name; None if unknown."""
    if held := _after_as(text, start, joints):
        return (*held, 0)
    line = text[max(text.rfind(b"\n", 0, start) + 1, start - _REACH) : start]
    if (loop := loop_in(line, text, end)) is not None:
        if before := _type_before(text, start):
            return _spelt(before), True, 0
        if chain := _chain_after(text, loop.at, joints, _LOOP_END):
            return loop.each_of(chain), False, 0
    ahead = _AHEAD.match(text, end, end + _REACH)
    is_listed = ahead is not None and ahead[2] != b":" and (ahead[1] or b"," in line)
    is_parameter = is_listed and opened_before(text, start, max(0, start - _REACH)) == b"("
    if is_parameter and ahead is not None and ahead[1]:
        ahead = None  # the default is that of a parameter behind it
    if ahead is not None and ahead[2] == b":":
        written = _TYPE.match(text, ahead.end(), ahead.end() + _REACH)
        return (_spelt(written[0].strip()), True, 0) if written is not None and not ahead[1] else None
    if before := _type_before(text, start):
        return _spelt(before), True, 0
    value = text[ahead.end() : ahead.end() + _MAX_CHARACTERS] if ahead is not None else b""
    if (
        ahead is not None
        and any(sign in value for sign in _CASTS)
        and (cast := _CAST.match(text, ahead.end(), ahead.end() + _REACH))
    ):
        as_written: bytes = cast[cast.lastindex or 0]
        if as_written not in _NO_TYPES and not _LISTED.search(line):
            return _spelt(as_written), True, 0
    if ahead is not None:
        at, result = (ahead.end(), 0) if is_parameter else part_of_list(line, text, ahead)
        if chain := _chain_after(text, at, joints):
            return chain, False, result
    elif (pattern := pattern_around(line, text, end)) is not None:
        chain = _chain_after(text, pattern.at, joints, _PATTERN_END)
        return (chain, False, pattern.result) if chain else None
    elif (arm := arm_around(line, text, start, end)) >= 0:
        return (chain, False, 0) if (chain := _matched(text, arm, joints)) else None
    elif (given := lambda_around(line, text, end)) is not None:
        chain = _chain_to(text, start - len(given), joints)[0]
        return (f"{chain}.{EACH}", False, 0) if chain else None
    if chain := _part_of(text, start, end, joints):
        return chain, False, 0
    after = _TYPE_AFTER.match(text, end, end + _REACH)
    return (_spelt(after[1]), True, 0) if after is not None and after[1] not in _NO_TYPES else None


def _part_of(text: bytes, start: int, end: int, joints: _Joints) -> str:
    """The chain that a destructured name stands for; empty where it is no such name.

    It is ``a.b.key`` for the ``name`` of ``{ key: name } = a.b``, and ``T.name`` for that of ``{ name }: T``.
    """
    ahead = _DESTRUCTURED.match(text, end, end + _REACH)
    if ahead is None:
        return ""
    key = _KEY.search(text, max(0, start - _WORD_REACH), start)
    whole = ahead[1].decode("utf-8", "replace") if ahead[1] else _chain_after(text, ahead.end(), joints)
    return f"{whole}.{(key[1] if key else text[start:end]).decode('utf-8', 'replace')}" if whole else ""


def chain_before(text: bytes, start: int, language: Language) -> str:
    """The chain that ends before the name at ``start``, which may hold calls; empty if there is none."""
    joints = _joints_of(language)
    joint = joints.before.search(text, max(0, start - joints.longest), start)
    return _chain_to(text, joint.start(), joints)[0] if joint is not None else ""


def _chain_to(text: bytes, end: int, joints: _Joints) -> tuple[str, int]:
    """(chain that ends at ``end``, its start); the chain is empty if there is none."""
    floor = max(0, end - _REACH)
    at, closed, parts = end, end, list[str]()
    for _ in range(_MAX_PARTS):
        is_call, call, items = False, "", list[str]()
        while at > floor and text[at - 1] in _OPENERS and not is_call:
            closed, is_call = at, text[at - 1 : at] == b")"
            if (at := opening(text, at - 1, floor)) < 0:
                return "", end
            call = _call(text, at, closed, joints) if is_call else ""
            if not is_call and text[at - 1 : at].isspace():  # return [a]
                return "", end
            items += () if is_call or _SLICE.search(text, at, closed) else (ITEM,)
        word = _WORD_BEFORE.match(text[max(floor, at - _WORD_REACH) : at][::-1])
        if word is None:
            made = _made_in(text, at, closed) if is_call else ""
            return (".".join([f"{made}()", *items, *parts])[:_MAX_CHARACTERS], at) if made else ("", end)
        at -= word.end()
        parts[:0] = [word[1][::-1].decode("utf-8", "replace") + call, *items]
        joint = joints.before.search(text, max(floor, at - joints.longest), at)
        if joint is None:
            break
        at = joint.start()
    return ".".join(parts)[:_MAX_CHARACTERS], at


class Brackets:
    """The positions of the opening brackets of a text, outside strings; found once, since every key of a literal needs them."""

    def __init__(self, text: bytes) -> None:
        self._places: list[int] = []
        self._opened: list[int] = []
        """For each bracket the position of the innermost opening bracket that is still open after it, or -1."""
        opened: list[int] = []
        for match in _BRACKETS.finditer(text):
            if match[0] in b"([{":
                opened.append(match.start())
            elif match[0] not in b")]}":
                continue
            elif opened:
                opened.pop()
            self._places.append(match.start())
            self._opened.append(opened[-1] if opened else -1)

    def around(self, at: int) -> int:
        """The position of the innermost opening bracket that is open before ``at``, or -1."""
        index = bisect_left(self._places, at) - 1
        return self._opened[index] if index >= 0 else -1


def literal_before(text: bytes, start: int, brackets: Brackets) -> str | None:
    """The type of the literal that holds the key at ``start``, as written; empty if it is a map, None if it has no type.

    ``T{key: ...}`` has the type T; so has the inner literal of ``[]T{{key: ...}}``, which leaves it out.
    """
    at = start
    for levels in range(_MAX_PARTS):
        at = brackets.around(at)
        if at < 0 or text[at : at + 1] != b"{":
            return None
        before = text[max(0, at - _MAX_CHARACTERS) : at].rstrip()
        if before[-1:] not in (b"{", b",", b":"):
            match = _LITERAL_TYPE.search(before)
            dimensions = match[1].count(b"[") if match else 0
            if match is None or dimensions < levels or match[2] in _NO_LITERAL:
                return None
            return match[2].decode("utf-8", "replace") if dimensions == levels else ""
    return None


def _made_in(text: bytes, opened: int, closed: int) -> str:
    """The type of what is made in the brackets between two places: ``(&Jar{size: 1})``, ``(new Jar(1))``; empty if nothing is."""
    made = _MADE_IN.match(text, opened, closed)
    if made is None or text[(after := closing(text, made.end() - 1, closed)) : closed - 1].strip() or after < 0:
        return ""
    return made[made.lastindex or 0].decode("utf-8", "replace")


@cache
def chain_of(value: str) -> str:
    """The chain that makes up the whole text of a value; empty if it is no chain. Any language's joints count."""
    return _chain_after(value.encode(), 0, _ANY_JOINTS)


def _matched(text: bytes, opening: int, joints: _Joints) -> str:
    """The chain whose value is matched by the arms in the braces that open at ``opening``; empty if there is none."""
    chain, at = _chain_to(text, len(text[:opening].rstrip()), joints)
    return chain if chain and _MATCH.search(text, max(0, at - _WORD_REACH), at) else ""


def _chain_after(text: bytes, start: int, joints: _Joints, ending: re.Pattern[bytes] = _END) -> str:
    """The chain that begins at ``start`` and ends its statement; empty if there is none."""
    limit = min(len(text), start + _REACH)
    prefix = _PREFIXES.match(text, start, limit)
    at = prefix.end() if prefix else start
    if (wrapped := _WRAPPED.match(text, at, limit)) is not None:
        after = closing(text, wrapped.end() - 1, limit)
        is_whole = after >= 0 and ending.match(text, after, limit) is not None
        return _chain_after(text, wrapped.end(), joints) if is_whole else ""
    if (made := _MADE.match(text, at, limit)) is not None:
        after = closing(text, made.end() - 1, limit)
        is_whole = after >= 0 and _END.match(text, after, limit) is not None
        return f"{made[1].decode('utf-8', 'replace')}()" if is_whole else ""
    parts: list[str] = []
    for _ in range(_MAX_PARTS):
        word = _WORD.match(text, at, limit)
        if word is None:
            return ""
        at, part = word.end(), word[0].decode("utf-8", "replace")
        at = generic.end() if (generic := _GENERIC.match(text, at, limit)) else at
        if at < limit and text[at] in _CLOSERS and not (ending is not _END and ending.match(text, at, limit)):
            opened, at = at, closing(text, at, limit)
            if at < 0:
                return ""
            part += _call(text, opened, at, joints)
        parts.append(part)
        while at < limit and text[at] == _INDEX:
            opened, at = at, closing(text, at, limit)
            if at < 0:
                return ""
            parts += () if _SLICE.search(text, opened, at) else (ITEM,)
        joint = joints.after.match(text, at, limit)
        if joint is None:
            break
        at = joint.end()
    return ".".join(parts)[:_MAX_CHARACTERS] if ending.match(text, at, limit) else ""


def _after_as(text: bytes, start: int, joints: _Joints) -> tuple[str, bool] | None:
    """(chain, or the type of a caught exception; whether it is a type) of a name after ``as``. None without ``as``."""
    before = text[max(0, start - _MAX_CHARACTERS) : start].rstrip()
    if not before.removesuffix(b"(").rstrip().endswith(b"as"):
        return None
    match = _AS.search(text, max(0, start - _MAX_CHARACTERS), start)
    if match is None:
        return None
    chain, at = _chain_to(text, match.start(), joints)
    opened = _OPENED.search(text, max(0, at - _MAX_CHARACTERS), at)
    if not chain or opened is None:
        return None
    if opened[1] == b"except":
        return chain, True
    return f"{chain}.{'__aenter__' if opened[1] == b'async' else '__enter__'}()", False


def _type_before(text: bytes, start: int) -> bytes:
    """The type before a variable's name, as in C and Java; empty for none."""
    if text[start - 1 : start] not in _AFTER_TYPE:
        return b""
    line = text[max(text.rfind(b"\n", 0, start) + 1, start - _REACH) : start]
    match = _TYPE_BEFORE.search(line)
    return match[1] if match and match[1] not in _NO_TYPES else b""


def _spelt(written: bytes) -> str:
    return " ".join(written.decode("utf-8", "replace").split())[:_MAX_CHARACTERS]


def _call(text: bytes, opened: int, closed: int, joints: _Joints) -> str:
    """How a chain says that a name is called, with the brackets between two places."""
    if not joints.is_counted:
        return "()"
    count = argument_count(text, opened, has_trailing_lambdas=False) if closed - opened > len(b"()") else 0
    return f"({count})" if 0 <= count <= _MOST_COUNTED else "()"


class _Joints(NamedTuple):
    """The separators between names in a language."""

    before: re.Pattern[bytes]
    after: re.Pattern[bytes]
    longest: int
    is_counted: bool
    """Whether the arguments of calls are counted."""


@cache
def _joints_of(language: Language) -> _Joints:
    joints = sorted((re.escape(joint.encode()) for joint in language.joints), key=lambda joint: (-len(joint), joint))
    joint = b"(?:" + b"|".join(joints) + b")"
    return _Joints(
        re.compile(rb"\s*" + joint + rb"\s*$"), re.compile(rb"\s*" + joint + rb"\s*"), 40, "overloads" in language.scoping
    )


_ANY_JOINTS: Final = _Joints(re.compile(rb"\s*(?:\?\.|->|::|\.)\s*$"), re.compile(rb"\s*(?:\?\.|->|::|\.)\s*"), 40, True)
