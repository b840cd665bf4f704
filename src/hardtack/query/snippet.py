"""A chunk in, the lines to show for it out, within a budget.

At most :data:`MAX_LINES` lines, those around the symbol that answers the query, and no line longer than :data:`MAX_COLUMNS`
characters (seed 4's bounds).
"""

from __future__ import annotations

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord

MAX_LINES = 50
MAX_COLUMNS = 200


def cut(bundle: Bundle, chunk: ChunkRecord, symbol: int) -> str:
    """The text shown for ``chunk``; empty when the bundle was built without text.

    Args:
        bundle: holds the text.
        chunk: the hit.
        symbol: ordinal of the symbol that answers the query, or -1 for the chunk's beginning.
    """
    if not bundle.has_text:
        return ""
    text = bundle.text_of(bundle.file(chunk.file), chunk.span.start, chunk.span.end).decode("utf-8", "replace")
    lines = text.split("\n")
    first = 0
    if symbol >= 0 and len(lines) > MAX_LINES:
        wanted = bundle.symbol(symbol).extent_start_line - chunk.span.start_line
        first = min(max(wanted, 0), len(lines) - MAX_LINES)
    shown = (line.rstrip("\r") for line in lines[first : first + MAX_LINES])
    return "\n".join(line if len(line) <= MAX_COLUMNS else line[: MAX_COLUMNS - 3] + "..." for line in shown)
