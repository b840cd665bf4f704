"""A file's text, its colours and the links in it in, HTML out: one line a line, each with its number as an anchor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from markupsafe import Markup

from hardtack.page.highlighting import Part
from hardtack.render.style import inert

_NAME: Final = re.compile(r"[\w$]+|\S")


class Mark(NamedTuple):
    """A name in a text that is a link, a definition or both."""

    start: int
    """Byte."""
    end: int
    """Byte behind it; -1 for the end of the name that begins at ``start``."""
    opening: str
    """The tag before it, in HTML."""
    closing: str
    symbols: tuple[int, ...] = ()
    """Those whose names it is, by their numbers in the file."""


class Lettered(NamedTuple):
    """A mark whose places are characters."""

    start: int
    end: int
    opening: str
    closing: str
    symbols: tuple[int, ...]


def lettered(data: bytes, text: str, marks: Iterable[Mark]) -> list[Lettered]:
    """Marks by characters of ``text``, which is ``data`` decoded; of those that overlap the first stays. They come in order."""
    is_ascii = len(data) == len(text)
    found: list[Lettered] = []
    byte = letter = last = 0
    for mark in marks:
        if mark.start >= len(data):
            break
        start, end = mark.start, mark.end
        if not is_ascii:
            letter += len(data[byte:start].decode("utf-8", "replace"))
            byte, start = start, letter
            end = start + len(data[mark.start : mark.end].decode("utf-8", "replace")) if end >= 0 else -1
        if end < 0:
            match = _NAME.match(text, start)
            end = match.end() if match else start
        if last <= start < end:
            found.append(Lettered(start, end, mark.opening, mark.closing, mark.symbols))
            last = end
    return found


def source_html(text: str, parts: Sequence[Part], marks: Sequence[Lettered], ends: Mapping[int, str], prefix: str) -> Markup:
    """The lines of a text.

    Args:
        text: ends in a line feed or not.
        parts: tile it.
        marks: in order.
        ends: line -> HTML that stands at its end.
        prefix: of anchors.
    """
    pieces: list[str] = []
    at = number = 0
    for colour, length in parts:
        end = at + length
        while at < end:
            while number < len(marks) and marks[number].end <= at:
                number += 1
            mark = marks[number] if number < len(marks) and marks[number].start < end else None
            if mark and mark.start <= at:
                stop = min(mark.end, end)
                pieces.append(f"{mark.opening}{_coloured(text[at:stop], colour)}{mark.closing}")
            else:
                stop = mark.start if mark else end
                pieces.append(_coloured(text[at:stop], colour))
            at = stop
    lines = "".join(pieces).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return Markup(  # noqa: S704  (every piece was escaped)
        "".join(
            f"<a class=n id={prefix}L{line} href=#{prefix}L{line}>{line}</a>{html}{ends.get(line, '')}\n"
            for line, html in enumerate(lines, 1)
        )
    )


def _coloured(text: str, colour: str) -> str:
    html = escape(inert(text.replace("\r\n", "\n")), quote=False)
    if not colour:
        return html
    return "\n".join(f"<b class={colour}>{line}</b>" if line else "" for line in html.split("\n"))
