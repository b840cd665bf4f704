"""HTML names: a heading's text without the markup in it."""

from __future__ import annotations

import re

_TAG = re.compile(r"<[^<>]*>")


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The text between the tags; names have no scope here."""
    return " ".join(_TAG.sub("", name).split()), scope
