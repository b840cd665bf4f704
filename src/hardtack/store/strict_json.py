"""Untrusted bytes in, a JSON object out; duplicate keys, NaN, infinities, huge numbers and deep nesting are refused."""

from __future__ import annotations

import json
from typing import Any

from hardtack.notations import parse_json


def parse_object(data: bytes) -> dict[str, Any]:
    """The JSON object in ``data``, whose size whoever got it has limited.

    Raises:
        ValueError: there is no object, or two parsers could read it differently; the message says what is wrong.
    """
    try:
        document = parse_json(data.decode("utf-8"), most=len(data), is_strict=True)
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except json.JSONDecodeError:
        raise ValueError("it is not JSON") from None
    if not isinstance(document, dict):
        raise ValueError("it is no JSON object")
    return document
