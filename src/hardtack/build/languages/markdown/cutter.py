"""Markdown text in, its sections and its fenced code out.

ATX (``## Title ##``) and setext (underlined) headings as in CommonMark; fenced code, indented code, HTML comments and
front matter hold no headings. A name is the heading's text as written, with inline marks, without closing ``#``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hardtack.build.languages.prose import line_starts
from hardtack.build.languages.sections import Mark, Region, symbols_of_marks

if TYPE_CHECKING:
    from hardtack.nouns.outline import Symbol

_ATX = re.compile(rb" {0,3}(#{1,6})(?:[ \t]+|\r?$)")
_SETEXT = re.compile(rb" {0,3}(=+|-+)[ \t]*\r?$")
_FENCE = re.compile(rb"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\r\n]*)")
_FENCE_LINE = re.compile(rb"^" + _FENCE.pattern + rb"\r?$", re.MULTILINE)
_NOT_A_PARAGRAPH = re.compile(rb"(?: {4}|\t)| {0,3}(?:[-*+][ \t]|\d{1,9}[.)][ \t]|>|\||<!--|#{1,6}[ \t]|(?:[-*_][ \t]*){3,}\r?$)")


def sections_of(text: bytes) -> list[Symbol]:
    """One symbol for each heading, in order; empty for text without headings."""
    starts = line_starts(text)
    marks: list[Mark] = []
    fence = b""
    paragraph = -1  # start of the line that an underline would make a heading, or -1
    comment = False
    for index in range(_after_front_matter(text), len(starts)):
        start = starts[index]
        end = starts[index + 1] - 1 if index + 1 < len(starts) else len(text)
        line = text[start:end]
        if fence:
            fence = b"" if _closes(line, fence) else fence
        elif comment or b"<!--" in line:
            comment = b"-->" not in line[line.rfind(b"<!--") + 1 :]
            paragraph = -1
        elif (opened := _FENCE.match(line)) and not (opened[1][:1] == b"`" and b"`" in opened[2]):
            fence, paragraph = opened[1], -1
        elif (atx := _ATX.match(line)) is not None:
            if name := _without_closing(line[atx.end() :]):
                at = start + atx.end()
                marks.append(Mark(len(atx[1]), start, start + len(line.rstrip()), at, at + len(name)))
            paragraph = -1
        elif paragraph >= 0 and (underline := _SETEXT.match(line)) is not None:
            name = text[paragraph:start].strip()
            at = text.index(name, paragraph)
            marks.append(Mark(1 if underline[1][:1] == b"=" else 2, paragraph, start + len(line.rstrip()), at, at + len(name)))
            paragraph = -1
        else:
            paragraph = start if line.strip() and not _NOT_A_PARAGRAPH.match(line) else -1
    return symbols_of_marks(text, marks, starts)


def regions_of(text: bytes) -> list[Region]:
    """The fenced blocks that name their language, without their fences."""
    regions: list[Region] = []
    mark, info, start = b"", b"", 0
    for fence in _FENCE_LINE.finditer(text):
        if not mark:
            if not (fence[1][:1] == b"`" and b"`" in fence[2]):
                mark, info, start = fence[1], fence[2].strip(), fence.end() + 1
        elif _closes(fence[0], mark):
            if info and start < fence.start():
                regions.append(Region(start, fence.start(), info.decode("utf-8", "replace")))
            mark = b""
    return regions


def _without_closing(heading: bytes) -> bytes:
    """The text of an ATX heading without the ``#`` marks that may close it."""
    heading = heading.rstrip()
    opened = heading.rstrip(b"#")
    return opened.rstrip() if not opened or opened[-1:].isspace() else heading


def _closes(line: bytes, fence: bytes) -> bool:
    """Whether ``line`` ends the block that ``fence`` opened: the same mark, at least as long, and nothing else."""
    mark = line.strip(b" \t\r>")
    return len(mark) >= len(fence) and mark == fence[:1] * len(mark)


def _after_front_matter(text: bytes) -> int:
    """Index of the first line after a leading ``---`` block, or 0."""
    if not re.match(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n", text):
        return 0
    closing = re.compile(rb"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE).search(text, text.index(b"\n") + 1)
    return text.count(b"\n", 0, closing.end()) + 1 if closing else 0
