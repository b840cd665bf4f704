"""Headings in, nested symbols out, for the cutters of prose formats.

A section's span is from its heading to the next heading of the same or a higher level, or to the end of the text. A mark of level 0
is a leaf inside its section and has its own end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardtack.nouns.model import Kind, Span
from hardtack.nouns.outline import Symbol
from hardtack.text import composed

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SIGNATURE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Mark:
    """A heading or an anchor; offsets are bytes."""

    level: int
    """1 for the highest heading; 0 for an anchor."""
    start: int
    end: int
    """One past the last byte of the heading itself, without its line end."""
    name_start: int
    name_end: int
    kind: Kind = Kind.SECTION


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a file, in bytes, that is written in another language."""

    start: int
    end: int
    language: str
    """As the file names it (``js``, ``text/x-python``); it may be unknown."""


def symbols_of_marks(text: bytes, marks: Sequence[Mark], starts: Sequence[int]) -> list[Symbol]:
    """The symbols of ``marks``, which are in the order of ``start``; ``starts`` are the text's line starts."""

    def span(start: int, end: int) -> Span:
        first = bisect_right(starts, start)
        return Span(start=start, end=end, start_line=first, end_line=max(first, bisect_left(starts, end)))

    ends = _ends_of(text, marks)
    symbols: list[Symbol] = []
    open_sections: list[tuple[int, int]] = []  # (index, level), outermost first
    for mark, end in zip(marks, ends, strict=True):
        while open_sections and mark.level and open_sections[-1][1] >= mark.level:
            open_sections.pop()
        parent = open_sections[-1][0] if open_sections else -1
        name = composed(text[mark.name_start : mark.name_end].decode("utf-8", "replace"))
        whole = span(mark.start, end)
        heading = " ".join(text[mark.start : mark.end].decode("utf-8", "replace").split())
        symbols.append(
            Symbol(
                name=name,
                qualified_name=f"{symbols[parent].qualified_name}.{name}" if parent >= 0 else name,
                kind=mark.kind,
                span=whole,
                extent=whole,
                selection=span(mark.name_start, mark.name_end),
                signature=heading[:MAX_SIGNATURE_CHARACTERS].rstrip(),
                doc="",
                package="",
                parent=parent,
            )
        )
        if mark.level:
            open_sections.append((len(symbols) - 1, mark.level))
    return symbols


def _ends_of(text: bytes, marks: Sequence[Mark]) -> list[int]:
    """The end of each mark's symbol, found in one pass from the back."""
    ends = [mark.end for mark in marks]
    following: list[Mark] = []  # later headings that are not inside a nearer one, nearest last
    for index in range(len(marks) - 1, -1, -1):
        mark = marks[index]
        if not mark.level:
            continue
        while following and following[-1].level > mark.level:
            following.pop()
        ends[index] = following[-1].start if following else len(text)
        following.append(mark)
    return ends
