"""INI text in, its sections and keys out; Java's properties, Git's and systemd's settings and the like read the same.

A section is a name in brackets, a key the text before the first ``=`` or ``:`` of its line. A line that is indented further
than the key above it belongs to that key's value, as does the line after a closing backslash. The format is not standardised, so
other lines are ignored: patterns in an ignore file, the statements of a server's settings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hardtack.build.languages.prose import line_starts
from hardtack.build.languages.sections import Mark, symbols_of_marks
from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from hardtack.nouns.outline import Symbol

_SECTION = re.compile(rb"[ \t]*\[[ \t]*([^\[\]\r\n]*[^\[\]\s])[ \t]*\][ \t]*(?:[#;][^\r\n]*)?\r?$")
_KEY = re.compile(
    rb"([ \t]*)(?:export[ \t]+)?([A-Za-z_@$][\w.@$/-]*(?:\[[^\]\r\n]*\])*|[A-Za-z][\w-]*(?:[ \t][\w-]+)*)[ \t]*"
    rb"(?:=(?![=>~])|:(?![:/=]))"
)


def sections_of(text: bytes) -> list[Symbol]:
    """One symbol for each section or key, in order."""
    starts = line_starts(text)
    bounds = [*starts, len(text) + 1]
    marks: list[Mark] = []
    indent = -1  # of the keys here; deeper lines are values
    continued = False
    for start, bound in zip(starts, bounds[1:], strict=True):
        line = text[start : bound - 1]
        within, continued = continued, line.rstrip(b"\r").endswith(b"\\")
        if within:
            continue
        if (section := _SECTION.match(line)) is not None:
            first, last = section.span(1)
            marks.append(Mark(1, start, start + len(line.rstrip()), start + first, start + last))
            indent = -1
        elif (key := _KEY.match(line)) is not None and (indent < 0 or len(key[1]) <= indent):
            indent = len(key[1])
            first, last = key.span(2)
            marks.append(Mark(0, start + indent, start + len(line.rstrip()), start + first, start + last, Kind.KEY))
    return symbols_of_marks(text, marks, starts)
