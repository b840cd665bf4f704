"""What the files of a checkout define, and what stands in their documentation: read with the project's own parser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardtack.build.languages.registry import language_named
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.model import FUNCTIONS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TYPES = frozenset({Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE, Kind.MODULE, Kind.NAMESPACE})
CALLABLES = frozenset(FUNCTIONS)
MOST_BYTES = 400_000
"""A larger file is generated or a table; its definitions are left out."""

_LINE_COMMENT = re.compile(r"\s*(?://|#(?!!|\[|include|if|define|pragma|import)|--|;|\*|/\*|\{-|%)")
_DOCSTRING = re.compile(r"""\s*[rRuU]?(\"{3}|'{3})""")
_NO_DESCRIPTION = re.compile(
    r"copyright|licen[cs]e|spdx|all rights reserved|redistribut|generated|\$id|\bauthor\b|coding:|vim:|-\*-|go:build"
    r"|frozen_string_literal|eslint|jshint|shellcheck|@ts-|pylint|noqa|rubocop",
    re.IGNORECASE,
)
_HEADER_LINES = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A named definition, or a file when ``kind`` is ``Kind.FILE``."""

    path: str
    """Relative to the repository."""
    kind: Kind
    name: str
    qualified_name: str
    doc: str
    lines: range
    """Numbers, from 1, of the lines of its extent: documentation and definition."""


def definitions_of(checkout: Path, paths: Iterable[str], language: str) -> list[Definition]:
    """Every definition of the files in ``paths``, file by file; a file's own documentation comes before what it defines."""
    known = language_named(language)
    assert known is not None, language
    definitions = []
    for path in paths:
        text = (checkout / path).read_bytes()
        if len(text) > MOST_BYTES:
            continue
        header = header_of(text.decode("utf-8", "replace").splitlines())
        if header is not None:
            doc, lines = header
            definitions.append(Definition(path=path, kind=Kind.FILE, name="", qualified_name="", doc=doc, lines=lines))
        for symbol in outline_of(text, known).symbols:
            definition = Definition(
                path=path,
                kind=symbol.kind,
                name=symbol.name,
                qualified_name=symbol.qualified_name,
                doc=symbol.doc,
                lines=range(symbol.extent.start_line, symbol.span.end_line + 1),
            )
            definitions.append(definition)
    return definitions


def header_of(lines: list[str]) -> tuple[str, range] | None:
    """The comment or docstring that opens a file and says what it is for, with its lines' numbers; notices do not count."""
    number = 0
    while number < min(len(lines), _HEADER_LINES):
        line = lines[number]
        if not line.strip() or line.startswith("#!"):
            number += 1
            continue
        end = _end_of_block(lines, number)
        if end is None:
            return None
        block = lines[number:end]
        if not _NO_DESCRIPTION.search("\n".join(block)):
            return "\n".join(words_of(each) for each in block).strip(), range(number + 1, end + 1)
        number = end
    return None


def _end_of_block(lines: list[str], start: int) -> int | None:
    """The index behind the comment or docstring that begins at ``start``; None when none does."""
    if quoted := _DOCSTRING.match(lines[start]):
        quote = quoted[1]
        if quote in lines[start][quoted.end() :]:
            return start + 1
        return next((number + 1 for number in range(start + 1, len(lines)) if quote in lines[number]), None)
    for opening, closing in (("/*", "*/"), ("{-", "-}"), ("--[[", "]]")):
        if lines[start].lstrip().startswith(opening):
            return next((number + 1 for number in range(start, len(lines)) if closing in lines[number]), None)
    end = start
    while end < len(lines) and _LINE_COMMENT.match(lines[end]):
        end += 1
    return end if end > start else None


_MARKS = re.compile(r"^\s*(?:/\*[*!]?|\*/|\*(?!\*)|//[/!]?|#+|--\[\[|\]\]|--+(?:\s?[|^])?|;+|\{-+\s?\|?|[rRuU]?(?:\"{3}|'{3}))?\s?")
_CLOSING = re.compile(r"\s*(?:\*+/|-\}|\]\]|\"{3}|'{3})\s*$")


def words_of(line: str) -> str:
    """A line of a comment or docstring without its marks."""
    marks = _MARKS.match(line)
    assert marks is not None, "every part of it may be absent"
    return _CLOSING.sub("", line[marks.end() :]).strip()
