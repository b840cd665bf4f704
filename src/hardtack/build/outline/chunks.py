"""A file's text and its symbols in, its chunks out.

Chunks tile the file: every non-blank line is in exactly one chunk, in order, and chunks never nest. First the file is cut where
symbols begin and end; a symbol that is too large is cut again at the symbols inside it, or, if it has none, between lines. Then
neighbours that are too small are joined. Both steps use only the text and the symbols, so equal files give equal chunks.

Sizes are in tokens of four characters. The best size is between :data:`SMALL` and :data:`LARGE`; no chunk exceeds :data:`LIMIT`; a
chunk smaller than :data:`TINY` stays alone only if both neighbours are full.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hardtack.nouns.model import Span
from hardtack.nouns.outline import Chunk, Symbol

TOKEN_CHARACTERS = 4
TINY = 50
SMALL = 200
LARGE = 500
WHOLE = 1000
"""A symbol up to this size without inner symbols stays whole: a long function is more useful than half of one."""
LIMIT = 2000


@dataclass(slots=True)
class _Piece:
    """Whole lines, or a part of one overlong line, that become a chunk or a part of one."""

    start: int
    end: int
    characters: int
    owner: int
    """The symbol whose splitting made this piece, or -1 for the file."""
    is_symbol: bool = False
    """Whether the piece is one whole symbol with its documentation."""

    @property
    def tokens(self) -> int:
        return -(-self.characters // TOKEN_CHARACTERS)


class _LineIndex:
    """Positions of lines in one file's text."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.starts = [0]
        at = text.find(b"\n") + 1
        while at:
            self.starts.append(at)
            at = text.find(b"\n", at) + 1

    def start_of(self, offset: int) -> int:
        """Start of the line that holds ``offset``."""
        return self.starts[bisect_right(self.starts, offset) - 1]

    def end_of(self, offset: int) -> int:
        """End of the line that holds ``offset``, after its newline."""
        following = bisect_right(self.starts, offset)
        return self.starts[following] if following < len(self.starts) else len(self.text)

    def characters(self, start: int, end: int) -> int:
        """Number of characters between two byte offsets."""
        piece = self.text[start:end]
        return len(piece) if piece.isascii() else len(piece.decode("utf-8"))


def chunks_of(text: bytes, symbols: Sequence[Symbol]) -> tuple[Chunk, ...]:
    """The chunks of one file.

    Args:
        text: the stored text, valid UTF-8.
        symbols: the file's symbols, in order of ``extent.start``, outer before inner.
    """
    lines = _LineIndex(text)
    children: dict[int, list[int]] = {}
    for number, symbol in enumerate(symbols):
        children.setdefault(symbol.parent, []).append(number)
    pieces = _split(lines, symbols, children, -1, 0, len(text))
    written = [_trimmed(lines, piece) for piece in pieces if text[piece.start : piece.end].strip()]
    return tuple(_finish(lines, symbols, _join(written)))


def _split(
    lines: _LineIndex, symbols: Sequence[Symbol], children: dict[int, list[int]], owner: int, start: int, end: int
) -> list[_Piece]:
    """Cut the text from ``start`` to ``end``, which is that of ``owner``, at the symbols directly inside it."""
    pieces: list[_Piece] = []
    todo: list[tuple[int, int, int, bool]] = [(owner, start, end, True)]
    while todo:
        owner, start, end, is_whole = todo.pop()
        size = lines.characters(start, end)
        piece = _Piece(start, end, size, owner, is_symbol=is_whole and owner >= 0)
        inner = children.get(owner, []) if is_whole else []
        if piece.tokens <= (LARGE if inner else WHOLE):
            if piece.characters:
                pieces.append(piece)
        elif inner:
            todo += reversed(_cuts(lines, symbols, inner, owner, start, end))
        else:
            pieces += _windows(lines, piece)
    return pieces


def _cuts(
    lines: _LineIndex, symbols: Sequence[Symbol], inner: list[int], owner: int, start: int, end: int
) -> list[tuple[int, int, int, bool]]:
    """The lines of each inner symbol and the gaps between, in order; a symbol on the same line as the one before is in the gap."""
    cuts: list[tuple[int, int, int, bool]] = []
    at = start
    for number in inner:
        extent = symbols[number].extent
        first = max(lines.start_of(extent.start), start)
        last = min(lines.end_of(max(extent.end - 1, extent.start)), end)
        if first < at or last <= first:
            continue
        if first > at:
            cuts.append((owner, at, first, False))
        cuts.append((number, first, last, True))
        at = last
    if at < end:
        cuts.append((owner, at, end, False))
    return cuts


