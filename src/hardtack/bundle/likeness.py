"""Files in, which of their chunks could come to say the same as another out: three columns of ``chunks`` (FORMAT.md 4.4).

A search compares the hits that it shows, and most are like no other. What a hit can show is a function, a type or its own lines,
whatever is asked, so it is known beforehand between which lines that lies, and which chunks could ever say the same: chunks of one
number. Numbers bring together too many rather than too few; hits are compared by what they do show
(:mod:`hardtack.query.collapse`).

No two copies are missed. Of two sets of lines that have nine tenths of the larger in common, each lacks at most a tenth of its own;
so with all lines in one order, the first three that they share are among the first three and a tenth of each. Any three of these
are a key, and copies have one in common: prefix filtering (Chaudhuri et al., ICDE 2006). Long lines come first, which are rarer.
Of more lines than code is shown with, each of the first is one: keys would be too many.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations
from struct import pack
from typing import TYPE_CHECKING, Final
from zlib import crc32

from hardtack.bundle.records import LIKENESS_COLUMNS
from hardtack.bundle.shown import SCOPES, clipped, lines_around, scopes_of, shape_of
from hardtack.bundle.wording import SAME, Shape, Wording, is_as_long, is_mostly
from hardtack.tuples import NamedTuple

if TYPE_CHECKING:
    from hardtack.bundle.records import ChunkRecord, SymbolRecord

_FEW: Final = 9
"""Lines from which on copies need not have all of them in common."""

_MANY: Final = 60
"""Lines up to which any three are a key; three of the first nine are 84, of the first 83 that a word list may have 91,881."""

_MIX: Final = 0x9E3779B97F4A7C15
_KEY: Final = (1 << 64) - 1

_LINES: Final = (1 << 16) - 1
"""The low bits of a key: how many lines the shape has. Sorted by keys, shapes that could be copies stand together."""

_MOST_NAMESAKES: Final = 32
"""Shapes of one name in one file that are compared; if there are more, their chunks are taken for alike."""

_WORD: Final = re.compile(r"\w")
"""What a line must have to be one where a query's words stand."""


class Likeness(NamedTuple):
    """What one file's chunks could show, and with which others that could be the same; numbers count from its own first chunk."""

    shown: Sequence[tuple[int, int]]
    """First and last line that can be shown of each chunk."""
    keys: Sequence[bytes]
    """Of each chunk unsigned 64-bit numbers, ascending: chunks that could be copies of one another have one in common."""
    links: Sequence[tuple[int, int]]
    """Chunks that could show overloads of one function."""


def likeness_of(text: str, symbols: Sequence[SymbolRecord], chunks: Sequence[ChunkRecord]) -> Likeness:
    """What is worked out from one file alone.

    Args:
        text: of the file.
        symbols: all of them; ordinals count from the first.
        chunks: all of them; ordinals of symbols count from the file's first.
    """
    file = _File(text, symbols)
    scopes = [file.scopes(chunk) for chunk in chunks]
    shapes = [file.shapes(chunk, each) for chunk, each in zip(chunks, scopes, strict=True)]
    return Likeness(
        shown=[_reach(chunk, each) for chunk, each in zip(chunks, scopes, strict=True)],
        keys=[file.keys(chunk, each) for chunk, each in zip(chunks, shapes, strict=True)],
        links=[*_links(file, chunks, shapes)],
    )


class _File:
    """One file, as its chunks are shown."""

    def __init__(self, text: str, symbols: Sequence[SymbolRecord]) -> None:
        lines = text.split("\n")
        self._text = text
        self._lines = clipped(lines)
        self._is_plain = self._lines is lines
        self._mark = cache(_mark)
        self._symbol = symbols.__getitem__
        self._scopes = scopes_of(symbols)

    @cached_property
    def _bytes(self) -> bytes:
        return self._text.encode()

    def scopes(self, chunk: ChunkRecord) -> list[SymbolRecord]:
        """The functions and types that a hit of a chunk can be shown with: around what starts in it, and around itself."""
        own = [*range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)]
        is_around = chunk.enclosing >= 0 and (not own or self._has_words_between(chunk, own))
        found = map(self._scopes.__getitem__, [*own, chunk.enclosing] if is_around else own)
        return [*dict.fromkeys(scope for scope in found if scope is not None)]

    def _has_words_between(self, chunk: ChunkRecord, own: Iterable[int]) -> bool:
        """Whether a line has a word and lies in no scope that starts in the chunk: such a match is in what encloses it."""
        line = chunk.start_line
        for symbol in map(self._symbol, own):
            if symbol.kind in SCOPES:
                if any(map(_WORD.search, self._lines[line - 1 : symbol.extent_start_line - 1])):
                    return True
                line = max(line, symbol.end_line + 1)
        return any(map(_WORD.search, self._lines[line - 1 : chunk.end_line]))

    def shapes(self, chunk: ChunkRecord, scopes: Iterable[SymbolRecord]) -> list[Shape]:
        """By what a hit of a chunk can be told from others."""
        return [*dict.fromkeys(shape_of(self._symbol, chunk, scope) for scope in (None, *scopes))]

    def keys(self, chunk: ChunkRecord, shapes: Iterable[Shape]) -> bytes:
        """What a chunk has one in common of with each that can show nearly the same lines under the same name."""
        keys = {
            (key ^ crc32(shape.name.encode()) << 32) & ~_LINES | min(shape.line_count, _LINES)
            for shape in shapes
            for key in _keys({*map(self._mark, self.lines(chunk, shape))})
        }
        return pack(f"<{len(keys)}Q", *sorted(keys))

    def lines(self, chunk: ChunkRecord, shape: Shape) -> Sequence[str]:
        """What stands on the lines of a shape of a chunk, as it is shown."""
        if self._is_plain or (shape.first, shape.last) != (chunk.start_line, chunk.end_line):
            return self._lines[shape.first - 1 : shape.last]
        return clipped(self._bytes[chunk.start : chunk.end].decode().split("\n"))  # of overlong lines it may be a part


