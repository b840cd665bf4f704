"""Shared by all renderers: style and budget of an answer, and text and JSON without control characters."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

from hardtack.nouns.model import Hit, Place

MARKDOWN_TOKENS: Final = 2000
"""Tokens of an answer in Markdown at most, unless its caller gives another number."""
MARKDOWN_FURTHER: Final = 40
"""Further files to ask for in Markdown: about as many as half of that budget holds where paths are short."""


class Style(NamedTuple):
    """How to format an answer for its reader."""

    color: bool = False
    reasons: bool = False
    """Show why each hit ranks where it does."""
    columns: int = 0
    """Width of the terminal; 0 without one, and then lines are never shortened."""
    max_tokens: int = 0
    """Budget of the whole answer, in tokens of four characters; 0 for the default of the format."""

    def paint(self, text: str, code: str) -> str:
        """``text`` in the terminal colour of that SGR code, if colours are wanted."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


PLAIN = Style()


class Costs(NamedTuple):
    """How many characters, or bytes of JSON, a renderer prints for each part of an answer."""

    hit: Callable[[Hit], int]
    """A hit."""
    file: Callable[[Hit], int]
    """What is printed once for each file, before or in its best hit."""
    place: Callable[[Place], int]
    """A further file."""
    further: int
    """What is printed around the list of further files."""
    rest: int
    """Everything else."""


@cache
def _control() -> re.Pattern[str]:
    """Control and bidirectional characters; compiled on first use, as most searches print none of them."""
    return re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def columns_of(text: str) -> int:
    """The columns of a terminal that ``text`` takes: ideographs and their like take two, marks on a letter none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(each) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


def inert(text: str) -> str:
    """``text`` with control and bidirectional characters escaped, so that indexed text cannot control or mislead a terminal."""
    if text.replace("\n", " ").replace("\t", " ").isprintable():
        return text
    return _control().sub(lambda match: f"\\u{{{ord(match.group()):x}}}", text)


def inert_json(value: Any) -> str:
    """``value`` as JSON on one line, with the same characters escaped; a JSON parser gives the value back unchanged."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if (text.isascii() and "\x7f" not in text) or text.isprintable():  # json.dumps has escaped all below U+0020
        return text
    return _control().sub(lambda match: json.dumps(match.group())[1:-1], text)


def json_size(value: Any) -> int:
    """Bytes of :func:`inert_json`."""
    return len(inert_json(value).encode("utf-8", "surrogatepass"))
