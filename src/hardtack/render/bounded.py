"""JSON values in, as much of them as fits a number of bytes out, and how much of what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from hardtack.render.style import json_size

_SHORT: Final = 60
"""Bytes of a text that is kept in any case."""


def within(value: Any, room: int) -> Any:
    """JSON values of at most so many bytes: long lists lose their last entries, then long texts go; no value is cut.

    ``left_out`` says how many entries of which lists, and how many characters of which texts.
    """
    left_out: dict[str, int] = {}
    document = value
    while (excess := json_size(document) - room) > 0:
        parts = [*_parts(value, "")]
        texts = [each for each in parts if isinstance(each.value, str) and each.size > _SHORT]
        lists = [each for each in parts if isinstance(each.value, list) and len(each.value) > 1]
        # A text that fits in no case goes first, so that lists do not pay for it.
        droppable = [each for each in texts if each.size > room] or lists or texts or [each for each in parts if each.size > _SHORT]
        if not droppable:
            break
        largest = max(droppable, key=lambda each: each.size)
        left_out[largest.where] = left_out.get(largest.where, 0) + _dropped(largest, excess)
        document = {**value, "left_out": left_out} if isinstance(value, dict) else {"result": value, "left_out": left_out}
    return document


def _dropped(part: _Part, excess: int) -> int:
    """Drop the last half of a list, or as few entries as make up for an excess of bytes; else the value. How much was dropped."""
    length = len(part.value)
    if isinstance(part.value, list) and length > 1:
        while len(part.value) > length // 2 and excess > 0:
            excess -= json_size(part.value.pop()) + 1
        return length - len(part.value)
    del part.holder[part.key]
    return length


class _Part(NamedTuple):
    """A list or a text in a JSON value."""

    holder: Any
    key: str
    where: str
    """The keys that lead there, joined by dots; entries of lists have none."""
    value: Any
    size: int


def _parts(value: Any, where: str) -> Iterator[_Part]:
    """The lists and the texts that are values of keys, at any depth."""
    if isinstance(value, dict):
        for key, each in value.items():
            inner = f"{where}.{key}".lstrip(".")
            if isinstance(each, list | str):
                yield _Part(value, key, inner, each, json_size(each))
            yield from _parts(each, inner)
    elif isinstance(value, list):
        if not where and len(value) > 1:
            yield _Part(None, "", "result", value, json_size(value))
        for each in value:
            yield from _parts(each, where or "result")
