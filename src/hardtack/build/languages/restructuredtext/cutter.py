"""reStructuredText in, its sections, targets, citations, substitutions and code blocks out.

A title is a line of text with a line of one repeated punctuation mark below it, at least as long, and optionally the same above
it. Levels are not fixed: each new style (mark, overlined or not) is one level below the last new one.
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

_ADORNMENT = re.compile(rb"([!-/:-@\[-`{-~])\1*[ \t]*\r?$")
_EXPLICIT = re.compile(rb"\.\.[ \t]+(?:_(?!_)(`[^`\r\n]+`|(?:\\.|[^:\\\r\n])+):|\[([^\]\r\n]+)\]|\|([^|\r\n]+)\|)")

_CODE = re.compile(rb"^([ \t]*)\.\.[ \t]+(?:code-block|sourcecode|code)::[ \t]*([^\s]+)[ \t]*\r?\n", re.MULTILINE)
_OPTION = re.compile(rb"[ \t]+:[\w-]+:[^\n]*\n")
_BLANK = re.compile(rb"[ \t\r]*\n")


def sections_of(text: bytes) -> list[Symbol]:
    """One symbol for each title or explicit mark, in order."""
    starts = line_starts(text)
    bounds = [*starts, len(text) + 1]
    lines = [text[start : end - 1] for start, end in zip(starts, bounds[1:], strict=True)]
    styles: list[tuple[bytes, bool]] = []
    marks: list[Mark] = []
    index = 0
    while index < len(lines):
        taken = _title_lines(lines, index)
        if taken:
            overlined = taken == 3
            title = index + 1 if overlined else index
            style = (lines[title + 1][:1], overlined)
            if style not in styles:
                styles.append(style)
            name = lines[title].strip()
            at = starts[title] + lines[title].index(name)
            end = starts[title + 1] + len(lines[title + 1].rstrip())
            marks.append(Mark(styles.index(style) + 1, starts[index], end, at, at + len(name)))
        elif (explicit := _EXPLICIT.match(lines[index])) is not None:
            group = explicit.lastindex or 1
            first, last = explicit.span(group)
            if group == 1 and explicit[1].startswith(b"`"):
                first, last = first + 1, last - 1
            start = starts[index]
            kind = Kind.VARIABLE if group == 3 else Kind.TARGET
            marks.append(Mark(0, start, start + len(lines[index].rstrip()), start + first, start + last, kind))
        index += taken or 1
    return symbols_of_marks(text, marks, starts)


def regions_of(text: bytes) -> list[Region]:
    """The content of the code directives that name its language."""
    regions: list[Region] = []
    for directive in _CODE.finditer(text):
        start = directive.end()
        while (option := _OPTION.match(text, start)) is not None:
            start = option.end()
        while (blank := _BLANK.match(text, start)) is not None:
            start = blank.end()
        deeper = re.compile(rb"(?:" + directive[1] + rb"[ \t]+[^\n]*(?:\n|\Z)|[ \t\r]*\n)*")
        found = deeper.match(text, start)
        if found is not None and found[0].strip():
            regions.append(Region(start, found.end(), directive[2].decode("utf-8", "replace")))
    return regions


def _title_lines(lines: Sequence[bytes], index: int) -> int:
    """Number of lines of the title that begins at ``index``: 3 with an overline, 2 without, 0 if there is none."""
    line = lines[index]
    if not line.strip():
        return 0
    if _ADORNMENT.match(line):
        if index + 2 < len(lines) and lines[index + 2].rstrip() == line.rstrip() and _fits(lines[index + 1], line):
            return 3
        return 0
    if line[:1].isspace() or index + 1 == len(lines):
        return 0
    below = lines[index + 1]
    return 2 if _ADORNMENT.match(below) and _fits(line, below) else 0


def _fits(title: bytes, adornment: bytes) -> bool:
    """Whether the adornment is as long as the title; docutils accepts three marks or fewer only for shorter titles."""
    name = title.strip().decode("utf-8", "replace")
    return bool(name) and not _ADORNMENT.match(title) and len(adornment.rstrip()) >= len(name)