def _reach(chunk: ChunkRecord, scopes: Iterable[SymbolRecord]) -> tuple[int, int]:
    """First and last line that can be shown of a chunk, within those scopes."""
    low, high = chunk.start_line, chunk.end_line
    for scope in scopes:
        first, last = scope.extent_start_line, scope.end_line
        low = min(low, lines_around(max(chunk.start_line, first), first, last)[0])
        high = max(high, lines_around(min(chunk.end_line, last), first, last)[1])
    return low, high


def _mark(line: str) -> int:
    """What stands for a line: a number, the greater, the longer it is."""
    stripped = line.strip().encode()
    return len(stripped) << 32 | crc32(stripped)


def _keys(marks: set[int]) -> Iterator[int]:
    """The keys of some lines."""
    count, order = len(marks), sorted(marks, reverse=True)
    if count < _FEW:
        yield _mixed(order)
    elif count <= _MANY:
        yield from map(_mixed, combinations(order[: count // 10 + 3], 3))
    if count >= SAME * _MANY:
        yield from map(_mixed, zip(order[: count // 10 + 1]))


def _mixed(marks: Sequence[int]) -> int:
    key = len(marks)
    for mark in marks:
        key = (key * _MIX + mark) & _KEY
    return key


def _links(file: _File, chunks: Sequence[ChunkRecord], shapes: Sequence[Iterable[Shape]]) -> Iterator[tuple[int, int]]:
    """Pairs of chunks that can show two things of one name in nearly the same words."""
    namesakes: defaultdict[str, list[tuple[int, Shape]]] = defaultdict(list)
    for number, each in enumerate(shapes):
        for shape in each:
            if shape.name:
                namesakes[shape.name].append((number, shape))
    for places in namesakes.values():
        first = places[0][0]
        if len(places) > _MOST_NAMESAKES:
            yield from ((first, number) for number, _ in places if number != first)
        elif places[-1][0] != first:
            words = cache(lambda number, shape: Wording("\n".join(file.lines(chunks[number], shape))).words)
            for (one, here), (other, there) in combinations(places, 2):
                if one != other and is_as_long(here, there) and is_mostly(words(one, here), words(other, there)):
                    yield one, other


class LikenessWriter:
    """Takes files in order, then gives the columns."""

    def __init__(self) -> None:
        *places, self._name = LIKENESS_COLUMNS
        self._shown = {name: array("I") for name in places}
        self._keys: list[bytes] = []
        self._links: list[tuple[int, int]] = []

    def add(self, shown: Iterable[tuple[int, int]], keys: Iterable[bytes], links: Iterable[tuple[int, int]]) -> None:
        """Take the next file, as :class:`Likeness` has it."""
        first_chunk = len(self._keys)
        self._keys += keys
        self._links += ((one + first_chunk, other + first_chunk) for one, other in links)
        for place in shown:
            for column, line in zip(self._shown.values(), place, strict=True):
                column.append(line)

    def columns(self) -> dict[str, array[int]]:
        """One number a chunk: :data:`records.LIKENESS_COLUMNS`."""
        return {**self._shown, self._name: self._alike()}

    def _alike(self) -> array[int]:
        """Those that are linked, over however many others, have the same number; numbers are in order of their first chunks."""
        leaders: dict[int, int] = {}

        def leader_of(chunk: int) -> int:
            while (leader := leaders.setdefault(chunk, chunk)) != chunk:
                leaders[chunk] = leaders[leader]
                chunk = leader
            return chunk

        for one, other in (*self._links, *self._sharing()):
            first, second = sorted((leader_of(one), leader_of(other)))
            leaders[second] = first
        numbers: dict[int, int] = {}
        alike = array("I", [0]) * len(self._keys)
        for chunk in sorted(leaders):
            alike[chunk] = numbers.setdefault(leader_of(chunk), len(numbers) + 1)
        return alike

    def _sharing(self) -> list[tuple[int, int]]:
        """Pairs of chunks with a key in common, of shapes that are nearly as long; of more than two, each with the next."""
        import numpy as np

        keys = np.frombuffer(b"".join(self._keys), dtype="<u8")
        chunks = np.repeat(np.arange(len(self._keys)), [len(each) // keys.itemsize for each in self._keys])
        order = keys.argsort(kind="stable")
        keys, chunks = keys[order], chunks[order]
        lines = (keys & _LINES).astype(np.float64)
        is_shared = (keys[1:] & ~np.uint64(_LINES)) == (keys[:-1] & ~np.uint64(_LINES))
        is_shared &= lines[:-1] >= SAME * lines[1:]  # of two that are as long, so are all between them
        is_shared &= chunks[1:] != chunks[:-1]
        pairs = np.unique(np.stack((chunks[:-1][is_shared], chunks[1:][is_shared]), axis=1), axis=0)
        found: list[tuple[int, int]] = pairs.tolist()
        return found
