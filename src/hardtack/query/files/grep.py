"""A text or a pattern in, every stored line that has it out: what ``grep -n`` says of the files, from the bundle alone.

    runs       text     -> the blocks that can have it             bundle/indexes/ngrams.py
    blocks     numbers  -> their bytes, a few at first, then more  bundle/format/text.py
    scan       a block  -> its lines that match                    here: by a text, or by a pattern (patterns.py)

Lines end with LF or CR LF and count from 1; nothing follows a last LF. They come in the order of the files asked for, each once
however often it matches. Text is searched as bytes, a block at a time; only what matches is ever cut into lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple, Protocol

from hardtack.bundle.reader import Bundle
from hardtack.query.files.patterns import compiled, required_text
from hardtack.query.files.stored_lines import StoredLines

_MOST_AT_ONCE: Final = 16
"""Blocks that are inflated together, by several threads: half a megabyte."""


class LineMatch(NamedTuple):
    """One line that matches."""

    path: str
    line: int
    text: str
    """The whole line without its ending; bytes that are no UTF-8 as U+FFFD."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrepResult:
    """What a search found."""

    matches: tuple[LineMatch, ...]
    truncated: bool
    """Whether more lines match than were asked for."""
    reached: tuple[int, int] | None
    """Where the last of ``matches`` is, as :func:`grep` takes it to go on from there; None when there is none."""


Found = tuple[int, LineMatch]
"""The place of a file among those asked for, and a line of it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Files that are asked for one after another and lie one after another."""

    offset: int
    """What to add to a file's ordinal for its place among those asked for."""
    low: int
    high: int
    """Where they begin and end in the text of all files."""


class _Scan(Protocol):
    """A way to find lines."""

    done: int
    """Where the last line that was looked at ends, in the text of all files."""

    def lines(self, block: int, data: bytes, stretch: Stretch) -> list[Found]:
        """The lines that match in what blocks have of a stretch, but for what was looked at; and not many more than are wanted.

        Args:
            block: number of the first block.
            data: that block, and any number of those that follow it.
            stretch: where to look in them.
        """


def grep(
    bundle: Bundle,
    wanted: str,
    *,
    files: Sequence[int] | None = None,
    limit: int,
    regex: bool = False,
    after: tuple[int, int] | None = None,
) -> GrepResult:
    """The lines that have ``wanted`` in them, in any place and in this very case.

    Args:
        bundle: where to look.
        wanted: not empty; what a line must have, or with ``regex`` a pattern that must match inside it.
        files: ordinals of the files to look through, in this order; None for all, in order of their paths.
        limit: how many lines to give at most; at least 1.
        regex: take ``wanted`` for a regular expression in the syntax of RE2.
        after: give only what comes after this line: (place of a file in ``files``, number of a line).

    Raises:
        UsageError: the bundle was built without text, or the pattern is malformed or too large.
        MissingExtra: a pattern is asked for and the engine for them is not installed.
    """
    stored = StoredLines(bundle)
    text = (required_text(wanted) if regex else wanted).encode("utf-8", "surrogatepass")
    most = limit + 1 + (after[1] if after else 0)  # of the last line's file and those before it, so many may be left out below
    scan: _Scan = PatternScan(stored, wanted, most) if regex else LiteralScan(stored, text, most)
    blocks: Sequence[int] = () if b"\n" in text else bundle.runs.blocks_with(text)
    stretches = _stretches(stored, range(bundle.manifest.counts.files) if files is None else files, after[0] if after else 0)
    found: list[Found] = []
    for lines in _found(stored, scan, blocks, stretches):
        found += [(place, match) for place, match in lines if (place, match.line) > after] if after else lines
        if len(found) > limit:
            break
    kept = found[:limit]
    return GrepResult(
        matches=tuple(match for _, match in kept),
        truncated=len(found) > limit,
        reached=(kept[-1][0], kept[-1][1].line) if kept else None,
    )


def _stretches(stored: StoredLines, files: Sequence[int], place: int) -> Iterator[Stretch]:
    """The files asked for, from a place among them on, those that lie one after another together."""
    while place < len(files):
        start, first = place, files[place]
        end = first + 1
        place += 1
        if isinstance(files, range) and files.step == 1:
            place, end = len(files), files.stop
        while place < len(files) and files[place] == end:
            place, end = place + 1, end + 1
        yield Stretch(start - first, stored.starts[first], stored.starts[end])


def _found(stored: StoredLines, scan: _Scan, blocks: Sequence[int], stretches: Iterator[Stretch]) -> Iterator[list[Found]]:
    """The lines that match, in order, a few blocks' at once."""
    tasks = ((stretch, block) for stretch in stretches for block in _blocks_of(stored, stretch, blocks))
    size, last = 1, None
    while some := list(islice(tasks, size)):
        numbers = list(dict.fromkeys(block for _, block in some))
        inflated = dict(zip(numbers, stored.text.blocks(numbers), strict=True))
        pieces: list[tuple[Stretch, int, list[bytes]]] = []
        for stretch, block in some:
            if pieces and pieces[-1][0] is stretch and pieces[-1][1] + len(pieces[-1][2]) == block:
                pieces[-1][2].append(inflated[block])
            else:
                pieces.append((stretch, block, [inflated[block]]))
        for stretch, block, data in pieces:
            if stretch is not last:
                last, scan.done = stretch, 0
            yield scan.lines(block, b"".join(data), stretch)
        size = min(2 * size, _MOST_AT_ONCE)


