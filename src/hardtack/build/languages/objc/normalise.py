"""Objective-C names: ``put:(id)crate at:(int)place`` -> ``put:at:``."""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"\([^()]*\)")
_PARAMETER = re.compile(r":\s*\w*\s*")


def names_of(name: str, scope: str) -> tuple[str, str]:
    """The selector of a method without its parameters' types and names; any other name unchanged."""
    previous = ""
    while previous != name:
        previous, name = name, _BRACKETS.sub("", name)
    return _PARAMETER.sub(":", name).strip(), scope
