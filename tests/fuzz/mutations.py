"""Ways to make another input of one: blind, in JSON, in lines and words of text."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any, Final

from fuzz_bundle import NUMBERS, blind

__all__ = ["NUMBERS", "another_json", "blind", "in_json", "in_text", "is_safe", "number_of_digits", "value"]

_WORDS: Final = (
    *("", " ", "a", "../", "/", "\\", "\0", "\r", "\n", "\t", "\x1b[31m", "\x7f", "\x9b", "\u202e", "\u2028", "\ud800", "é" * 9),
    *(
        "\U000e0041",
        "𝔘",
        "a\u0301",
        "-1",
        "1e999",
        "0x10",
        "NaN",
        "null",
        "*",
        "**",
        "[",
        "]",
        "{",
        "}",
        "$",
        "%s",
        "%00",
        "~",
        "#",
    ),
)
_DEEP: Final = 400
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)


def is_safe(text: str) -> bool:
    """Whether a text may be printed: no controls, no lone surrogates, nothing that reorders or hides a line."""
    return _UNSAFE.search(text) is None


def number_of_digits(generator: random.Random) -> str:
    """A number as text, up to thousands of digits."""
    if generator.random() < 0.7:
        return str(generator.choice(NUMBERS) * generator.choice((1, 1, -1)))
    return "9" * generator.choice((5, 19, 20, 21, 40, 400, 5000))


def value(generator: random.Random, depth: int = 0) -> Any:
    """A JSON value of any type."""
    action = generator.randrange(11 if depth < 4 else 7)
    if action == 0:
        return None
    if action == 1:
        return generator.choice((True, False))
    if action == 2:
        return generator.choice(NUMBERS) * generator.choice((1, 1, -1)) + generator.choice((0, 0, -1, 1))
    if action == 3:
        return generator.choice((1.5, -0.0, 1e300, 5e-324))
    if action < 7:
        return generator.choice(_WORDS) * generator.choice((1, 1, 1, 3, 1000))
    if action < 9:
        return [value(generator, depth + 1) for _ in range(generator.randrange(4))]
    if action == 9:
        return {generator.choice(_WORDS): value(generator, depth + 1) for _ in range(generator.randrange(4))}
    nested: Any = generator.choice((1, "x", None))
    for _ in range(generator.choice((3, 30, _DEEP))):
        nested = [nested] if generator.random() < 0.5 else {"a": nested}
    return nested


def in_json(generator: random.Random, document: Any) -> None:
    """Change a value somewhere inside a document."""
    for _ in range(generator.choice((1, 1, 1, 2, 4))):
        container, key = _place_in(generator, document)
        if key is None:
            return
        action = generator.randrange(6)
        if action == 0:
            del container[key]
        elif action == 1 and isinstance(container, dict):
            container[str(key) + generator.choice(_WORDS)] = container.pop(key)
        elif action == 2 and isinstance(container, list):
            container += container[key : key + 1] * generator.choice((1, 1, 2, 2, 2, 300))
        elif action == 3 and isinstance(container[key], int):
            container[key] += generator.choice((-1, 1, 1000))
        elif action == 4:
            other, there = _place_in(generator, document)
            if there is not None:
                container[key] = json.loads(json.dumps(other[there]))
        else:
            container[key] = value(generator)


def _place_in(generator: random.Random, document: Any) -> tuple[Any, Any]:
    """A container somewhere inside a document, and a key or index of it; None where it is empty."""
    while True:
        keys = list(document) if isinstance(document, dict) else range(len(document)) if isinstance(document, list) else ()
        if not keys:
            return document, None
        key = generator.choice(keys)
        if not isinstance(document[key], dict | list) or not document[key] or generator.random() < 0.15:
            return document, key
        document = document[key]


def another_json(generator: random.Random, data: bytes) -> bytes:
    """A JSON text changed as a value or as bytes; sometimes with what only a text can have: keys twice, huge numbers, depth."""
    if generator.random() < 0.3:
        return in_text(generator, data)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return blind(generator, data)
    in_json(generator, document)
    try:
        data = json.dumps(document).encode()
    except RecursionError:
        return data
    action = generator.randrange(12)
    if action == 0:
        return data.replace(b"1", number_of_digits(generator).encode(), 1)
    if action == 1:
        return data.replace(b"{", b'{"name":1,"name":2,', 1)
    if action == 2:
        return generator.choice((b"[", b'{"a":')) * generator.choice((100, 5000, 200_000)) + data
    return blind(generator, data) if action == 3 else data


def in_text(generator: random.Random, data: bytes, words: Sequence[bytes] = ()) -> bytes:
    """Lines and words of a text in another order, doubled, dropped or replaced; or bytes, blindly."""
    for _ in range(generator.choice((1, 1, 2, 3, 6))):
        action = generator.randrange(9)
        if action < 2 or not data:
            data = blind(generator, data)
        elif action < 5:
            lines = data.split(b"\n")
            one, other = generator.randrange(len(lines)), generator.randrange(len(lines))
            if action == 2:
                lines[one], lines[other] = lines[other], lines[one]
            elif action == 3:
                lines[one:one] = lines[other : other + generator.choice((1, 1, 3, 10))] * generator.choice((1, 1, 2, 50))
            else:
                del lines[one : one + generator.choice((1, 1, 2, 8))]
            data = b"\n".join(lines)
        else:
            at = generator.randrange(len(data) + 1)
            word = generator.choice(words) if words and generator.random() < 0.7 else _any_word(generator, data)
            word *= generator.choice((1, 1, 1, 1, 2, 5, 100))
            data = data[:at] + word + data[at + generator.choice((0, 0, 1, len(word))) :]
    return data[:200_000]


def _any_word(generator: random.Random, data: bytes) -> bytes:
    action = generator.randrange(4)
    if action == 0:
        return generator.choice(_WORDS).encode("utf-8", "surrogatepass")
    if action == 1:
        return number_of_digits(generator).encode()
    if action == 2:
        return generator.randbytes(generator.choice((1, 2, 4)))
    start = generator.randrange(len(data))
    return data[start : start + generator.choice((1, 2, 3, 8, 20))]
