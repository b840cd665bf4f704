"""Text in, the words of its comments, the places of its lines and names joined out: what every language's outline needs."""

from __future__ import annotations

import re
import unicodedata
from inspect import cleandoc
from itertools import accumulate

# Anchored and free of nested repeats: a comment may be a megabyte of blanks or stars.
# Roxygen's ``#'`` and Haddock's ``-- |`` and ``-- ^`` are marks too; a pragma, ``{-# ... #-}``, is none and says nothing.
_MARK = re.compile(
    r"[ \t]*(?:/\*[*!]?|\*(?!/)|//[/!]?|<#|#+(?!\[|>)(?:'(?![^ \t]))?|--\[=*\[|--+(?:[ \t]?[|^](?![^ \t]))?|<!--|;+|%+)?[ \t]?"
)
_PRAGMA = re.compile(r"^[ \t]*\{-#[^\n]*#-\}[ \t]*$", re.MULTILINE)
_BRACKETS = {
    "(*": (re.compile(r"[ \t]*(?:\(\*+|\*(?!\)))?[ \t]?"), "*)"),
    "{-": (re.compile(r"[ \t]*(?:\{-+[ \t]*[|^]?|--+(?:[ \t]?[|^](?![^ \t]))?)?[ \t]?"), "-}"),
}
"""The marks and the end of comments that begin so, of which several may follow each other."""
_DECORATION = re.compile(r"[-*=#/~_]+|\(\*+\)")
_STRING = re.compile(r"""(?P<prefix>[A-Za-z]{0,3})(?P<quote>\"{3}|'{3}|"|'|`)(?P<text>.*)(?P=quote)""", re.DOTALL)
_ESCAPE = re.compile(r"\\(\n|[\\'\"abfnrtv]|[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|N\{[A-Z\d -]{1,100}\})")
_CONTROLS = {"\n": "", **{each: each for each in "\\'\""}, **dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))}
"""What the character after a backslash stands for."""


def comment_words(text: str) -> str:
    """Comments, one or several lines, without their marks, rules and common indentation."""
    if "{-#" in text:
        text = _PRAGMA.sub("", text)
    text = text.strip()
    if text.startswith("<#"):
        text = text.removesuffix("#>")
    elif text.startswith("--[") and text.endswith("]"):
        text = text[:-1].rstrip("=").removesuffix("]")
    mark, end = _BRACKETS.get(text[:2], (_MARK, "*/"))
    return cleandoc("\n".join(_line_words(line, mark, end) for line in text.splitlines())).strip()


def _line_words(line: str, mark: re.Pattern[str], end: str) -> str:
    line = line.rstrip()
    if _DECORATION.fullmatch(line):
        return ""
    if line.endswith(end):
        line = line[: -len(end)].rstrip(end[0]).rstrip()
    elif line.endswith("-->"):
        line = line[:-3].rstrip()
    found = mark.match(line)
    words = line[found.end() :] if found else line
    return "" if _DECORATION.fullmatch(words) else words


def docstring_words(literal: str) -> str:
    """The value of a string literal that serves as documentation, without common indentation.

    In a raw one, whose prefix has an ``r``, a backslash is a backslash.
    """
    match = _STRING.fullmatch(literal.strip())
    if match is None:
        return cleandoc(literal).strip()
    is_plain = "\\" in match["text"] and "r" not in match["prefix"].lower()
    return cleandoc(_ESCAPE.sub(_unescaped, match["text"]) if is_plain else match["text"]).strip()


def _unescaped(match: re.Match[str]) -> str:
    """What one escape of a plain string stands for; one that is none stays as it is."""
    code = match[1]
    if code[0] in _CONTROLS:
        return _CONTROLS[code[0]]
    if code[0] == "N":
        try:
            return unicodedata.lookup(code[2:-1])
        except KeyError:
            return match[0]
    number = int(code, 8) if code[0].isdigit() else int(code[1:], 16)
    is_character = number < 0x110000 and not 0xD800 <= number < 0xE000
    return chr(number) if is_character else match[0]


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
