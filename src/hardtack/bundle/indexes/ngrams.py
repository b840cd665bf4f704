"""Text in, the member ``runs.postings`` out; the mapped member in, the blocks that can contain a given text out.

Text lies in deflated blocks (:mod:`hardtack.bundle.format.text`), and inflating all of them to find a word takes longer than
``grep`` does. A run is a maximal sequence of letters, digits and underscores. The member has every run of the text once, with the
blocks that have it (FORMAT.md 4.16). A block that contains a text has all runs of that text, of which the first and the last may be
parts of longer runs; one scan of the vocabulary finds those.
"""

from __future__ import annotations

import re
import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.text import BLOCK_SIZE
from hardtack.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEADER: Final = struct.Struct("<8s7Q")  # magic, blocks, runs, groups, postings, vocabulary, both deflated
_MAGIC: Final = b"HTKRUN\x00\x01"
_RUN: Final = re.compile(rb"[A-Za-z0-9_]+|[\xc2-\xf4][\x80-\xbf]+")
"""Beyond ASCII each character is a run: in languages without spaces, whole sentences would be runs otherwise."""
_SPACED: Final = bytes(byte if _RUN.match(bytes((byte,))) else ord(" ") for byte in range(256))
"""For ``bytes.translate`` of ASCII text: a byte that is in no run becomes a space."""
BEYOND: Final = 64
"""Runs in this many bytes after a block count as the block's too, so that a block has all runs of a text that begins in it."""
_LEVEL: Final = 6
_STRIP: Final = 4096
"""Bytes of the vocabulary whose line feeds are counted together."""
_MOST_INFLATED: Final = 1 << 28
"""The most bytes of a vocabulary or of its lists: those of some ten gigabytes of text. With more, the member has no runs."""
_MOST_BESIDES: Final = 32 << 20
_LEAST_SHARE: Final = 4
"""What is inflated may have so many bytes and a quarter as many as the stored text has; real ones have a tenth of that."""
_FEW: Final = 16
"""Inflating this many blocks takes no longer than looking up another run."""


class _Numbers(dict[bytes, int]):
    """Run -> its number; a new run gets the next one."""

    def __missing__(self, run: bytes) -> int:
        number = self[run] = len(self)
        return number


def _runs_in(text: bytes) -> list[bytes]:
    """The runs of a text. For ASCII, splitting at spaces takes a third of the time of the regular expression."""
    return text.translate(_SPACED).split() if text.isascii() else _RUN.findall(text)


