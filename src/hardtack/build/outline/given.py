"""The arguments of a call in, what the text says of their types out: literals, ``new Jar()``, casts, and chains of names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hardtack.build.outline.expressions import chain_of
from hardtack.build.outline.locals import first_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_REACH: Final = 2_000
"""Bytes after a name that are searched for the end of its arguments."""
_LONGEST: Final = 120
"""Bytes of an argument that is read; a longer one says nothing."""
_PIECE: Final = re.compile(rb"""[()\[\]{},]|"(?>(?:[^"\\\n]|\\.)*)"|'(?>(?:[^'\\\n]|\\.)*)'""")
_PLAIN: Final = re.compile(rb"\(([\w\s.,]*)\)")
_LITERALS: Final = (
    ("String", re.compile(rb'"(?>(?:[^"\\\n]|\\.)*)"(?:\s*\+[^?=]*)?\Z')),
    ("int", re.compile(rb"-?\d[\d_]*\Z|0[xX][\da-fA-F_]+\Z")),
    ("long", re.compile(rb"-?\d[\d_]*[lL]\Z")),
    ("float", re.compile(rb"-?[\d_]*\.?\d+[fF]\Z")),
    ("double", re.compile(rb"-?[\d_]*\.\d+(?:[eE][+-]?\d+)?[dD]?\Z")),
    ("char", re.compile(rb"'(?:[^'\\\n]|\\.[^'\n]*)'\Z")),
    ("boolean", re.compile(rb"(?:true|false)\Z")),
    ("null", re.compile(rb"null\Z")),
)
_FIRST: Final = frozenset(bytes((sign,)) for sign in b"\"'-.0123456789tfn")
_MADE: Final = re.compile(rb"new\s+([A-Za-z_][\w.]*)\s*(?:<[^()]*>)?\s*\(([^()]|\([^()]*\))*\)\Z")
_CAST: Final = re.compile(
    rb"\(\s*((?:[\w.]+\.)?[A-Z][\w.]*(?:<[\w\s,.?]*>)?|int|long|char|byte|short|float|double|boolean)\s*\)\s*[\w.\"]+\Z"
)


def given_at(text: bytes, end: int, count: int, binding: Callable[[bytes], int]) -> str:
    """What is known of each argument of the call of the name that ends at ``end``, joined by ``;``; empty if that is nothing.

    It is a type, or ``=``, a chain, ``:`` and the binding of its first name.

    Args:
        text: the file's text.
        end: one past the name.
        count: the number of arguments.
        binding: gives the binding of a name.
    """
    known = [_known(each, binding) for each in _arguments(text, end)]
    return ";".join(known) if len(known) == count and any(known) else ""


def _arguments(text: bytes, end: int) -> Iterator[bytes]:
    if (plain := _PLAIN.match(text, end, end + _REACH)) is not None:
        yield from map(bytes.strip, plain[1].split(b","))
        return
    at = text.find(b"(", end, end + _LONGEST)
    depth, last = 0, at + 1
    for piece in _PIECE.finditer(text, at, at + _REACH) if at >= 0 else ():
        sign = piece[0]
        depth += (sign in (b"(", b"[", b"{")) - (sign in (b")", b"]", b"}"))
        if depth == 0 or (depth == 1 and sign == b","):
            yield text[last : piece.start()].strip()
            last = piece.end()
        if depth == 0:
            return


def _known(argument: bytes, binding: Callable[[bytes], int]) -> str:
    if len(argument) > _LONGEST:
        return ""
    if argument[:1] in _FIRST and (literal := next((name for name, pattern in _LITERALS if pattern.match(argument)), "")):
        return literal
    if argument.endswith((b"class", b"class.java")):
        return "Class"
    if argument[:1] in b"n(" and (written := _MADE.match(argument) or _CAST.match(argument)) is not None:
        return written[1].decode("utf-8", "replace").replace(";", "")
    chain = chain_of(argument.decode("utf-8", "replace"))
    return f"={chain}:{binding(first_word(chain))}" if chain else ""
