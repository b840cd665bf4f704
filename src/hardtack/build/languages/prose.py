"""Functions that every language's outline needs: the words of comments and docstrings, qualified names, line starts."""

from __future__ import annotations

import re
import unicodedata
from inspect import cleandoc
from itertools import accumulate

# Anchored and without nested repeats: a comment may be a megabyte of blanks or stars.
# Roxygen's ``#'`` and Haddock's ``-- |`` and ``-- ^`` are marks, too. A pragma, ``{-# ... #-}``, is no mark; it is removed.
_MARK = re.compile(
    r"[ \t]*(?:/\*[*!]?|\*(?!/)|//[/!]?|<#|#+(?!\[|>)(?:'(?![^ \t]))?|--\[=*\[|--+(?:[ \t]?[|^](?![^ \t]))?|<!--|;+|%+)?[ \t]?"
)
_PRAGMA = re.compile(r"^[ \t]*\{-#[^\n]*#-\}[ \t]*$", re.MULTILINE)
_BRACKETS = {
    "(*": (re.compile(r"[ \t]*(?:\(\*+|\*(?!\)))?[ \t]?"), "*)"),
    "{-": (re.compile(r"[ \t]*(?:\{-+[ \t]*[|^]?|--+(?:[ \t]?[|^](?![^ \t]))?)?[ \t]?"), "-}"),
}
"""Beginning of a block comment -> (marks of its lines, its end)."""
_DECORATION = re.compile(r"[-*=#/~_]+|\(\*+\)")
_STRING = re.compile(r"""(?P<prefix>[A-Za-z]{0,3})(?P<quote>\"{3}|'{3}|"|'|`)(?P<text>.*)(?P=quote)""", re.DOTALL)
_ESCAPE = re.compile(r"\\(\n|[\\'\"abfnrtv]|[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|N\{[A-Z\d -]{1,100}\})")
_CONTROLS = {"\n": "", **{each: each for each in "\\'\""}, **dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))}
"""The character after a backslash -> the character that it means."""


def comment_words(text: str) -> str:
    """The words of comments, without their marks, decoration lines and common indentation."""
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
    """The value of a docstring's literal, without common indentation. Escapes in a raw string, with the prefix ``r``, are kept."""
    match = _STRING.fullmatch(literal.strip())
    if match is None:
        return cleandoc(literal).strip()
    is_plain = "\\" in match["text"] and "r" not in match["prefix"].lower()
    return cleandoc(_ESCAPE.sub(_unescaped, match["text"]) if is_plain else match["text"]).strip()


def _unescaped(match: re.Match[str]) -> str:
    """The character of an escape; an invalid one is kept."""
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
"""Without a limit, ten thousand nested brackets would make ten thousand names of up to ten thousand parts."""


def joined_names(prefix: str, scope: str, name: str) -> str:
    """The qualified name; if it is too long, without its outermost parts."""
    joined = f"{scope}.{name}" if scope else name
    if prefix:
        joined = f"{prefix}.{joined}"
    if len(joined) <= MAX_QUALIFIED_CHARACTERS:
        return joined
    return joined[-MAX_QUALIFIED_CHARACTERS:].partition(".")[2] or name


def line_starts(text: bytes) -> list[int]:
    """Byte offset of each line's start. A line ends with LF, and so with CRLF."""
    starts = list(accumulate(map((1).__add__, map(len, text.split(b"\n"))), initial=0))
    starts.pop()
    return starts
