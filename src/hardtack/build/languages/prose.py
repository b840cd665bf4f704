"""Text in, the words of its comments, the places of its lines and names joined out: what every language's outline needs."""

from __future__ import annotations

import re
from inspect import cleandoc
from itertools import accumulate

# Anchored and free of nested repeats: a comment may be a megabyte of blanks or stars.
_MARK = re.compile(r"[ \t]*(?:/\*[*!]?|\*(?!/)|//[/!]?|#+(?!\[)|--+|<!--|;+|%+)?[ \t]?")
_DECORATION = re.compile(r"[-*=#/~_]+")
_STRING = re.compile(r"""[A-Za-z]{0,3}(\"{3}|'{3}|"|'|`)(.*)\1""", re.DOTALL)


def comment_words(text: str) -> str:
    """Comments, one or several lines, without their marks, rules and common indentation."""
    return cleandoc("\n".join(map(_line_words, text.splitlines()))).strip()


def _line_words(line: str) -> str:
    line = line.rstrip()
    if line.endswith("*/"):
        line = line[:-2].rstrip("*").rstrip()
    elif line.endswith("-->"):
        line = line[:-3].rstrip()
    mark = _MARK.match(line)
    words = line[mark.end() :] if mark else line
    return "" if _DECORATION.fullmatch(words) else words


def docstring_words(literal: str) -> str:
    """A string literal that serves as documentation, without quotes, prefix and common indentation."""
    match = _STRING.fullmatch(literal.strip())
    return cleandoc(match[2] if match else literal).strip()


MAX_QUALIFIED_CHARACTERS = 500
"""Ten thousand nested brackets would otherwise make ten thousand names of up to ten thousand parts."""


def joined_names(prefix: str, scope: str, name: str) -> str:
    """The qualified name; where nesting makes it too long, without its outermost parts."""
    joined = f"{scope}.{name}" if scope else name
    if prefix:
        joined = f"{prefix}.{joined}"
    if len(joined) <= MAX_QUALIFIED_CHARACTERS:
        return joined
    return joined[-MAX_QUALIFIED_CHARACTERS:].partition(".")[2] or name


def line_starts(text: bytes) -> list[int]:
    """Byte offset of each line's start; a line ends with LF, so CRLF needs no rule of its own."""
    starts = list(accumulate(map((1).__add__, map(len, text.split(b"\n"))), initial=0))
    starts.pop()
    return starts