def _blocks_of(stored: StoredLines, stretch: Stretch, blocks: Sequence[int]) -> Iterator[int]:
    """Those of the blocks that hold text of a stretch."""
    at = bisect_left(blocks, stretch.low // stored.size)
    while stretch.low < stretch.high and at < len(blocks) and blocks[at] * stored.size < stretch.high:
        yield blocks[at]
        at += 1


class LiteralScan:
    """Finds lines by a text they have, where it begins."""

    def __init__(self, stored: StoredLines, text: bytes, most: int) -> None:
        """Look for ``text``, which is not empty; be content with ``most`` lines at once."""
        self._stored = stored
        self._text = text
        self._most = most
        self.done = 0

    def lines(self, block: int, data: bytes, stretch: Stretch) -> list[Found]:
        """See :class:`_Scan`. Numbers here are places in ``data``; what lies before it is negative."""
        stored, text, length = self._stored, self._text, len(self._text)
        base, offset = block * stored.size, stretch.offset
        end_of_find = min(stretch.high - base, len(data)) + length - 1
        data = self._with_what_goes_on(data, base)
        found: list[Found] = []
        start, file_end = max(stretch.low - base, self.done - base, 0), -1
        while len(found) < self._most and (at := data.find(text, start, end_of_find)) >= 0:
            if at >= file_end:
                file, path, file_start, file_end = stored.file_at(base + at, base)
                line, counted = (1, file_start) if file_start >= 0 else (1 + stored.before[block], 0)
                floor = counted
            line += data.count(b"\n", counted, at)
            counted = at
            line_start = data.rfind(b"\n", floor, at) + 1 or file_start
            line_end = data.find(b"\n", at + length, file_end)
            if line_start >= 0 and line_end >= 0:
                whole = data[line_start:line_end]
            else:
                line_start = stored.line_start(base + at, base + file_start) - base
                line_end = stored.line_end(base + at, base + file_end) - base
                whole = stored.text.read(base + line_start, base + line_end)
            if whole.endswith(b"\r") and line_end < file_end:
                whole = whole[:-1]
            if at + length <= line_start + len(whole):  # and not into the line's ending, or the next file
                found.append((file + offset, LineMatch(path, line, whole.decode("utf-8", "replace"))))
            start = min(line_end + 1, file_end)
        self.done = base + start
        return found

    def _with_what_goes_on(self, data: bytes, base: int) -> bytes:
        """A block, and so much of what follows it as a match that begins at its end may need."""
        text, least = self._text, max(len(data) - len(self._text), data.rfind(b"\n")) + 1
        at = data.find(text[:1], least)
        while at >= 0 and not text.startswith(data[at:]):
            at = data.find(text[:1], at + 1)
        if at < 0:
            return data
        end = base + len(data)
        return data + self._stored.text.read(end, min(end + len(text) - 1, self._stored.text.length))


class PatternScan:
    """Finds lines by a pattern that matches in them, where they have a byte."""

    def __init__(self, stored: StoredLines, pattern: str, most: int) -> None:
        """Look for ``pattern``, and be content with ``most`` lines at once; raises what :func:`patterns.compiled` does."""
        self._stored = stored
        self._find = compiled(pattern)
        self._most = most
        self.done = 0

    def lines(self, block: int, data: bytes, stretch: Stretch) -> list[Found]:
        """See :class:`_Scan`."""
        stored = self._stored
        base = block * stored.size
        start, end = max(stretch.low - base, self.done - base, 0), min(stretch.high - base, len(data))
        found: list[Found] = []
        while start < end and len(found) < self._most:
            file, path, file_start, file_end = stored.file_at(base + start, base)
            line, counted = (1, file_start) if file_start >= 0 else (1 + stored.before[block], 0)
            begin = base + file_start if file_start >= 0 else stored.line_start(base, base + file_start)
            if begin < self.done:
                begin = self.done
                line += data.count(b"\n", counted, begin - base)
            stop = base + file_end
            if file_end > len(data):
                stop = min(stored.line_end(base + len(data) - 1, stop) + 1, stop)
            if begin < stop:
                inside = data[begin - base : stop - base] if begin >= base else b""
                whole = inside if len(inside) == stop - begin else stored.text.read(begin, stop)
                place = file + stretch.offset
                found += (
                    (place, LineMatch(path, line + number, text)) for number, text in islice(self._matches(whole), self._most)
                )
                self.done = stop
            start = file_end
        return found

    def _matches(self, text: bytes) -> Iterator[tuple[int, str]]:
        """(number from 0, line) of the lines in ``text`` that match; it holds whole lines."""
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")
        start = line = counted = 0
        while start < len(text):
            at = self._find(text, start)
            if at < 0 or (at == len(text) and text.endswith(b"\n")):
                return
            line += text.count(b"\n", counted, at)
            counted = at
            end = text.find(b"\n", at)
            end = len(text) if end < 0 else end
            yield line, text[text.rfind(b"\n", 0, at) + 1 : end].decode("utf-8", "replace")
            start = end + 1