def _windows(lines: _LineIndex, piece: _Piece) -> list[_Piece]:
    """Cut a piece without symbols between lines into windows of similar size, preferably where a paragraph begins."""
    count = -(-piece.tokens // LARGE)
    target = -(-piece.characters // count)
    windows: list[_Piece] = []
    start = at = piece.start
    size = 0
    while at < piece.end:
        line_end = min(lines.end_of(at), piece.end)
        length = lines.characters(at, line_end)
        if size and (size + length > LARGE * TOKEN_CHARACTERS or (size >= target * 0.8 and _begins_paragraph(lines.text, at))):
            windows.append(_Piece(start, at, size, piece.owner))
            start, size = at, 0
        if length > LIMIT * TOKEN_CHARACTERS:
            windows += _cut_line(lines.text, at, line_end, piece.owner)
            start, size = line_end, 0
        else:
            size += length
        at = line_end
    if size:
        windows.append(_Piece(start, piece.end, size, piece.owner))
    return windows


def _begins_paragraph(text: bytes, at: int) -> bool:
    """Whether the line before ``at`` is blank."""
    return at >= 2 and not text[text.rfind(b"\n", 0, at - 1) + 1 : at].strip()


def _cut_line(text: bytes, start: int, end: int, owner: int) -> list[_Piece]:
    """Cut one overlong line every ``LIMIT`` tokens, between characters."""
    pieces = []
    characters = text[start:end].decode("utf-8")
    step = LIMIT * TOKEN_CHARACTERS
    for first in range(0, len(characters), step):
        part = characters[first : first + step]
        length = len(part.encode("utf-8"))
        pieces.append(_Piece(start, start + length, len(part), owner))
        start += length
    return pieces


def _trimmed(lines: _LineIndex, piece: _Piece) -> _Piece:
    """The piece without blank lines at both ends and without the last newline; the first line keeps its indentation."""
    text = lines.text[piece.start : piece.end]
    blank = len(text) - len(text.lstrip())
    start = max(lines.start_of(piece.start + blank), piece.start)
    end = piece.start + len(text.rstrip())
    return _Piece(start, end, lines.characters(start, end), piece.owner, is_symbol=piece.is_symbol)


def _join(pieces: list[_Piece]) -> list[_Piece]:
    """Join neighbours from left to right up to the ideal size, then join tiny pieces with their neighbours."""
    joined: list[_Piece] = []
    for piece in pieces:
        if joined and _belong_together(joined[-1], piece):
            joined[-1] = _together(joined[-1], piece)
        else:
            joined.append(piece)
    settled: list[_Piece] = []
    for piece in joined:
        if settled and min(settled[-1].tokens, piece.tokens) < TINY and _together(settled[-1], piece).tokens <= LIMIT:
            settled[-1] = _together(settled[-1], piece)
        else:
            settled.append(piece)
    return settled


def _belong_together(left: _Piece, right: _Piece) -> bool:
    return _together(left, right).tokens <= LARGE and (left.tokens < SMALL or right.tokens < TINY)


def _together(left: _Piece, right: _Piece) -> _Piece:
    owner = left.owner if left.owner == right.owner else -1
    blank = right.start - left.end  # only ASCII white space lies between two trimmed pieces, so bytes are characters
    return _Piece(left.start, right.end, left.characters + blank + right.characters, owner)


def _finish(lines: _LineIndex, symbols: Sequence[Symbol], pieces: list[_Piece]) -> list[Chunk]:
    """The chunks of the pieces: which symbols start in each, which symbol encloses it, and which part of a symbol it is."""
    parts = Counter(piece.owner for piece in pieces if piece.owner >= 0 and not piece.is_symbol)
    seen: Counter[int] = Counter()
    chunks: list[Chunk] = []
    anchors = _anchors(symbols)
    next_symbol, line, offset = 0, 1, 0
    for number, piece in enumerate(pieces):
        start, end = piece.start, piece.end
        first_symbol = next_symbol
        limit = pieces[number + 1].start if number + 1 < len(pieces) else len(lines.text) + 1
        while next_symbol < len(symbols) and anchors[next_symbol] < limit:
            next_symbol += 1
        line += lines.text.count(b"\n", offset, start)
        end_line = line + lines.text.count(b"\n", start, end)
        code = lines.text[start:end]
        is_part = piece.owner >= 0 and not piece.is_symbol
        seen[piece.owner] += is_part
        chunks.append(
            Chunk(
                span=Span(start=start, end=end, start_line=line, end_line=end_line),
                first_symbol=first_symbol,
                symbol_count=next_symbol - first_symbol,
                enclosing=_enclosing(symbols, first_symbol, start, end),
                part=seen[piece.owner] if is_part else 1,
                parts=parts[piece.owner] if is_part else 1,
                token_count=piece.tokens,
                content_hash=hashlib.sha256(code).digest(),
            )
        )
        line, offset = end_line, end
    return chunks


def _anchors(symbols: Sequence[Symbol]) -> list[int]:
    """The start of each symbol: of its name, or of its span if it holds others. They never decrease.

    The two differ if one statement defines many names, as a long C enumeration that the grammar reads as a declaration.
    """
    outer = {symbol.parent for symbol in symbols}
    return [symbol.span.start if number in outer else symbol.selection.start for number, symbol in enumerate(symbols)]


def _enclosing(symbols: Sequence[Symbol], before: int, start: int, end: int) -> int:
    """The innermost symbol that starts before the chunk and holds all of it, or -1."""
    number = before - 1
    while number >= 0:
        if symbols[number].extent.start < start and symbols[number].extent.end >= end:
            return number
        number = symbols[number].parent
    return -1
