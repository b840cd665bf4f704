"""Shared by all renderers: style and budget of an answer, and text and JSON without control characters."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
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


_OBEYED: Final = (
    *((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F)),  # controls, but for tab and line feed
    *((0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069)),  # what reorders a line
    *((0x2028, 0x2029), (0xD800, 0xDFFF)),  # what ends one, and what is no character
    *((0xAD, 0xAD), (0x180E, 0x180E), (0x200B, 0x200B), (0x2060, 0x2065), (0x206A, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB)),
    *((0xE0000, 0xE0FFF),),  # tags and variation selectors: what nobody sees, and a model reads
)
"""Ranges of characters that control, reorder, break or hide the text in which they are printed."""


@cache
def _selector() -> re.Pattern[str]:
    return re.compile("[\U000e0000-\U000e0fff]")


_JOINERS: Final = ("\u200c", "\u200d")


@cache
def _stray_joiner() -> re.Pattern[str]:
    """A joiner that joins nothing: emoji and several scripts have them between two characters beyond ASCII."""
    seen = "[^\x00-\x7f\u200c\u200d]"
    return re.compile(f"(?<!{seen})[\u200c\u200d]|[\u200c\u200d](?!{seen})")


@cache
def _escapes() -> tuple[dict[int, str], dict[int, str]]:
    """What is shown of each such character in text and in JSON; made on first use, as most searches print none of them."""
    obeyed = [code for first, last in _OBEYED for code in range(first, last + 1)]
    return {code: f"\\u{{{code:x}}}" for code in obeyed}, {code: json.dumps(chr(code))[1:-1] for code in obeyed if code >= 0x7F}


def columns_of(text: str) -> int:
    """The columns of a terminal that ``text`` takes: ideographs and their like take two, marks on a letter none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(each) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


def _is_harmless(text: str) -> bool:
    """Whether a line has nothing to escape; True for nearly all, and quick to tell. Selectors count as printable in Unicode."""
    return text.isprintable() and (text.isascii() or not _selector().search(text))


def inert(text: str) -> str:
    """``text`` with what :data:`_OBEYED` has escaped, so that indexed text cannot control or mislead a terminal or a model."""
    if _is_harmless(text.replace("\n", " ").replace("\t", " ")):
        return text
    text = text.translate(_escapes()[0])
    if any(joiner in text for joiner in _JOINERS):
        text = _stray_joiner().sub(lambda match: f"\\u{{{ord(match.group()):x}}}", text)
    return text


def inert_line(text: str) -> str:
    """The same on one line: white space that is not a single space becomes one."""
    return text if _is_harmless(text) else inert(" ".join(text.split()))


def counted(paths: Iterable[str]) -> str:
    """``path:count`` for each path, in the order in which they come first."""
    return "".join(f"{inert_line(path)}:{count}\n" for path, count in Counter(paths).items())


def inert_json(value: Any, *, indent: int | None = None, is_spaced: bool = False) -> str:
    """``value`` as JSON with the same characters escaped; a JSON parser gives the value back unchanged.

    Args:
        value: of what JSON has.
        indent: spaces of each level; None puts all on one line.
        is_spaced: put a space after each comma and colon, for people; an indented document has the latter.
    """
    separators = (", ", ": ") if is_spaced and not indent else (",", ": " if indent else ":")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    # json.dumps has escaped all below U+0020 but for the line feeds that it has made itself.
    if (text.isascii() and "\x7f" not in text) or (indent is None and _is_harmless(text)):
        return text
    text = text.translate(_escapes()[1])
    if any(joiner in text for joiner in _JOINERS):
        text = _stray_joiner().sub(lambda match: json.dumps(match.group())[1:-1], text)
    return text


def json_size(value: Any) -> int:
    """Bytes of :func:`inert_json`."""
    return len(inert_json(value).encode("utf-8", "surrogatepass"))
