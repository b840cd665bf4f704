"""What a renderer may use besides words."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Final, NamedTuple

MARKDOWN_TOKENS: Final = 2000
"""What an answer in Markdown takes at most unless told otherwise."""
MARKDOWN_FURTHER: Final = 40
"""Further files to ask for in Markdown: what half of that holds where paths are short."""


class Style(NamedTuple):
    """How an answer may be dressed for its reader."""

    color: bool = False
    reasons: bool = False
    """Show why each hit ranks where it does."""
    columns: int = 0
    """Width of the terminal; 0 when there is none, and lines are never shortened."""
    max_tokens: int = 0
    """What the whole answer may take, in tokens of four characters; 0 leaves it to the format."""

    def paint(self, text: str, code: str) -> str:
        """``text`` in the terminal colour of that SGR code, if colours are wanted."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


PLAIN = Style()


@cache
def _control() -> re.Pattern[str]:
    """What is shown instead of obeyed; most text has none of it, and a search that meets none need not compile it."""
    return re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def inert(text: str) -> str:
    """``text`` with control and bidirectional characters shown instead of obeyed: indexed text is data, whoever wrote it."""
    if text.replace("\n", " ").replace("\t", " ").isprintable():
        return text
    return _control().sub(lambda match: f"\\u{{{ord(match.group()):x}}}", text)


def inert_json(value: Any) -> str:
    """``value`` as JSON on one line, with the same characters escaped: read again, it is the value, character for character."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if (text.isascii() and "\x7f" not in text) or text.isprintable():  # JSON has escaped what is below a space
        return text
    return _control().sub(lambda match: json.dumps(match.group())[1:-1], text)


def json_size(value: Any) -> int:
    """Bytes of :func:`inert_json`."""
    return len(inert_json(value).encode("utf-8", "surrogatepass"))
