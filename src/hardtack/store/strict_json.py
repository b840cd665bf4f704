"""Untrusted bytes in, a JSON object out; duplicate keys, NaN, infinities, huge numbers and deep nesting are refused."""

from __future__ import annotations

import json
from typing import Any, Final

_MOST_DIGITS: Final = 20
"""The most characters of an integer: 64 bits need 20 with the sign. The time to parse a longer one grows with its square."""


def parse_object(data: bytes) -> dict[str, Any]:
    """The JSON object in ``data``.

    Raises:
        ValueError: there is no object, or two parsers could read it differently; the message says what is wrong.
    """
    try:
        document = json.loads(
            data.decode("utf-8"), object_pairs_hook=_distinct, parse_int=_integer, parse_float=_float, parse_constant=_constant
        )
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except json.JSONDecodeError:
        raise ValueError("it is not JSON") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(document, dict):
        raise ValueError("it is no JSON object")
    return document


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("it has a key twice")
    return document


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError("it has a number that is too long")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError("it has a number that is too large")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"it has {name} for a number")
