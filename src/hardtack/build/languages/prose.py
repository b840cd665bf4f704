"""Text in, the words of its comments and the places of its lines out: what every language's outline needs."""

from __future__ import annotations

import re
from inspect import cleandoc
from itertools import accumulate

_MARK = re.compile(r"^[ \t]*(?:/\*[*!]?|\*(?!/)|//[/!]?|#+(?!\[)|--+|<!--|;+|%+)?[ \t]?", re.MULTILINE)
_END = re.compile(r"[ \t]*(?:\*+/|-->)[ \t]*$", re.MULTILINE)
_STRING = re.compile(r"""[A-Za-z]{0,3}(\"{3}|'{3}|"|'|`)(.*)\1""", re.DOTALL)


def comment_words(text: str) -> str:
    """Comments, one or several lines, without their marks and common indentation."""
    lines = cleandoc(_MARK.sub("", _END.sub("", text))).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def docstring_words(literal: str) -> str:
    """A string literal that serves as documentation, without quotes, prefix and common indentation."""
    match = _STRING.fullmatch(literal.strip())
    return cleandoc(match[2] if match else literal).strip()


def line_starts(text: bytes) -> list[int]:
    """Byte offset of each line's start; a line ends with LF, so CRLF needs no rule of its own."""
    starts = list(accumulate(map((1).__add__, map(len, text.split(b"\n"))), initial=0))
    starts.pop()
    return starts
