"""A symbol that nothing is known to use in, that answer with the lines on which its name stands nevertheless out.

No parser is here, so comments and texts in code count as well: what the answer says is that ``grep`` has something to show.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Content
from hardtack.query.files.grep import grep

MAX_LINES: Final = 1000
"""Lines that are looked at."""


class Asked(NamedTuple):
    """What was asked about a name."""

    name: str
    does: str
    """What a place does that was looked for, as in ``nothing calls it``."""
    noun: str
    """What such a place is, as in ``no call of it``; empty if it need not have the name."""
    is_part: bool
    """Whether only some of the places were wanted."""


def nothing_known(bundle: Bundle, ordinals: Sequence[int], asked: Asked) -> str:
    """The answer that no such place is known, for the symbols of a name, at least one."""
    part = ", as far as was asked" if asked.is_part else ""
    if asked.noun and not bundle.has_text:
        return (
            f"{asked.name} is in the bundle, and no {asked.noun} it is known there{part}; the bundle has no text to look further."
        )
    lines, files, is_more = _elsewhere(bundle, ordinals) if asked.noun else (0, 0, False)
    if not lines:
        return f"{asked.name} is in the bundle, and nothing there {asked.does} it{part}."
    places = f"{lines}{' or more' * is_more} more line{'s' * (lines > 1)} of {files} file{'s' * (files > 1)}"
    name = bundle.symbol_name(ordinals[0]).name
    return (
        f"{asked.name} is in the bundle, and no {asked.noun} it is known there{part}; but its name stands on {places} of code, "
        f"comments included: a search for the text {name} lists them (grep)."
    )


def _elsewhere(bundle: Bundle, ordinals: Sequence[int]) -> tuple[int, int, bool]:
    """(lines of code with the name beside those that define the symbols, their files, whether there may be more)."""
    places, is_more = places_of_name(bundle, ordinals)
    return len(places), len({path for path, _ in places}), is_more


def places_of_name(bundle: Bundle, ordinals: Sequence[int]) -> tuple[list[tuple[str, int]], bool]:
    """Paths and lines of code with the name of symbols, beside those that define them, in order; whether there may be more."""
    symbols = [bundle.symbol(ordinal) for ordinal in ordinals]
    defined = {(bundle.file(symbol.file).path, symbol.selection_line) for symbol in symbols}
    code = [number for number, file in enumerate(bundle.files) if file.content == Content.CODE]
    whole = re.compile(rf"(?<![\w$]){re.escape(symbols[0].name)}(?![\w$])")
    found = grep(bundle, symbols[0].name, files=code, limit=MAX_LINES)
    places = {(each.path, each.line) for each in found.matches if whole.search(each.text)} - defined
    return sorted(places), found.truncated
