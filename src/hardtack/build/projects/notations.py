"""Text in, plain values out: safe parsers of the notations of manifests.

For an invalid text they raise ``ValueError`` or ``RecursionError``, and nothing else.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from typing import Final
from xml.parsers import expat

_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")

_MAX_DOTTED: Final = 1_000_000
"""Maximum of the sum, over all lines, of the squared number of dots: ``tomllib`` takes that many steps for keys like ``a.b.c``, and
one megabyte of dots would take hours. Manifests stay below ten thousand."""

_MAX_ELEMENT_DEPTH: Final = 8
"""Deeper elements are not reported; a POM's own are at most seven deep."""

_LONGEST_NAME: Final = 100
"""Maximum characters of an element's name; a longer one is replaced by an empty one, since it is part of each child's path."""


def parse_json(text: str) -> object:
    """Parse standard JSON."""
    value: object = json.loads(text)
    return value


def parse_json_with_comments(text: str) -> object:
    """Parse JSON with ``//`` and ``/* */`` comments and trailing commas, as TypeScript reads its settings."""
    without_comments = _COMMENT.sub(lambda match: match[1] or " ", text)
    return parse_json(_TRAILING_COMMA.sub(lambda match: match[1] or "", without_comments))


def parse_toml(text: str) -> object:
    """Parse TOML, except a text that would take quadratic time."""
    if sum(line.count(".") ** 2 for line in text.split("\n")) > _MAX_DOTTED:
        raise ValueError("keys of too many parts")
    return tomllib.loads(text)


def parse_ini(text: str) -> dict[str, dict[str, str]]:
    """Section -> option -> value, as setuptools reads ``setup.cfg``; nothing is interpolated."""
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError("no ini file") from error
    return {section: dict(parser.items(section)) for section in parser.sections()}


def parse_xml(text: str) -> list[tuple[str, str]]:
    """(path, text) of every element that holds only text, in the order of their ends; a path is ``project/parent/version``.

    A document type is refused: it may declare entities that expand without limit, and no manifest has one.
    """
    found: list[tuple[str, str]] = []
    names: list[str] = []
    pieces: list[str] = []

    def refuse(*_: object) -> None:
        raise ValueError("a document type")

    def start(name: str, _: dict[str, str]) -> None:
        names.append(name.rpartition(":")[2] if len(name) <= _LONGEST_NAME else "")
        pieces.clear()

    def end(_: str) -> None:
        if len(names) <= _MAX_ELEMENT_DEPTH and (value := "".join(pieces).strip()):
            found.append(("/".join(names), value))
        names.pop()
        pieces.clear()

    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pieces.append
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        raise ValueError("no XML") from error
    return found
