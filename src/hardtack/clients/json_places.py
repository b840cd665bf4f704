"""JSON text in, its values with their positions in the text out; comments and trailing commas are accepted.

Invalid text raises :class:`json.JSONDecodeError`, which has the line number.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

# Possessive quantifiers (++) and atomic groups (?>...) do not backtrack, so that no text takes exponential time.
_BLANK: Final = re.compile(r"(?>(?:[ \t\r\n]++|//[^\r\n]*|/\*.*?\*/)*)", re.DOTALL)
_STRING: Final = re.compile(r'"(?>(?:[^"\\\x00-\x1f]++|\\.)*)"')
_SCALAR: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_MOST_VALUES: Final = 500_000
"""Values of one text: each takes some hundred bytes of memory."""
_DEEPEST: Final = 200
"""The deepest nesting of values: far more than any configuration has, and half of what Python's stack allows."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value and its position: ``text[start:end]``."""

    start: int
    end: int
    data: Any
    """The value as :func:`json.loads` gives it."""
    members: tuple[JsonMember, ...] | None = None
    """The members of an object; None for any other value."""


@dataclass(frozen=True, slots=True)
class JsonMember:
    """One ``"key": value`` of an object."""

    key: str
    start: int
    key_end: int
    value: Value
    comma: int | None
    """The position of the comma after it; None when there is none."""

    @property
    def after(self) -> int:
        """The position after the member and its comma."""
        return self.value.end if self.comma is None else self.comma + 1


def parse(text: str) -> Value:
    """The document's value.

    Raises:
        json.JSONDecodeError: it is no JSON with comments and trailing commas.
    """
    scanner = _Scanner(text)
    value = scanner.value(scanner.past_blank(0), 0)
    if (end := scanner.past_blank(value.end)) < len(text):
        raise json.JSONDecodeError("nothing may follow the document", text, end)
    return value


class _Scanner:
    """Scans one text; each method takes an offset into it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = 0

    def past_blank(self, at: int) -> int:
        """The position after whitespace and comments."""
        match = _BLANK.match(self._text, at)
        assert match is not None  # the pattern also matches the empty string
        return match.end()

    def value(self, at: int, depth: int) -> Value:
        """The value that begins at ``at``."""
        self._count += 1
        if self._count > _MOST_VALUES:
            raise json.JSONDecodeError("there are too many values", self._text, at)
        if depth > _DEEPEST:
            raise json.JSONDecodeError("values are nested too deeply", self._text, at)
        opening = self._text[at : at + 1]
        if opening == "{":
            return self._object(at, depth)
        if opening == "[":
            return self._array(at, depth)
        match = (_STRING if opening == '"' else _SCALAR).match(self._text, at)
        if match is None:
            raise json.JSONDecodeError("a value is missing here", self._text, at)
        return Value(at, match.end(), self._plain(at, match.end()))

    def _plain(self, start: int, end: int) -> Any:
        """The scalar in ``text[start:end]``; json.loads also checks the escapes of a string."""
        try:
            return json.loads(self._text[start:end])
        except json.JSONDecodeError as error:
            raise json.JSONDecodeError(error.msg, self._text, start + error.pos) from None

    def _array(self, start: int, depth: int) -> Value:
        items: list[Any] = []
        at = self.past_blank(start + 1)
        while self._text[at : at + 1] != "]":
            item = self.value(at, depth + 1)
            items.append(item.data)
            at, _ = self._past_comma(item.end, "]")
        return Value(start, at + 1, items)

    def _object(self, start: int, depth: int) -> Value:
        members: list[JsonMember] = []
        at = self.past_blank(start + 1)
        while self._text[at : at + 1] != "}":
            key = _STRING.match(self._text, at)
            if key is None:
                raise json.JSONDecodeError('a key in double quotes, or "}", is missing here', self._text, at)
            colon = self.past_blank(key.end())
            if self._text[colon : colon + 1] != ":":
                raise json.JSONDecodeError('":" is missing here', self._text, colon)
            value = self.value(self.past_blank(colon + 1), depth + 1)
            name, begun = self._plain(at, key.end()), at
            at, comma = self._past_comma(value.end, "}")
            members.append(JsonMember(name, begun, key.end(), value, comma))
        return Value(start, at + 1, {member.key: member.value.data for member in members}, tuple(members))

    def _past_comma(self, at: int, closing: str) -> tuple[int, int | None]:
        """(the position of the next item or of ``closing``, the position of the comma) after an item."""
        at = self.past_blank(at)
        if self._text[at : at + 1] == ",":
            return self.past_blank(at + 1), at
        if self._text[at : at + 1] != closing:
            raise json.JSONDecodeError(f'"," or "{closing}" is missing here', self._text, at)
        return at, None
