"""The text after a name that is called in, the number of its arguments out.

It is read from the text, since grammars wrap arguments in many ways. A count that the text does not tell for sure is not given: a
comma between angle brackets may separate arguments or types, and a spread argument stands for any number.
"""

from __future__ import annotations

import re
from typing import Final

from hardtack.nouns.relations import UNCOUNTED

_REACH: Final = 2_000
"""Bytes after a name that are searched for the end of its arguments."""
_BEFORE: Final = re.compile(rb"\s*(?:\?\.|!!?)?(?:<[\w\s,.<>?*&:\[\]]*>)?[ \t]*")
_PLAIN: Final = re.compile(rb"\(([^()\[\]{}<>\"'`|/#]*+)\)")
"""Arguments without brackets, strings and comments."""
_PIECE: Final = re.compile(rb"""[()\[\]{},<|]|"(?>(?:[^"\\\n]|\\.)*)"|'(?>(?:[^'\\\n]|\\.)*)'|//[^\n]*|/\*(?s:.*?)\*/|\.\.\.""")
_LAMBDA: Final = re.compile(rb"[ \t]*(?:\w+@[ \t]*)?\{")


def argument_count(text: bytes, end: int, *, has_trailing_lambdas: bool) -> int:
    """The number of arguments of the call of the name that ends at ``end``; :data:`UNCOUNTED` if it is not sure.

    Args:
        text: the file's text.
        end: one past the name.
        has_trailing_lambdas: whether a block after the brackets, or instead of them, is an argument.
    """
    before = _BEFORE.match(text, end, end + _REACH)
    at = before.end() if before is not None else end
    if has_trailing_lambdas and _LAMBDA.match(text, at):
        return 1
    plain = _PLAIN.match(text, at, at + _REACH)
    count, after = (_plain_count(plain[1]), plain.end()) if plain is not None else _count(text, at)
    if count >= 0 and has_trailing_lambdas and _LAMBDA.match(text, after):
        count += 1
    return count


def _plain_count(arguments: bytes) -> int:
    if b"..." in arguments:
        return UNCOUNTED
    return arguments.count(b",") + 1 if arguments.strip() else 0


def _count(text: bytes, at: int) -> tuple[int, int]:
    """(number of arguments in the brackets that open at ``at``, one past them)."""
    if text[at : at + 1] != b"(":
        return UNCOUNTED, at
    depth, commas, is_empty, is_sure, last = 0, 0, True, True, at + 1
    for piece in _PIECE.finditer(text, at, at + _REACH):
        sign = piece[0]
        is_empty = is_empty and not text[last : piece.start()].strip()
        last = piece.end()
        if sign in (b"(", b"[", b"{"):
            is_empty = is_empty and depth == 0
            depth += 1
        elif sign in (b")", b"]", b"}"):
            depth -= 1
            if depth == 0:
                return (0 if is_empty else commas + 1) if is_sure else UNCOUNTED, piece.end()
        elif sign == b",":
            commas += depth == 1
        elif sign in (b"<", b"|", b"..."):
            is_sure = is_sure and depth > 1
        elif not sign.startswith((b"//", b"/*")):
            is_empty = False
    return UNCOUNTED, at
