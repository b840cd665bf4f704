"""Pod text in, one symbol for each heading out: ``=head1`` to ``=head6``, named by their text as written, with formatting codes.

A paragraph belongs to the directive that begins it, so a heading may continue on the next line. ``=begin`` to ``=end`` is for
other formats, and text after ``=cut`` is no Pod until the next directive: neither holds headings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hardtack.build.languages.prose import line_starts
from hardtack.build.languages.sections import Mark, symbols_of_marks

if TYPE_CHECKING:
    from hardtack.nouns.outline import Symbol

_DIRECTIVE = re.compile(rb"^=(?:head([1-6])[ \t]+([^\r\n]*[^\s])|(begin|end)\b)", re.MULTILINE)


def sections_of(text: bytes) -> list[Symbol]:
    """One symbol for each heading, in order; empty for text without headings."""
    marks: list[Mark] = []
    foreign = False
    for directive in _DIRECTIVE.finditer(text):
        if directive[3] is not None:
            foreign = directive[3] == b"begin"
        elif not foreign:
            marks.append(Mark(int(directive[1]), directive.start(), directive.end(), *directive.span(2)))
    return symbols_of_marks(text, marks, line_starts(text))