class RunsWriter:
    """Takes the text of one file after another, then renders the member."""

    def __init__(self, block_size: int = BLOCK_SIZE) -> None:
        self._block_size = block_size
        self._length = 0
        self._numbers = _Numbers()
        self._pending: set[bytes] = set()
        """Runs of the current block."""
        self._runs = array("I")
        """Numbers of the runs, block by block, unordered within a block."""
        self._ends = array("Q")
        self._lines = array("I")

    def add(self, text: bytes) -> None:
        """Take the next file's text."""
        start, end = self._length, self._length + len(text)
        line = counted = 0
        for block in range(start // self._block_size, -(-end // self._block_size)):
            begin = block * self._block_size - start
            if begin >= 0:
                self._close_block()
                line += text.count(b"\n", counted, begin)
                counted = begin
                self._lines.append(line)
            self._pending.update(_runs_in(text[max(begin, 0) : begin + self._block_size + BEYOND]))
        self._length = end

    @property
    def counts(self) -> tuple[int, int]:
        """How many runs and postings there are so far."""
        return len(self._numbers), len(self._runs)

    def _close_block(self) -> None:
        if not self._lines:
            return
        self._runs.extend(map(self._numbers.__getitem__, self._pending))
        self._pending.clear()
        self._ends.append(len(self._runs))

    def render(self) -> Iterator[bytes]:
        """The member's bytes, piece by piece. No text can be added after this."""
        parts = self.parts()
        vocabulary, postings = zlib.compress(parts.vocabulary, _LEVEL), zlib.compress(parts.postings, _LEVEL)
        blocks, groups = len(parts.lines) // 4, len(parts.groups) // 8
        count = parts.vocabulary.count(b"\n") + 1 if groups else 0
        total = len(parts.postings) // _width_for(blocks)
        yield _HEADER.pack(_MAGIC, blocks, count, groups, total, len(parts.vocabulary), len(vocabulary), len(postings))
        yield parts.lines
        yield parts.groups
        yield vocabulary
        yield postings

    def parts(self) -> Parts:
        """The member's content before it is deflated. No text can be added after this."""
        import numpy as np

        self._close_block()
        self._numbers, words = _Numbers(), list(self._numbers)
        runs = np.frombuffer(self._runs, dtype=np.uint32)
        ends = np.frombuffer(self._ends, dtype=np.uint64).astype(np.int64)
        blocks = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        counts = np.bincount(runs, minlength=len(words))
        firsts = np.empty(len(words), dtype=np.int64)
        firsts[runs[::-1]] = blocks[::-1]
        by_bytes = np.empty(len(words), dtype=np.int64)
        by_bytes[sorted(range(len(words)), key=words.__getitem__)] = np.arange(len(words))
        order = np.lexsort((by_bytes, firsts, -counts))
        rank = np.empty(len(words), dtype=np.int64)
        rank[order] = np.arange(len(words))
        steps = _steps(blocks[np.lexsort((blocks, rank[runs]))], counts[order])
        values, sizes = np.unique(-counts, return_counts=True)
        parts = Parts(
            lines=np.frombuffer(self._lines, dtype=np.uint32).astype("<u4").tobytes(),
            groups=np.stack((-values, sizes), axis=1).astype("<u4").tobytes(),
            vocabulary=b"\n".join(words[number] for number in order.tolist()),
            postings=steps.astype("<u4").view(np.uint8).reshape(-1, 4)[:, : _width_for(len(ends))].T.tobytes(),
        )
        if max(len(parts.vocabulary), len(parts.postings)) > _MOST_INFLATED:
            return Parts(lines=parts.lines, groups=b"", vocabulary=b"", postings=b"")
        return parts


def _steps(blocks: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every posting minus the one before it in its list; the first one as it is."""
    import numpy as np

    steps = np.diff(blocks, prepend=0)
    firsts = np.cumsum(counts) - counts
    steps[firsts] = blocks[firsts]
    return steps


class Parts(NamedTuple):
    """A member's content, inflated."""

    lines: bytes
    """For each block: the number of line ends before it in the file that its first byte is of."""
    groups: bytes
    """(number of blocks, number of runs that are in so many blocks), descending."""
    vocabulary: bytes
    """Runs joined by line feeds, group by group; in a group by their first blocks, then by their bytes."""
    postings: bytes
    """For each run its ascending blocks as differences; the lowest bytes of all lists first, then the next ones."""


class RunIndex:
    """The mapped member: from a text to the blocks that may contain it."""

    def __init__(
        self, buffer: memoryview, *, blocks: int, text_bytes: int, block_size: int = BLOCK_SIZE, stored_bytes: int | None = None
    ) -> None:
        """Check the header and lengths.

        Args:
            buffer: the mapped member.
            blocks: of the text.
            text_bytes: of the text; a vocabulary and lists that are longer than such a text can have are refused.
            block_size: bytes of a block of the text.
            stored_bytes: of the text as it is stored. Where vocabulary or lists inflate to much more, they are left unused: what
                is searched then is all blocks. None sets no such bound.

        Raises:
            FormatError: ``buffer`` is not an index of runs.
        """
        if len(buffer) < _HEADER.size:
            raise _damaged("it is too short")
        magic, count, self._count, groups, self._total, self._length, *deflated = _HEADER.unpack_from(buffer)
        if magic != _MAGIC or count != blocks:
            raise _damaged("it is no index of runs, or of another text")
        if max(groups, *deflated) > len(buffer) or _HEADER.size + 4 * count + 8 * groups + sum(deflated) != len(buffer):
            raise _damaged("it has another length than it promises")
        most = min(4 * (text_bytes + BEYOND * blocks), _MOST_INFLATED)
        if max(self._count, self._length, self._total * _width_for(blocks)) > most:
            raise _damaged("it promises more runs than the text can have")
        inflated = max(self._length, self._total * _width_for(blocks))
        if stored_bytes is not None and inflated > _MOST_BESIDES + stored_bytes // _LEAST_SHARE:
            self._count = self._total = 0
        self._blocks, self.text_bytes, self.block_size = blocks, text_bytes, block_size
        at = _HEADER.size + 4 * count
        self._lines, self._groups = buffer[_HEADER.size : at], buffer[at : at + 8 * groups]
        at += 8 * groups
        self._vocabulary, self._postings = buffer[at : at + deflated[0]], buffer[at + deflated[0] :]
        self.lines = _numbers("I", bytes(self._lines))
        """For each block: the number of line ends before it in the file that its first byte is of."""

    @property
    def counts(self) -> tuple[int, int]:
        """How many runs and postings it says that it has; 0 and 0 where it says nothing of its text."""
        return self._count, self._total

    @cached_property
    def _opened(self) -> _Lists | None:
        if not self._count:
            return None
        vocabulary = _inflated(self._vocabulary, self._length)
        width = _width_for(self._blocks)
        planes = _inflated(self._postings, self._total * width)
        return _Lists(self._blocks, _numbers("I", bytes(self._groups)), vocabulary, planes, self._count, self._total)

    def parts(self) -> Parts:
        """The member's content.

        Raises:
            FormatError: it cannot be inflated, or contradicts its header.
        """
        _ = self._opened
        return Parts(
            lines=bytes(self._lines),
            groups=bytes(self._groups),
            vocabulary=_inflated(self._vocabulary, self._length),
            postings=_inflated(self._postings, self._total * _width_for(self._blocks)),
        )

    def blocks_with(self, wanted: bytes) -> Sequence[int]:
        """The blocks in which ``wanted`` can begin, ascending; all blocks if it has no run to look up.

        Args:
            wanted: a text without line feeds, as it may stand in a file.

        Raises:
            FormatError: the member is damaged.
        """
        lists = self._opened
        if lists is None:
            return range(self._blocks)
        found: int | None = None
        for pattern in _patterns_in(wanted[:BEYOND], is_cut=len(wanted) > BEYOND):
            mask = lists.blocks_of(pattern)
            if mask is not None:
                found = mask if found is None else found & mask
                if found.bit_count() <= _FEW:
                    break
        if found is None:
            return range(self._blocks)
        return [block for block, has in enumerate(found.to_bytes(self._blocks, "little")) if has]


class _Lists:
    """The inflated member."""

    def __init__(self, blocks: int, groups: array[int], vocabulary: bytes, planes: bytes, count: int, total: int) -> None:
        self._blocks = blocks
        self._counts = groups[0::2]
        self._first_runs = list(accumulate(groups[1::2], initial=0))
        self._first_postings = list(accumulate(map(int.__mul__, self._counts, groups[1::2]), initial=0))
        if (self._first_runs[-1], self._first_postings[-1], vocabulary.count(b"\n") + 1) != (count, total, count):
            raise _damaged("it has other numbers of runs and postings than it promises")
        self._vocabulary = b"\n%b\n" % vocabulary
        strips = range(0, len(self._vocabulary), _STRIP)
        self._runs_before = array("Q", accumulate((self._vocabulary.count(b"\n", at, at + _STRIP) for at in strips), initial=0))
        """The number of line feeds before each strip of the vocabulary."""
        width = _width_for(blocks)
        steps = bytearray(len(planes))
        for plane in range(width):
            steps[plane::width] = planes[plane * total : (plane + 1) * total]
        self._steps = _numbers({1: "B", 2: "H", 4: "I"}[width], steps)

    def blocks_of(self, pattern: bytes) -> int | None:
        """One byte for each block, 1 if it has a run that the pattern matches, as one integer; None if nearly all blocks do.

        Args:
            pattern: a part of a run, with a line feed where the run must begin or end.
        """
        vocabulary, mask, few = self._vocabulary, bytearray(self._blocks), self._blocks // 8
        is_whole = pattern.startswith(b"\n") and pattern.endswith(b"\n")
        hits, at = 0, vocabulary.find(pattern)
        while at >= 0:
            strip = at // _STRIP
            before = self._runs_before[strip] + vocabulary.count(b"\n", strip * _STRIP, at + 1)
            try:
                for block in self._list(before - 1):
                    mask[block] = 1
            except IndexError as error:
                raise _damaged("it points outside the text") from error
            hits += 1
            if hits & (hits - 1) == 0 and mask.count(0) <= few:  # frequent runs come first, so count at hit 1, 2, 4, 8 ...
                return None
            at = -1 if is_whole else vocabulary.find(pattern, vocabulary.find(b"\n", at + 1))
        return int.from_bytes(mask, "little")

    def _list(self, run: int) -> Iterator[int]:
        """The blocks that have the run in that row of the vocabulary."""
        group = bisect_right(self._first_runs, run) - 1
        count = self._counts[group]
        first = self._first_postings[group] + (run - self._first_runs[group]) * count
        return accumulate(self._steps[first : first + count])


def _patterns_in(wanted: bytes, *, is_cut: bool) -> list[bytes]:
    """Patterns for the runs of a text that has ``wanted``, the longest first, with line feeds where a run must begin or end."""
    patterns = []
    for match in _RUN.finditer(wanted):
        run, is_word = match.group(), match.group() < b"\x80"
        is_last = match.end() == len(wanted)
        if is_last and is_cut and not is_word:
            continue  # the cut may have split a character
        begins = b"" if is_word and match.start() == 0 else b"\n"
        patterns.append(
            begins + run + (b"\n" if is_word and not is_last else b"")
        )  # a byte that is no UTF-8 may follow a character
    return sorted(patterns, key=len, reverse=True)


def _width_for(blocks: int) -> int:
    """Bytes of a posting."""
    return 1 if blocks <= 1 << 8 else 2 if blocks <= 1 << 16 else 4


def _numbers(typecode: str, data: bytes | bytearray) -> array[int]:
    numbers = array(typecode)
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _inflated(deflated: memoryview, size: int) -> bytes:
    try:
        state = zlib.decompressobj()
        data = state.decompress(deflated, size + 1)
    except (zlib.error, OverflowError) as error:
        raise _damaged("it does not inflate") from error
    if len(data) != size or not state.eof or state.unused_data:
        raise _damaged("it inflates to another length than it promises")
    return data


def _damaged(what: str) -> FormatError:
    return FormatError(f"{layout.RUNS} is damaged: {what}.", field=layout.RUNS)
