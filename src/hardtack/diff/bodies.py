"""A symbol in, the tokens of its own text out: what two definitions have in common whatever their names, layout and documentation.

Tokens are words and single other characters; white space between them does not count, but where Python breaks a line does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final

from hardtack.bundle.reader import Bundle

MOST_BYTES: Final = 1 << 20
"""Bytes of a definition that are compared token by token; longer ones are compared as they are."""
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_PYTHON_DOC: Final = re.compile(r"""\s*[rRuU]?(\"{3}.*?\"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*')[ \t]*(?=\n|$)""", re.DOTALL)
_OWN_NAME: Final = "\0"


@dataclass(frozen=True)
class Body:
    """The tokens of a definition behind its signature, its own name replaced."""

    tokens: tuple[str, ...]

    @cached_property
    def digest(self) -> bytes:
        """Equal for equal tokens."""
        return sha256("\n".join(self.tokens).encode("utf-8", "surrogatepass")).digest()

    def likeness(self, other: Body) -> float:
        """The share of tokens, 0 to 1, that two bodies have in common, in any order; of two empty ones 1."""
        total = len(self.tokens) + len(other.tokens)
        return 2 * (self.counts & other.counts).total() / total if total else 1.0

    @cached_property
    def counts(self) -> Counter[str]:
        """How often it has each token."""
        return Counter(self.tokens)


def tokens_of(text: str) -> list[str]:
    """The tokens of a text; both kinds of quotes are the same, as formatters of code choose one."""
    return _TOKEN.findall(text.replace("'", '"'))


def body_of(bundle: Bundle, ordinal: int, inside: Sequence[int]) -> Body:
    """The body of a symbol without the text of those inside it.

    Args:
        bundle: one with text.
        ordinal: the symbol.
        inside: ordinals of the outermost symbols inside it, ascending.
    """
    symbol = bundle.symbol(ordinal)
    file = bundle.file(symbol.file)
    data = bundle.text_of(file, symbol.start, symbol.end)
    if len(data) > MOST_BYTES:
        return Body((sha256(data).hexdigest(),))
    pieces, at = [], symbol.start
    for each in map(bundle.symbol, inside):
        if each.extent_start >= at and each.end <= symbol.end:
            pieces.append(data[at - symbol.start : each.extent_start - symbol.start])
            at = each.end
    pieces.append(data[at - symbol.start :])
    text = b"".join(pieces).decode("utf-8", "replace")
    rest = _behind(text, symbol.signature)
    if file.language == "python":
        rest = rest.removeprefix(":")
        rest = rest[doc.end() :] if (doc := _PYTHON_DOC.match(rest)) else rest
    return Body(tuple(_OWN_NAME if token == symbol.name else token for token in tokens_of(rest)))


def _behind(text: str, signature: str) -> str:
    """The text after the tokens of a signature, if it begins with these; else all of it."""
    at = 0
    for token in _TOKEN.findall(signature):
        found = _TOKEN.search(text, at)
        if found is None or found[0] != token:
            return text
        at = found.end()
    return text[at:].lstrip(" \t")
