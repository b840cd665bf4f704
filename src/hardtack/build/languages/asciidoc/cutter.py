"""AsciiDoc text in, its sections, its anchors and its code blocks out.

Titles have one line (``== Title``) or two (underlined by ``=``, ``-``, ``~``, ``^`` or ``+`` of about its length);
Markdown's ``##`` counts, too. Delimited blocks hold no titles: the text between two lines of the same four or more marks is
a listing, an example, a quotation, a table or a comment. An anchor, ``[[id]]`` or ``[#id]``, is a leaf of its section.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hardtack.build.languages.prose import line_starts
from hardtack.build.languages.sections import Mark, Region, symbols_of_marks
from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.nouns.outline import Symbol

_TITLE = re.compile(rb"(={1,6}|#{1,6})[ \t]+(\S[^\r\n]*?)(?:[ \t]+\1)?[ \t]*\r?$")
_UNDERLINE = re.compile(rb"(=|-|~|\^|\+)\1{2,}[ \t]*\r?$")
_LEVELS = b"=-~^+"
_DELIMITER = re.compile(rb"([-.+=*_/])\1{3,}[ \t]*\r?$|(--|```[\w+-]*|[|,:!]={3,})[ \t]*\r?$")
_ANCHOR = re.compile(rb"[ \t]*\[\[([\w:.-]+)[^\]\r\n]*\]\]|[ \t]*\[[^\[\]#\r\n]*#([\w:.-]+)[^\]\r\n]*\][ \t]*\r?$")
_SOURCE = re.compile(
    rb"^\[(?:source|[%\w]*,?[ \t]*source)?,[ \t]*([\w+#-]+)[^\]\r\n]*\][ \t]*\r?\n(?:\.[^\s.][^\n]*\n)?(-{4,}|\.{4,})[ \t]*\r?\n",
    re.MULTILINE,
)
_MAX_LENGTHS_APART = 2
"""Characters by which an underline may miss its title's length."""


def sections_of(text: bytes) -> list[Symbol]:
    """One symbol for each title or anchor, in order."""
    starts = line_starts(text)
    bounds = [*starts, len(text) + 1]
    lines = [text[start : end - 1] for start, end in zip(starts, bounds[1:], strict=True)]
    marks: list[Mark] = []
    block = b""  # what opened the block that we are in
    for index, line in enumerate(lines):
        start = starts[index]
        if not block and (underlined := _underlined(lines, index)):
            end = starts[index + 1] + len(lines[index + 1].rstrip())
            marks.append(Mark(underlined, start, end, start, start + len(line.rstrip())))
        elif (delimiter := _DELIMITER.match(line)) is not None:
            if not block:
                block = b"" if _is_underline(lines, index) else _opened(delimiter)
            elif line.rstrip() == block:
                block = b""
        elif block:
            continue
        elif (title := _TITLE.match(line)) is not None:
            first, last = title.span(2)
            marks.append(Mark(len(title[1]), start, start + len(line.rstrip()), start + first, start + last))
        elif (anchor := _ANCHOR.match(line)) is not None:
            first, last = anchor.span(anchor.lastindex or 1)
            marks.append(Mark(0, start, start + len(line.rstrip()), start + first, start + last, Kind.TARGET))
    return symbols_of_marks(text, marks, starts)


def regions_of(text: bytes) -> list[Region]:
    """The listings that name their language, without their delimiters."""
    regions: list[Region] = []
    end = 0
    for source in _SOURCE.finditer(text):
        if source.start() < end:
            continue
        closing = re.compile(rb"^" + re.escape(source[2]) + rb"[ \t]*\r?$", re.MULTILINE).search(text, source.end())
        if closing is None:
            break
        end = closing.end()
        if source.end() < closing.start():
            regions.append(Region(source.end(), closing.start(), source[1].decode("utf-8", "replace")))
    return regions


def _opened(delimiter: re.Match[bytes]) -> bytes:
    """The line that closes the block."""
    line = delimiter[0].rstrip()
    return b"```" if line.startswith(b"```") else line


def _is_underline(lines: Sequence[bytes], index: int) -> bool:
    """Whether the line underlines the one before it instead of opening a block."""
    return index > 0 and _underlined(lines, index - 1) > 0


def _underlined(lines: Sequence[bytes], index: int) -> int:
    """The level of a title that the next line underlines; 0 if it does not."""
    if index + 1 == len(lines) or (line := lines[index].rstrip()) == b"" or not (line[:1].isalnum() or line[:1] >= b"\x80"):
        return 0
    if index > 0 and lines[index - 1].strip() and not lines[index - 1].startswith((b"[", b"//", b"+", b"|", b"=", b"-")):
        return 0  # the last line of a paragraph: what follows is a block
    underline = _UNDERLINE.match(lines[index + 1])
    if underline is None:
        return 0
    length = len(line.decode("utf-8", "replace"))
    return 0 if abs(length - len(underline[0].rstrip())) > _MAX_LENGTHS_APART else _LEVELS.index(underline[1]) + 1
