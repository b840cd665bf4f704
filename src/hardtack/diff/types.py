"""Two types as written in, whether the second takes more or fewer values out, as far as their text tells.

Only unions tell: ``int`` and ``int | None``, ``Optional[int]``, ``"a" | "b"``. A type that was given or taken away says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

_SPACE: Final = re.compile(r"\s+")
_AROUND: Final = re.compile(r"\s*([^\w\s])\s*")
_PYTHON_PREFIX: Final = re.compile(r"\b(?:typing|typing_extensions|t|collections\.abc|builtins)\.(?=\w)")
_PYTHON_BUILTINS: Final = re.compile(r"\b(List|Dict|Tuple|Set|FrozenSet|Type)(?=\[)")
_JAVA_NOISE: Final = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*|\bfinal\s+")
_GO_EMPTY: Final = re.compile(r"\binterface\{\}")
_LIFETIME: Final = re.compile(r"'(?!static\b)\w+\s*,?\s*")
_RUST_EMPTY: Final = re.compile(r"(?<=\w)<>")
_PATH: Final = re.compile(r"[\w$]+(?:(?:::|\.)[\w$]+)*")
_WORD: Final = re.compile(r"(?<!\w)(?<!\w\.)'?\w+\b")
_OPEN: Final = "([{<"
_CLOSE: Final = ")]}>"
_TOP: Final = frozenset({"any", "unknown", "Any", "object"})
"""Types that take every value."""


class Fit(Enum):
    """How a new type stands to an old one."""

    SAME = auto()
    WIDER = auto()
    """It has all values of the old one, and more."""
    NARROWER = auto()
    OTHER = auto()
    """Its text does not tell."""


def spelt(text: str, language: str) -> str:
    """A type in one spelling of several that mean the same."""
    text = _SPACE.sub(" ", text).strip()
    if language == "python":
        text = _PYTHON_PREFIX.sub("", text.replace('"', "").replace("'", "") if "Literal" not in text else text)
        text = _PYTHON_BUILTINS.sub(lambda found: found[1].lower(), text)
    elif language in ("java", "kotlin", "groovy"):
        text = _JAVA_NOISE.sub("", text)
    elif language == "go":
        text = _GO_EMPTY.sub("any", text)
    elif language == "rust":
        text = _RUST_EMPTY.sub("", _LIFETIME.sub("", text))
    return _AROUND.sub(r"\1", text)


def is_same(old: str, new: str, language: str) -> bool:
    """Whether two types are the same as far as their text tells: a name with its module and the same one without count as one."""
    before, after = spelt(old, language), spelt(new, language)
    if before == after:
        return True
    if language == "go" or _PATH.sub("", before) != _PATH.sub("", after):
        return False
    pairs = zip(_PATH.findall(before), _PATH.findall(after), strict=True)
    return all(_ends_alike(re.split(r"::|\.", one), re.split(r"::|\.", other)) for one, other in pairs)


def _ends_alike(one: list[str], other: list[str]) -> bool:
    count = min(len(one), len(other))
    return one[-count:] == other[-count:]


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A type with some of its names replaced: those of type parameters by others, aliases by what they stand for."""
    return _WORD.sub(lambda found: names.get(found[0], found[0]), text) if names else text


def fit(old: str, new: str, language: str) -> Fit:
    """How ``new`` stands to ``old``, both as written and not empty."""
    before, after = spelt(old, language), spelt(new, language)
    if is_same(old, new, language):
        return Fit.SAME
    olds, news = _alternatives(before, language), _alternatives(after, language)
    if olds == news:
        return Fit.SAME
    if olds < news or after in _TOP:
        return Fit.WIDER
    if news < olds or before in _TOP:
        return Fit.NARROWER
    return Fit.OTHER


def _alternatives(text: str, language: str) -> frozenset[str]:
    """The members of a union; the type itself if it is none."""
    if language == "python":
        if text.startswith("Optional[") and text.endswith("]"):
            return _alternatives(text[9:-1], language) | {"None"}
        if text.startswith("Union[") and text.endswith("]"):
            return frozenset().union(*(_alternatives(each, language) for each in _split(text[6:-1], ",")))
        if text.startswith("Literal[") and text.endswith("]"):
            return frozenset(f"Literal[{each}]" for each in _split(text[8:-1], ","))
    elif language in ("kotlin", "csharp") and text.endswith("?"):
        return frozenset({text[:-1], "null"})
    parts = _split(text, "|")
    if len(parts) == 1:
        return frozenset(parts)
    return frozenset().union(*(_alternatives(each, language) for each in parts if each))


def _split(text: str, at: str) -> list[str]:
    """The parts between separators outside of brackets and quotes."""
    parts, depth, start, quote = [], 0, 0, ""
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"`":
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSE and not (letter == ">" and text[place - 1 : place] in ("=", "-")):
            depth -= 1
        elif letter == at and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return parts
