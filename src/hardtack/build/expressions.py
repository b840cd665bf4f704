"""Source text around a name in, the chain of names and calls that it continues or is bound to out.

A chain is ``a.b().c``: names, their calls with what is passed left out, joined by dots. It is read from the text, which is written
alike in every language; who knows all files makes types of it. What is no chain (an index, an operator, a literal) gives nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardtack.relations import Binding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from hardtack.build.languages.registry import Language

_REACH: Final = 600
"""Bytes before or after a name in which its chain is looked for; longer arguments hide it."""
_MOST_PARTS: Final = 8
_MOST_CHARACTERS: Final = 200
_MOST_BINDINGS: Final = 20_000
_OPENERS: Final = {b")"[0]: b"("[0], b"]"[0]: b"["[0]}
_CLOSERS: Final = {b"("[0]: b")"[0], b"{"[0]: b"}"[0]}
_WORD_BEFORE: Final = re.compile(rb"[\w$]+\s*$")
_WORD: Final = re.compile(rb"[A-Za-z_$][\w$]*")
_PREFIXES: Final = re.compile(rb"\s*(?:(?:await|new|mut|const|try|yield|go|std::move)\b\s*|[&*(]\s*)*")
_AHEAD: Final = re.compile(rb"((?:\s*,\s*[\w$.]+)*)\s*(:=|=(?![=>~])|:(?![:=]))\s*")
_LIST_BEFORE: Final = re.compile(rb"(?:[\w$.]+\s*,\s*)*$")
_END: Final = re.compile(rb"[ \t]*(?:\?|!)?[ \t]*(?:$|[\r\n;,)}]|//|#|\{[ \t]*(?:\r?\n|$))")
_TYPE: Final = re.compile(rb"[^=;,(){}\r\n]{1,100}")
_TYPE_BEFORE: Final = re.compile(
    rb"(?:^|[;{}(,\n])\s*(?:final\s+|const\s+|static\s+|volatile\s+|@\w+\s+)*"
    rb"([A-Za-z_][\w.:]*(?:<[\w\s,.<>?\[\]]*>)?)[\s*&]+$"
)
_TYPE_AFTER: Final = re.compile(rb"[ \t]+[*&]?([A-Za-z_][\w.]*)[ \t]*[,)=]")
_GENERIC: Final = re.compile(rb"(?:::)?<[\w\s,.<>?:&\[\]|']*>(?=\()")
_NO_TYPES: Final = frozenset(
    {
        b"return",
        b"var",
        b"let",
        b"val",
        b"new",
        b"in",
        b"else",
        b"auto",
        b"case",
        b"await",
        b"yield",
        b"def",
        b"throw",
        b"delete",
        b"as",
        b"if",
        b"is",
        b"of",
    }
)


class Holder(Protocol):
    """Gives the index of the innermost symbol around a byte, or -1."""

    def __call__(self, at: int, /) -> int: ...  # noqa: D102


def bindings_of(nodes: Sequence[Node], text: bytes, language: Language, holder: Holder) -> tuple[Binding, ...]:
    """What the variables that functions bind are declared as, or set to.

    Args:
        nodes: the names where they are bound.
        text: the file's.
        language: says what joins names.
        holder: gives the innermost symbol around a byte.
    """
    joints = _joints_of(language)
    found: list[Binding] = []
    for node in nodes[:_MOST_BINDINGS]:
        start, end = node.start_byte, node.end_byte
        if (symbol := holder(start)) < 0:
            continue
        name = text[start:end].decode("utf-8", "replace")
        ahead = _AHEAD.match(text, end, end + _REACH)
        if ahead is not None and ahead[2] == b":":
            written = _TYPE.match(text, ahead.end(), ahead.end() + _REACH)
            if written is not None and not ahead[1]:
                found.append(Binding(symbol, name, _spelt(written[0].strip()), is_type=True, result=0, start=start, bound=-1))
            continue
        if before := _type_before(text, start):
            found.append(Binding(symbol, name, _spelt(before), is_type=True, result=0, start=start, bound=-1))
        elif ahead is not None and (chain := _chain_after(text, ahead.end(), joints)):
            line = text[max(text.rfind(b"\n", 0, start) + 1, start - _REACH) : start]
            listed = _LIST_BEFORE.search(line)
            result = listed[0].count(b",") if listed else 0
            found.append(Binding(symbol, name, chain, is_type=False, result=result, start=start, bound=-1))
        elif (after := _TYPE_AFTER.match(text, end, end + _REACH)) is not None and after[1] not in _NO_TYPES:
            found.append(Binding(symbol, name, _spelt(after[1]), is_type=True, result=0, start=start, bound=-1))
    return tuple(found)


def chain_before(text: bytes, start: int, language: Language) -> str:
    """The chain that the name at ``start`` goes on with, for one that holds calls; empty for what is no chain."""
    joints = _joints_of(language)
    floor = max(0, start - _REACH)
    at, parts = start, [""]
    for _ in range(_MOST_PARTS):
        joint = joints.before.search(text, max(floor, at - joints.longest), at)
        if joint is None:
            break
        at = joint.start()
        is_call = False
        if at > floor and text[at - 1] in _OPENERS:
            if text[at - 1 : at] != b")" or (at := _opening(text, at - 1, floor)) < 0:
                return ""
            is_call = True
        word = _WORD_BEFORE.search(text, max(floor, at - 80), at)
        if word is None:
            return ""
        at = word.start()
        parts.insert(0, text[at : word.end()].strip().decode("utf-8", "replace") + ("()" if is_call else ""))
    return ".".join(parts[:-1])[:_MOST_CHARACTERS]


@cache
def chain_of(value: str) -> str:
    """The chain that the text of a value is as a whole; empty for anything else. For text without its file: any joint will do."""
    return _chain_after(value.encode(), 0, _ANY_JOINTS)


def _chain_after(text: bytes, start: int, joints: _Joints) -> str:
    """The chain that begins at ``start`` and is all there is of its statement; empty for anything else."""
    limit = min(len(text), start + _REACH)
    prefix = _PREFIXES.match(text, start, limit)
    at = prefix.end() if prefix else start
    parts: list[str] = []
    for _ in range(_MOST_PARTS):
        word = _WORD.match(text, at, limit)
        if word is None:
            return ""
        at, part = word.end(), word[0].decode("utf-8", "replace")
        at = generic.end() if (generic := _GENERIC.match(text, at, limit)) else at
        if at < limit and text[at] in _CLOSERS:
            at = _closing(text, at, limit)
            if at < 0:
                return ""
            part += "()"
        parts.append(part)
        joint = joints.after.match(text, at, limit)
        if joint is None:
            break
        at = joint.end()
    return ".".join(parts)[:_MOST_CHARACTERS] if _END.match(text, at, limit) else ""


def _opening(text: bytes, at: int, floor: int) -> int:
    """Where the bracket opens that closes at ``at``; -1 when that is too far."""
    depth = 0
    for place in range(at, floor - 1, -1):
        byte = text[place]
        depth += (byte in b")]}") - (byte in b"([{")
        if depth == 0:
            return place
    return -1


def _closing(text: bytes, at: int, limit: int) -> int:
    """One past where the bracket closes that opens at ``at``; -1 when that is too far."""
    depth = 0
    for place in range(at, limit):
        byte = text[place]
        depth += (byte in b"([{") - (byte in b")]}")
        if depth == 0:
            return place + 1
    return -1


def _type_before(text: bytes, start: int) -> bytes:
    """The type in front of a variable's name, where languages write it there."""
    line = text[max(text.rfind(b"\n", 0, start) + 1, start - _REACH) : start]
    match = _TYPE_BEFORE.search(line)
    return match[1] if match and match[1] not in _NO_TYPES else b""


def _spelt(written: bytes) -> str:
    return " ".join(written.decode("utf-8", "replace").split())[:_MOST_CHARACTERS]


class _Joints(NamedTuple):
    """What joins names in a language."""

    before: re.Pattern[bytes]
    after: re.Pattern[bytes]
    longest: int


@cache
def _joints_of(language: Language) -> _Joints:
    joints = sorted((re.escape(joint.encode()) for joint in language.joints), key=lambda joint: (-len(joint), joint))
    joint = b"(?:" + b"|".join(joints) + b")"
    return _Joints(re.compile(rb"\s*" + joint + rb"\s*$"), re.compile(rb"\s*" + joint + rb"\s*"), 40)


_ANY_JOINTS: Final = _Joints(re.compile(rb"\s*(?:\?\.|->|::|\.)\s*$"), re.compile(rb"\s*(?:\?\.|->|::|\.)\s*"), 40)
